// Reads how far imports that run have come.
import { workspaceOf } from '@wds/aggregate/aggregate'
import type { Transaction } from '@wds/postgres/transaction'
import type { ImportCounts } from './domain/import.ts'

/** What became of the lines so far, by import. Of those with a run, its checkpoint; primary keys of import_work and run_checkpoints. */
export async function readCountsSoFar(
  tx: Transaction,
  running: readonly { id: string; runId: string | null }[],
): Promise<Map<string, ImportCounts>> {
  if (running.length === 0) return new Map()
  const { rows } = await tx.query<{ id: string; counts: ImportCounts }>(
    `select import_id as id, progress->'counts' as counts from import_work
     where workspace_id = $1 and import_id = any($2) and progress is not null
     union all
     select r.id, jsonb_build_object('lines', c.lines, 'accepted', c.accepted, 'rejected', c.rejected, 'unchanged', 0)
     from unnest($2::text[], $3::text[]) as r(id, run_id) join run_checkpoints c on c.workspace_id = $1 and c.run_id = r.run_id`,
    [workspaceOf(tx), running.map(({ id }) => id), running.map(({ runId }) => runId)],
  )
  return new Map(rows.map(({ id, counts }) => [id, counts]))
}
