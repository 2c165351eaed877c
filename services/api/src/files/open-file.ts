// A file that is read now: its import is begun, carried to its end, or failed, in the transaction that deals with its lines.
import { executeOrFail, type Loaded, load } from '@wds/aggregate/aggregate'
import type { SyncErrorCode } from '@wds/contracts/error-classes'
import type { AppendContext } from '@wds/event-store/event-store'
import type { Transaction } from '@wds/postgres/transaction'
import type { ImportCounts, ImportOrder, ImportState } from '../imports/domain/import.ts'
import { imports } from '../imports/resource.ts'
import { deleteChunks, readChunk } from '../imports/store-chunks.ts'
import { endFileWork, type FileWork } from '../imports/store-file-work.ts'
import { addRejects, dropRejectsBeyond, type Reject } from '../imports/store-rejects.ts'
import { rejectsKeptOfFailed } from '../sources/domain/ingest-limits.ts'

export interface OpenFile {
  work: FileWork
  loaded: Loaded<ImportState>
  order: ImportOrder
  nowMs: number
}

export const noCounts: ImportCounts = { lines: 0, accepted: 0, rejected: 0, unchanged: 0 }

/** Begins it unless it is begun; null where it was canceled. Its integration is locked first, then its row, as by who cancels it. */
export async function openFile(tx: Transaction, work: FileWork): Promise<OpenFile | null> {
  const seen = await load(tx, imports, work.importId, { lock: false })
  if (seen !== null) await imports.lockFirst?.(tx, seen)
  const loaded = seen && (await load(tx, imports, work.importId, { lock: true }))
  const order = loaded?.state.order ?? null
  const status = loaded?.state.status
  if (loaded === null || order === null || (status !== 'queued' && status !== 'running')) {
    await endFileWork(tx, work.workspaceId, work.importId)
    return null
  }
  const { nowMs } = loaded
  if (status === 'running') return { work, loaded, order, nowMs }
  const command = { type: 'start', sync_run_id: null, atMs: nowMs } as const
  const started = await executeOrFail(tx, imports, { context: contextOf(work), loaded, command })
  return { work, loaded: started, order, nowMs }
}

export async function* chunksOf(tx: Transaction, { workspaceId, importId }: FileWork): AsyncGenerator<Buffer> {
  for (let seq = 0; ; seq++) {
    const bytes = await readChunk(tx, { workspaceId, importId, seq })
    if (bytes === null) return
    yield bytes
  }
}

/** `rate_set`: of rates alone. */
export async function completeFile(
  tx: Transaction,
  { work, loaded, nowMs: atMs }: OpenFile,
  ended: { counts: ImportCounts; rate_set?: string },
): Promise<void> {
  const command = { type: 'complete', ...ended, atMs } as const
  await executeOrFail(tx, imports, { context: contextOf(work), loaded, command })
  await removeFile(tx, work)
}

/** `rejects`: those that are not stored yet. Lines that were dealt with before stay as they are. */
export async function failFile(
  tx: Transaction,
  { work, loaded, nowMs: atMs }: OpenFile,
  fault: { code: SyncErrorCode; line: number | null; counts: ImportCounts; rejects: Reject[] },
): Promise<void> {
  const { workspaceId, importId } = work
  const { rejects, ...why } = fault
  const command = { type: 'fail', ...why, atMs } as const
  await executeOrFail(tx, imports, { context: contextOf(work), loaded, command })
  await addRejects(tx, workspaceId, importId, rejects.slice(0, rejectsKeptOfFailed))
  await dropRejectsBeyond(tx, { workspaceId, importId, kept: rejectsKeptOfFailed })
  await removeFile(tx, work)
}

async function removeFile(tx: Transaction, { workspaceId, importId }: FileWork): Promise<void> {
  await endFileWork(tx, workspaceId, importId)
  await deleteChunks(tx, workspaceId, importId)
}

export function contextOf(work: FileWork): AppendContext {
  const actor = { type: 'system', id: 'imports' } as const
  const { workspaceId, correlation, importId: causation, traceparent } = work
  return { workspaceId, actor, correlation, causation, trace: { traceparent } }
}
