// Files of rates that wait to be read: which one is next, whose turn it is. It never decides about a file itself.
import type { AppendContext } from '@wds/event-store/event-store'
import type { Transaction } from '@wds/postgres/transaction'
import { takeInTurn } from '../work-queue/store-turns.ts'

export interface RateImportWork {
  workspaceId: string
  importId: string
  /** Attempts that have failed by a fault of the service. */
  attempts: number
  /** Of the request that asked for it. */
  correlation: string
  traceparent: string
}

export async function putRateImport(tx: Transaction, context: AppendContext, importId: string): Promise<void> {
  await tx.query(
    'insert into fx_import_work (workspace_id, import_id, correlation, traceparent) values ($1, $2, $3, $4)',
    [context.workspaceId, importId, context.correlation, context.trace.traceparent],
  )
}

/**
 * The oldest file that is due of the workspace that comes after `after`, around all that have one. One process at a time reads those of a
 * workspace, since its sets are counted up; the others pass it over. The index fx_import_work_due and the primary key serve it.
 */
export function takeRateImport(tx: Transaction, after: string): Promise<RateImportWork | null> {
  return takeInTurn(tx, { table: 'fx_import_work', lock: 'rate imports', oldestOf }, after)
}

/** In the order of their arrival, so that of two files with one key the later says its rate: one that was deferred holds up the others. */
async function oldestOf(tx: Transaction, workspaceId: string): Promise<RateImportWork | null> {
  const { rows } = await tx.query<Record<'import_id' | 'correlation' | 'traceparent', string> & { attempts: number }>(
    `select import_id, attempts, correlation, traceparent from fx_import_work
     where workspace_id = $1 and due <= app_now()
       and not exists (select from fx_import_work o where o.workspace_id = $1 and o.import_id < fx_import_work.import_id)`,
    [workspaceId],
  )
  const [row] = rows
  if (row === undefined) return null
  const { import_id: importId, attempts, correlation, traceparent } = row
  return { workspaceId, importId, attempts, correlation, traceparent }
}

export async function endRateImport(tx: Transaction, workspaceId: string, importId: string): Promise<void> {
  await tx.query('delete from fx_import_work where workspace_id = $1 and import_id = $2', [workspaceId, importId])
}

/** Another attempt follows after the wait. */
export async function deferRateImport(tx: Transaction, work: RateImportWork, waitMs: number): Promise<void> {
  await tx.query(
    `update fx_import_work set attempts = attempts + 1, due = app_now() + $3::float8 * interval '1 millisecond'
     where workspace_id = $1 and import_id = $2`,
    [work.workspaceId, work.importId, waitMs],
  )
}
