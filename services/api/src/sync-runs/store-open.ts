// Finds the open run of an integration, and gives out its run numbers. The caller holds the integration's row.
import type { Transaction } from '@wds/postgres/transaction'

/** Id of the open run, or null. The index sync_runs_one_open serves it. */
export async function openRunOf(tx: Transaction, workspaceId: string, integrationId: string): Promise<string | null> {
  const { rows } = await tx.query<{ id: string }>(
    `select id from sync_runs where workspace_id = $1 and integration_id = $2
       and status in ('queued', 'running', 'retry_wait')`,
    [workspaceId, integrationId],
  )
  return rows[0]?.id ?? null
}

/** The next run_seq of the integration (domain.md 3.3). */
export async function takeRunSeq(tx: Transaction, workspaceId: string, integrationId: string): Promise<number> {
  const { rows } = await tx.query<{ run_seq: string }>(
    'update integrations set run_seq = run_seq + 1 where workspace_id = $1 and id = $2 returning run_seq',
    [workspaceId, integrationId],
  )
  return Number(rows[0]?.run_seq)
}
