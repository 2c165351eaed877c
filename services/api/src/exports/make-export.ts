// Makes the file of an export. Its result is held first, in one statement of one instant; then it is written out in pieces of 1,000 rows,
// each in one transaction with the removal of its rows, so that another maker goes on behind the last one with the same bytes, and no
// process ever holds more than a piece.
import type { Loaded } from '@wds/aggregate/aggregate'
import { toProblem } from '@wds/http-service/failure'
import { Problem } from '@wds/http-service/problem'
import type { Pool } from '@wds/postgres/pool'
import { type Transaction, type TransactionOptions, withTransaction } from '@wds/postgres/transaction'
import type { Logger } from '@wds/telemetry/logger'
import type { ReferenceRates } from '../fx/reference-rates.ts'
import { apiMetrics } from '../metrics.ts'
import { deferWork, endWork, type LeasedWork, releaseWork } from '../work-queue/store.ts'
import { withLease } from '../work-queue/with-lease.ts'
import type { ExportCommand, ExportState } from './domain/export.ts'
import {
  type ExportErrorCode,
  exportBytesMax,
  exportRowsMax,
  finalErrorOf,
  storedBytesMax,
} from './domain/export-errors.ts'
import { pieceOf } from './render.ts'
import { carryOutExport, loadExport } from './resource.ts'
import { exportSources } from './sources.ts'
import { readUsage } from './store.ts'
import { storePiece } from './store-pieces.ts'
import { sweepOne } from './sweep.ts'

export interface MakerOptions {
  /** Of the worker role. */
  pool: Pool
  logger: Logger
  referenceRates: ReferenceRates
  leaseMs: number
  signal: AbortSignal
  /** Most rows and bytes of an export; for tests. */
  limits?: { rows: number; bytes: number }
}

/** Rows of a piece. */
export const pieceRows = 1_000
/** A million rows of a year take a while to sum. */
const holdTimeoutMs = 120_000
/** Attempts without progress; the wait before the second and further ones. */
const attemptsMax = 5
const retryMs = 15_000

const usualLimits = { rows: exportRowsMax, bytes: exportBytesMax }

/** It was canceled, deleted, or another maker has taken it over: nothing more may be written. */
class NotOurs extends Error {}

/** Makes an export whose lease is held, as far as it gets. Never rejects. */
export function makeExport(o: MakerOptions, work: LeasedWork): Promise<void> {
  return withLease(o, work, async (lost) => {
    let isHeld = false
    try {
      if (!(await begin(o, work))) return
      await hold(o, work)
      isHeld = true
      const room = await readRoom(o, work)
      let more = true
      while (more && !o.signal.aborted && !lost.aborted) more = await addPiece(o, work, room)
      if (more && !lost.aborted) await releaseWork(o.pool, work)
    } catch (error) {
      if (error instanceof NotOurs || lost.aborted) return
      await failAttempt(o, work, { error, isHeld })
    }
  })
}

const inWorkspace = <T>(
  o: MakerOptions,
  { workspaceId }: Pick<LeasedWork, 'workspaceId'>,
  fn: (tx: Transaction) => Promise<T>,
  more: Partial<TransactionOptions> = {},
) => withTransaction(o.pool, { workspaceId, ...more }, fn)

/** Takes it over from whoever had it. False: there is nothing to be made any more. */
function begin(o: MakerOptions, work: LeasedWork): Promise<boolean> {
  return inWorkspace(o, work, async (tx) => {
    const loaded = await loadExport(tx, work.workId, { lock: true })
    if (loaded === null || !['queued', 'running'].includes(loaded.state.status)) {
      await endWork(tx, work.workspaceId, work.workId)
      return false
    }
    const begun = await carryOutExport(tx, loaded, { type: 'begin', maker: work.leaseToken, atMs: loaded.nowMs })
    if (begun.state.attempts <= attemptsMax) return true
    await end(tx, begun, { type: 'fail', code: 'internal_error', atMs: loaded.nowMs })
    return false
  })
}

/** Throws NotOurs where the export is not this maker's any more. */
async function loadOurs(
  tx: Transaction,
  work: LeasedWork,
  o: { lock: boolean },
): Promise<Loaded<ExportState> & { order: NonNullable<ExportState['order']> }> {
  const loaded = await loadExport(tx, work.workId, o)
  const state = loaded?.state
  if (!loaded || state?.status !== 'running' || state.maker !== work.leaseToken || state.order === null)
    throw new NotOurs()
  return { ...loaded, order: state.order }
}

/**
 * Holds the result, unless it is held. Its lock is taken last: a cancel never waits for the sums; one that came meanwhile makes the whole
 * transaction run again, which finds it canceled.
 */
async function hold(o: MakerOptions, work: LeasedWork): Promise<void> {
  const { workspaceId, workId: exportId } = work
  const isolation = { isolation: 'repeatable read', statementTimeoutMs: holdTimeoutMs } as const
  const rowsMax = (o.limits ?? usualLimits).rows
  const whole = async (tx: Transaction): Promise<void> => {
    const { state, order, nowMs } = await loadOurs(tx, work, { lock: false })
    if (state.result !== null) return
    const { export_type, query } = order
    const asked = { workspaceId, nowMs, referenceRates: o.referenceRates, query }
    const result = await exportSources[export_type].hold(tx, { ...asked, exportId, rowsMax })
    if (result.rows > rowsMax) throw new Problem('result_too_large')
    await carryOutExport(tx, await loadOurs(tx, work, { lock: true }), { type: 'hold_result', result })
  }
  await inWorkspace(o, work, whole, isolation)
}

/** Bytes that the file may have beside the workspace's others. None of those grows meanwhile: one of a workspace is made at a time. */
function readRoom(o: MakerOptions, { workspaceId, workId }: LeasedWork): Promise<number> {
  return inWorkspace(o, { workspaceId }, async (tx) => {
    const { bytes } = await readUsage(tx, workspaceId, { but: workId })
    return storedBytesMax - bytes
  })
}

/** Writes the next piece, and ends the export behind the last one. True while there is more. Its lock is taken last, as in `hold`. */
function addPiece(o: MakerOptions, work: LeasedWork, room: number): Promise<boolean> {
  const { workspaceId, workId: exportId } = work
  return inWorkspace(o, work, async (tx) => {
    const seen = await loadOurs(tx, work, { lock: false })
    const { result, rows, pieces, bytes: bytesBefore } = seen.state
    if (result === null) throw new NotOurs()
    const upTo = Math.min(rows + pieceRows, result.rows)
    const { columnsOf, take } = exportSources[seen.order.export_type]
    const taken = await take(tx, { workspaceId, exportId, after: rows, upTo, result })
    const bytes = await pieceOf(taken, { ...seen.order, columns: pieces === 0 ? columnsOf(result) : null })
    const after = bytesBefore + bytes.length
    if (after > (o.limits ?? usualLimits).bytes) throw new Problem('result_too_large')
    if (after > room) throw new Problem('limit_reached')
    await storePiece(tx, { workspaceId, exportId, seq: pieces, bytes })
    const loaded = await loadOurs(tx, work, { lock: true })
    if (taken.length !== upTo - rows) throw new Error('rows of an export are gone')
    const added = await carryOutExport(tx, loaded, { type: 'add_piece', rows: taken.length, bytes: bytes.length })
    if (upTo < result.rows) return true
    await end(tx, added, { type: 'complete', atMs: loaded.nowMs })
    return false
  })
}

/** Another attempt may help, or it fails. */
async function failAttempt(
  o: MakerOptions,
  work: LeasedWork,
  { error, isHeld }: { error: unknown; isHeld: boolean },
): Promise<void> {
  const ids = { workspace_id: work.workspaceId, export_id: work.workId }
  try {
    const code = finalErrorOf(toProblem(error).code)
    // What takes too long once the result is held is a database that is busy.
    if (code !== null && !(isHeld && code === 'query_timeout')) return await fail(o, work, code)
    o.logger.error({ err: error, ...ids }, 'export could not be made, retrying')
    await inWorkspace(o, work, async (tx) => {
      const { nowMs } = await loadOurs(tx, work, { lock: true })
      await deferWork(tx, work, nowMs + retryMs)
    })
  } catch (fault) {
    // The lease runs out, and another maker goes on.
    if (!(fault instanceof NotOurs)) o.logger.error({ err: fault, ...ids }, 'attempt of an export not ended')
  }
}

/** Fails it, and throws away what was made. */
async function fail(o: MakerOptions, work: LeasedWork, code: ExportErrorCode): Promise<void> {
  await inWorkspace(o, work, async (tx) => {
    const loaded = await loadOurs(tx, work, { lock: true })
    await end(tx, loaded, { type: 'fail', code, atMs: loaded.nowMs })
  })
  await sweepOne(o.pool, { workspaceId: work.workspaceId, exportId: work.workId })
}

async function end(
  tx: Transaction,
  loaded: Loaded<ExportState>,
  command: Extract<ExportCommand, { type: 'complete' | 'fail' }>,
): Promise<void> {
  await carryOutExport(tx, loaded, command)
  const outcome =
    command.type === 'complete' ? { outcome: 'completed' } : { outcome: 'failed', error_code: command.code }
  tx.afterCommit(() => apiMetrics.exportsFinished.add(1, outcome))
}
