// How many integrations a workspace has.
import type { Transaction } from '@wds/postgres/transaction'

/**
 * Of the workspace, deleted ones left out. Whoever makes another one counts under this lock, held until the transaction ends, so that
 * none is counted too few. Index integrations_by_status.
 */
export async function countIntegrationsLocked(tx: Transaction, workspaceId: string): Promise<number> {
  await tx.query("select pg_advisory_xact_lock(hashtextextended('integrations:' || $1, 0))", [workspaceId])
  const { rows } = await tx.query<{ n: number }>(
    "select count(*)::int as n from integrations where workspace_id = $1 and status <> 'deleted'",
    [workspaceId],
  )
  return rows[0]?.n ?? 0
}
