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

/**
 * The integrations of the runs give out no run_seq that one of these runs has: after their rows were lost and written anew. The primary
 * key serves it.
 */
export async function raiseRunSeq(
  tx: Transaction,
  runs: readonly { integrationId: string; runSeq: number }[],
): Promise<void> {
  await tx.query(
    `update integrations i set run_seq = r.run_seq
       from (select id, max(run_seq) as run_seq from unnest($2::text[], $3::bigint[]) as r(id, run_seq) group by id) r
      where i.workspace_id = $1 and i.id = r.id and i.run_seq < r.run_seq`,
    [tx.workspaceId, runs.map(({ integrationId }) => integrationId), runs.map(({ runSeq }) => runSeq)],
  )
}

/** The next run_seq of the integration (domain.md 3.3). */
export async function takeRunSeq(tx: Transaction, workspaceId: string, integrationId: string): Promise<number> {
  const { rows } = await tx.query<{ run_seq: string }>(
    'update integrations set run_seq = run_seq + 1 where workspace_id = $1 and id = $2 returning run_seq',
    [workspaceId, integrationId],
  )
  return Number(rows[0]?.run_seq)
}
