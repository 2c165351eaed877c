// Reads what the rules of a workspace are judged by beside their own fields.
import type { Transaction } from '@wds/postgres/transaction'

/** Rules of a workspace: each looks at its subjects by itself. */
export const rulesMax = 100

/** How many there are. Who makes one holds the lock until its row is stored. The primary key serves it. */
export async function countRulesLocked(tx: Transaction, workspaceId: string): Promise<number> {
  await tx.query("select pg_advisory_xact_lock(hashtextextended('automation_rules:' || $1, 0))", [workspaceId])
  const { rows } = await tx.query<{ count: number }>(
    "select count(*)::integer as count from automation_rules where workspace_id = $1 and status <> 'deleted'",
    [workspaceId],
  )
  return rows[0]?.count ?? 0
}
