// Lines of an upload that were rejected: line, code, at most the start of the cell at fault, never the line itself (domain.md 3.12).
// They are kept for 30 days.
import { rowRejectionCodes } from '@wds/contracts/error-classes'
import { deleteInBatches } from '@wds/postgres/delete-in-batches'
import type { Pool } from '@wds/postgres/pool'
import type { Transaction } from '@wds/postgres/transaction'
import type { RejectedRow } from '../sources/domain/check-row.ts'

export interface Reject {
  line: number
  pointer: string | null
  code: string
  detail: string
}

export function rejectOf(line: number, { code, field, value }: RejectedRow): Reject {
  const found = value ? ` Found: ${JSON.stringify(value)}.` : ''
  return { line, code, pointer: field === null ? null : `/${field}`, detail: rowRejectionCodes[code] + found }
}

/** Adds rejects; a line that was rejected before stays as it is. */
export async function addRejects(
  tx: Transaction,
  workspaceId: string,
  importId: string,
  rejects: Reject[],
): Promise<void> {
  if (rejects.length === 0) return
  await tx.query(
    `insert into import_rejects (workspace_id, import_id, line, pointer, code, detail)
     select $1, $2, * from unnest($3::integer[], $4::text[], $5::text[], $6::text[]) on conflict do nothing`,
    [
      workspaceId,
      importId,
      rejects.map((reject) => reject.line),
      rejects.map((reject) => reject.pointer),
      rejects.map((reject) => reject.code),
      rejects.map((reject) => reject.detail),
    ],
  )
}

/** Rejects in the order of lines, at most `limit`, from the line `after` on. The primary key serves it. */
export async function listRejects(
  tx: Transaction,
  o: { workspaceId: string; importId: string; after: number; limit: number },
): Promise<Reject[]> {
  const { rows } = await tx.query<{ line: number; pointer: string | null; code: string; detail: string }>(
    `select line, pointer, code, detail from import_rejects where workspace_id = $1 and import_id = $2 and line > $3
     order by line limit $4`,
    [o.workspaceId, o.importId, o.after, o.limit],
  )
  return rows
}

/** Removes all rejects of an import but the first `kept`. The primary key serves it. */
export async function dropRejectsBeyond(
  tx: Transaction,
  o: { workspaceId: string; importId: string; kept: number },
): Promise<void> {
  await tx.query(
    `delete from import_rejects where workspace_id = $1 and import_id = $2 and line > (
       select line from import_rejects where workspace_id = $1 and import_id = $2 order by line offset $3 - 1 limit 1)`,
    [o.workspaceId, o.importId, o.kept],
  )
}

/** Removes rejects of imports and of runs older than 30 days, of all workspaces; `pool` is the worker role's. Indexes import_rejects_age, run_rejects_age. */
export async function sweepRejects(pool: Pool): Promise<void> {
  for (const table of ['import_rejects', 'run_rejects']) {
    const text = `delete from ${table} where ctid = any(array(
      select ctid from ${table} where stored_at < app_now() - interval '30 days' order by stored_at limit $1))`
    await deleteInBatches(pool, text, 10_000)
  }
}

/** The first rejects of each import, at most `limit` each. The primary key serves it. */
export async function sampleRejects(
  tx: Transaction,
  o: { workspaceId: string; importIds: string[]; limit: number },
): Promise<Map<string, Reject[]>> {
  const { rows } = await tx.query<Reject & { import_id: string; [column: string]: unknown }>(
    `select i.id as import_id, r.line, r.pointer, r.code, r.detail from unnest($2::text[]) i(id) cross join lateral (
       select line, pointer, code, detail from import_rejects where workspace_id = $1 and import_id = i.id
       order by line limit $3) r
     order by i.id, r.line`,
    [o.workspaceId, o.importIds, o.limit],
  )
  return Map.groupBy(rows, (row) => row.import_id)
}
