// Rows of exports: stored after each command, found by the sweep once they are no longer needed. Lists and single ones are read as those
// of any resource are.
import type { Loaded } from '@wds/aggregate/aggregate'
import type { Pool } from '@wds/postgres/pool'
import type { Transaction } from '@wds/postgres/transaction'
import { toInstant } from '../calendar/domain/calendar.ts'
import type { ExportState } from './domain/export.ts'

/** Stores an export after a command, as new or over what was loaded with its lock. `sweepMs`: when the sweep is to look at it. */
export async function storeExport(
  tx: Transaction,
  o: { workspaceId: string; exported: Loaded<ExportState>; sweepMs: number },
): Promise<void> {
  const { id, version, state, createdMs, updatedMs, nowMs } = o.exported
  const values = [
    ...[o.workspaceId, id, version, state.status, state.order?.export_type, state.order?.format, state.bytes],
    ...[toInstant(o.sweepMs), JSON.stringify(state), toInstant(createdMs ?? nowMs), toInstant(updatedMs ?? nowMs)],
  ]
  const text =
    version === 1
      ? `insert into exports (workspace_id, id, version, status, export_type, format, bytes, sweep_due, state, created, updated)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`
      : `update exports set version = $3, status = $4, export_type = $5, format = $6, bytes = $7, sweep_due = $8, state = $9,
           created = $10, updated = $11
         where workspace_id = $1 and id = $2`
  await tx.query(text, values)
}

/** Exports of the workspace that wait or run, those that are there, and bytes of all files; `but`: of all others. The index exports_list serves it. */
export async function readUsage(
  tx: Transaction,
  workspaceId: string,
  { but = '' }: { but?: string } = {},
): Promise<{ open: number; kept: number; bytes: number }> {
  const { rows } = await tx.query<{ open: number; kept: number; bytes: string }>(
    `select count(*) filter (where status in ('queued', 'running'))::integer as open,
       count(*) filter (where status <> 'deleted')::integer as kept, coalesce(sum(bytes), 0)::text as bytes
     from exports where workspace_id = $1 and id <> $2`,
    [workspaceId, but],
  )
  const { open = 0, kept = 0, bytes = 0 } = rows[0] ?? {}
  return { open, kept, bytes: Number(bytes) }
}

/** Keeps exports of a workspace from being asked for at the same time, so that they are counted one after the other. */
export async function lockUsage(tx: Transaction, workspaceId: string): Promise<void> {
  await tx.query("select pg_advisory_xact_lock(hashtextextended('exports:' || $1, 0))", [workspaceId])
}

/** Exports that the sweep is to look at, at most `limit`; `pool` is the worker role's. The index exports_sweep serves it. */
export async function findSweepable(pool: Pool, limit: number): Promise<{ workspaceId: string; exportId: string }[]> {
  const { rows } = await pool.query<{ workspace_id: string; id: string }>(
    'select workspace_id, id from exports where sweep_due <= app_now() order by sweep_due limit $1',
    [limit],
  )
  return rows.map((row) => ({ workspaceId: row.workspace_id, exportId: row.id }))
}

export async function deleteExport(tx: Transaction, workspaceId: string, exportId: string): Promise<void> {
  await tx.query('delete from exports where workspace_id = $1 and id = $2', [workspaceId, exportId])
}
