// The first rows of a pull that were rejected: at most 20 of a run, with the start of the cell at fault, never the row itself (domain.md
// 3.3). They are kept for 30 days. Those of an upload are kept with its import.
import type { Transaction } from '@wds/postgres/transaction'

/** Rejected rows that a run shows. */
export const sampleMax = 20

export interface RunReject {
  line: number
  code: string
  detail: string
}

/** Adds rejects of a run. `before`: how many it had before them. */
export async function addRunRejects(
  tx: Transaction,
  o: { workspaceId: string; runId: string; before: number; rejects: readonly RunReject[] },
): Promise<void> {
  const kept = o.rejects.slice(0, Math.max(0, sampleMax - o.before))
  if (kept.length === 0) return
  await tx.query(
    `insert into run_rejects (workspace_id, run_id, line, code, detail)
     select $1, $2, * from unnest($3::integer[], $4::text[], $5::text[]) on conflict do nothing`,
    [
      ...[o.workspaceId, o.runId, kept.map(({ line }) => line)],
      ...[kept.map(({ code }) => code), kept.map(({ detail }) => detail)],
    ],
  )
}

/** Forgets those of an earlier attempt. */
export async function clearRunRejects(tx: Transaction, workspaceId: string, runId: string): Promise<void> {
  await tx.query('delete from run_rejects where workspace_id = $1 and run_id = $2', [workspaceId, runId])
}

/** Rejects by run, in the order of their rows. The primary key serves it. */
export async function rejectsOfRuns(
  tx: Transaction,
  o: { workspaceId: string; runIds: readonly string[] },
): Promise<Map<string, RunReject[]>> {
  const { rows } = await tx.query<RunReject & { run_id: string; [column: string]: unknown }>(
    `select run_id, line, code, detail from run_rejects where workspace_id = $1 and run_id = any($2::text[])
     order by run_id, line`,
    [o.workspaceId, o.runIds],
  )
  return Map.groupBy(rows, (row) => row.run_id)
}
