// Finds the imports that wait or run. The caller holds the integration's row.
import type { Transaction } from '@wds/postgres/transaction'

/** Ids of the imports of stats that wait or run. The index imports_open serves it. */
export async function openImportsOf(tx: Transaction, workspaceId: string, integrationId: string): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(
    `select id from imports where workspace_id = $1 and integration_id = $2 and import_type = 'stats'
       and status in ('queued', 'running') order by id`,
    [workspaceId, integrationId],
  )
  return rows.map((row) => row.id)
}

/** How many imports of the workspace wait or run. The index imports_open serves it. */
export async function countOpenImports(tx: Transaction, workspaceId: string): Promise<number> {
  const { rows } = await tx.query<{ n: number }>(
    `select count(*)::integer as n from imports where workspace_id = $1 and status in ('queued', 'running')`,
    [workspaceId],
  )
  return rows[0]?.n ?? 0
}
