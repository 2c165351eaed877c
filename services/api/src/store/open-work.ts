// Finds what is open of an integration, and gives out its run numbers. The caller holds the integration's row.
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

/** Ids of the imports that wait or run. The index imports_open serves it. */
export async function openImportsOf(tx: Transaction, workspaceId: string, integrationId: string): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(
    `select id from imports where workspace_id = $1 and integration_id = $2 and status in ('queued', 'running')
     order by id`,
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

/** The next run_seq of the integration (domain.md 3.3). */
export async function takeRunSeq(tx: Transaction, workspaceId: string, integrationId: string): Promise<number> {
  const { rows } = await tx.query<{ run_seq: string }>(
    'update integrations set run_seq = run_seq + 1 where workspace_id = $1 and id = $2 returning run_seq',
    [workspaceId, integrationId],
  )
  return Number(rows[0]?.run_seq)
}

/** The lock that whoever changes runs or imports takes first, also where the integration is deleted. The primary key serves it. */
export async function lockRowOfIntegration(tx: Transaction, workspaceId: string, id: string): Promise<void> {
  await tx.query('select 1 from integrations where workspace_id = $1 and id = $2 for no key update', [workspaceId, id])
}

/** The same lock where it is free; false where somebody holds it. */
export async function tryLockRowOfIntegration(tx: Transaction, workspaceId: string, id: string): Promise<boolean> {
  const { rows } = await tx.query(
    'select 1 from integrations where workspace_id = $1 and id = $2 for no key update skip locked',
    [workspaceId, id],
  )
  return rows.length > 0
}
