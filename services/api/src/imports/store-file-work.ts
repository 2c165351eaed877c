// Files without a run that wait to be read: which one is next, whose turn it is, how far it was read. It never decides about a file itself.
import { workspaceOf } from '@wds/aggregate/aggregate'
import type { AppendContext } from '@wds/event-store/event-store'
import type { Transaction } from '@wds/postgres/transaction'
import { takeInTurn } from '../work-queue/store-turns.ts'
import type { ImportCounts } from './domain/import.ts'

/** What is behind the lines that were dealt with. */
export interface FileProgress {
  /** Bytes and line ends before the next line. */
  byte: number
  line: number
  counts: ImportCounts
}

export interface FileWork {
  workspaceId: string
  importId: string
  /** Attempts since the last progress that have failed by a fault of the service. */
  attempts: number
  progress: FileProgress | null
  /** Of the request that asked for it. */
  correlation: string
  traceparent: string
}

export async function putFileWork(tx: Transaction, context: AppendContext, importId: string): Promise<void> {
  await tx.query(
    'insert into import_work (workspace_id, import_id, correlation, traceparent) values ($1, $2, $3, $4)',
    [context.workspaceId, importId, context.correlation, context.trace.traceparent],
  )
}

/**
 * The oldest file that is due of the workspace that comes after `after`, around all that have one. One process at a time reads those of a
 * workspace, since what a file says depends on those before it; the others pass it over. The index import_work_due and the primary key
 * serve it.
 */
export function takeFileWork(tx: Transaction, after: string): Promise<FileWork | null> {
  return takeInTurn(tx, { table: 'import_work', lock: 'file imports', oldestOf }, after)
}

/** In the order of their arrival, so that of two files with one key the later says its rate: one that was deferred holds up the others. */
async function oldestOf(tx: Transaction, workspaceId: string): Promise<FileWork | null> {
  const { rows } = await tx.query<
    Record<'import_id' | 'correlation' | 'traceparent', string> & Pick<FileWork, 'attempts' | 'progress'>
  >(
    `select import_id, attempts, progress, correlation, traceparent from import_work
     where workspace_id = $1 and due <= app_now()
       and not exists (select from import_work o where o.workspace_id = $1 and o.import_id < import_work.import_id)`,
    [workspaceId],
  )
  const [row] = rows
  if (row === undefined) return null
  const { import_id: importId, ...work } = row
  return { workspaceId, importId, ...work }
}

/** Null where it has none yet, or is not there. */
export async function readProgress(tx: Transaction, importId: string): Promise<FileProgress | null> {
  const { rows } = await tx.query<{ progress: FileProgress | null }>(
    'select progress from import_work where workspace_id = $1 and import_id = $2',
    [workspaceOf(tx), importId],
  )
  return rows[0]?.progress ?? null
}

/** The next turn goes on there. */
export async function keepProgress(
  tx: Transaction,
  { workspaceId, importId }: FileWork,
  progress: FileProgress,
): Promise<void> {
  await tx.query('update import_work set progress = $3, attempts = 0 where workspace_id = $1 and import_id = $2', [
    workspaceId,
    importId,
    JSON.stringify(progress),
  ])
}

export async function endFileWork(tx: Transaction, workspaceId: string, importId: string): Promise<void> {
  await tx.query('delete from import_work where workspace_id = $1 and import_id = $2', [workspaceId, importId])
}

/** Another attempt follows after the wait. */
export async function deferFileWork(
  tx: Transaction,
  work: FileWork,
  { waitMs, isCounted }: { waitMs: number; isCounted: boolean },
): Promise<void> {
  await tx.query(
    `update import_work set attempts = attempts + $4::integer, due = app_now() + $3::float8 * interval '1 millisecond'
     where workspace_id = $1 and import_id = $2`,
    [work.workspaceId, work.importId, waitMs, isCounted ? 1 : 0],
  )
}
