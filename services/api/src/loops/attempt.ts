// Opens and ends attempts of sync runs with all that belongs to them: run, integration, import, queue, in one transaction each.
// Every transaction here takes the integration's row first, then the lease. What an ended run staged is swept after it.
import type { SyncErrorCode } from '@wds/contracts/error-classes'
import { type AppendContext, dbNow } from '@wds/event-store/event-store'
import { retryOnConflict } from '@wds/event-store/retry-on-conflict'
import type { Pool } from '@wds/postgres/pool'
import { type Transaction, withTransaction } from '@wds/postgres/transaction'
import type { Logger } from '@wds/telemetry/logger'
import type { ImportState } from '../domain/import.ts'
import { judgeIngest, rejectsKeptOfFailed } from '../domain/ingest-limits.ts'
import type { IntegrationCommand, IntegrationState } from '../domain/integration.ts'
import type { RunOrder, SyncRunState } from '../domain/sync-run.ts'
import { apiMetrics } from '../metrics.ts'
import { type AggregateKind, carryOut, type Loaded, loadAggregate } from '../store/aggregate.ts'
import { deferWork, endWork, hasWork, keepLease, setRun, type Work } from '../store/due-work.ts'
import { deleteChunks } from '../store/import-chunks.ts'
import { dropRejectsBeyond } from '../store/import-rejects.ts'
import { importKind, integrationKind, syncRunKind } from '../store/kinds.ts'
import { lockRowOfIntegration, openRunOf } from '../store/open-work.ts'
import { queueRun } from '../store/queue-run.ts'
import { reschedule } from '../store/schedules.ts'
import { type Checkpoint, clearStaging, readCheckpoint } from '../store/staging.ts'
import {
  type Applied,
  applyStaged,
  deleteUnstaged,
  hasRows,
  lockRowsOfIntegration,
  speakOfDays,
} from '../store/stats-rows.ts'

export interface WorkerOptions {
  /** Of the worker role. */
  pool: Pool
  logger: Logger
  leaseMs: number
  retryDelaysMs: readonly number[]
  attemptsMax: number
  /** Pieces of work of one workspace at a time, over all processes. */
  perWorkspace: number
}

/** What an attempt works on. */
export interface Attempt {
  work: Work
  context: AppendContext
  integration: Loaded<IntegrationState>
  run: Loaded<SyncRunState>
  order: RunOrder
  found: Loaded<ImportState> | null
}

/** The lease is somebody else's, or the run was canceled: nothing more may be written. */
export class LeaseLost extends Error {}

/** A transaction over everything of the run may be long: 500,000 rows. */
const statementTimeoutMs = 120_000

/** Starts the next attempt, or goes on with one that was released; null when there is nothing to do now (canceled, or the last worker was lost). */
export function openAttempt(o: WorkerOptions, work: Work): Promise<Attempt | null> {
  return inWork(o, work, async (tx) => {
    const loaded = await loadParts(tx, work)
    const nowMs = await dbNow(tx)
    const { context } = loaded
    if (loaded.run === null) return openImportRun(tx, o, { work, ...loaded, nowMs })
    const { run } = loaded
    if (run.state.status === 'running' && work.wasFree) return { work, ...loaded, run, order: orderOf(run) }
    if (run.state.status === 'running') {
      await failParts(tx, o, { work, ...loaded, run, order: orderOf(run) }, { code: 'worker_lost', line: null, nowMs })
      return null
    }
    const started = await must(tx, syncRunKind, {
      context,
      loaded: run,
      command: { type: 'start', atMs: nowMs },
      nowMs,
    })
    return { work, ...loaded, run: started, order: orderOf(started) }
  })
}

interface Parts {
  context: AppendContext
  integration: Loaded<IntegrationState>
  run: Loaded<SyncRunState> | null
  found: Loaded<ImportState> | null
}

async function loadParts(tx: Transaction, work: Work): Promise<Parts> {
  const { workspaceId } = work
  const load = <S>(kind: { table: string }, id: string) => loadAggregate<S>(tx, kind, { workspaceId, id, lock: true })
  const integration = await load<IntegrationState>(integrationKind, work.integrationId)
  if (!integration) throw new Error('work without an integration')
  const found = work.kind === 'import' ? await load<ImportState>(importKind, work.workId) : null
  const run = work.runId === null ? null : await load<SyncRunState>(syncRunKind, work.runId)
  return { context: contextOf(work), integration, run, found }
}

function orderOf(run: Loaded<SyncRunState>): RunOrder {
  if (run.state.order === null) throw new Error('a run without an order')
  return run.state.order
}

function contextOf(work: Work): AppendContext {
  const actor = { type: 'system', id: 'sync' } as const
  return {
    workspaceId: work.workspaceId,
    actor,
    correlation: work.correlation,
    causation: work.workId,
    // Of the request that asked for the work: its span is the parent of what is announced.
    trace: { traceparent: work.traceparent },
  }
}

async function openImportRun(
  tx: Transaction,
  o: WorkerOptions,
  parts: Parts & { work: Work; nowMs: number },
): Promise<Attempt | null> {
  const { work, context, integration, found, nowMs } = parts
  if (!found) return null
  if (await openRunOf(tx, work.workspaceId, integration.id)) {
    await deferWork(tx, work, nowMs + 1000)
    return null
  }
  const wish = { context, integration, window: null, allowEmpty: true, attemptsMax: o.attemptsMax, nowMs }
  const queued = await queueRun(tx, { ...wish, trigger: 'upload', importId: found.id })
  await setRun(tx, work, queued.id)
  const run = await must(tx, syncRunKind, { context, loaded: queued, command: { type: 'start', atMs: nowMs }, nowMs })
  const command = { type: 'start', sync_run_id: run.id, atMs: nowMs } as const
  const started = await must(tx, importKind, { context, loaded: found, command, nowMs })
  return { ...parts, run, order: orderOf(run), found: started }
}

/**
 * Makes the staged rows visible and ends the run, or fails it where its rows are not to be believed. The rows are written first,
 * which takes seconds, under locks that nobody else wants: uploads and changes of the integration go on meanwhile, a cancel too.
 * Then the integration is locked, and all of it is undone where the run is no longer this attempt's.
 */
export function endAttempt(o: WorkerOptions, attempt: Attempt): Promise<void> {
  const { work, run } = attempt
  return retryOnConflict(() =>
    withTransaction(o.pool, { workspaceId: work.workspaceId, statementTimeoutMs }, async (tx) => {
      await lockRowsOfIntegration(tx, work.workspaceId, work.integrationId)
      const at = await readCheckpoint(tx, work.workspaceId, run.id)
      const code = await judge(tx, attempt, at)
      const written = code === null ? await writeRows(tx, attempt, at) : null
      await holdWork(tx, o, work)
      const parts = await loadRunning(tx, attempt)
      const nowMs = await dbNow(tx)
      if (written !== null) await succeed(tx, parts, { at, written, nowMs })
      else await failParts(tx, o, parts, { code: code ?? 'internal_error', line: null, nowMs })
    }),
  )
}

type RunParts = Parts & { work: Work; run: Loaded<SyncRunState>; order: RunOrder }

/** The parts of an attempt under way; throws LeaseLost where the run was ended by somebody else. */
async function loadRunning(tx: Transaction, attempt: Attempt): Promise<RunParts> {
  const { work } = attempt
  const parts = await loadParts(tx, { ...work, runId: attempt.run.id })
  const { run } = parts
  if (run === null || run.state.status !== 'running') throw new LeaseLost()
  return { ...parts, work, run, order: orderOf(run) }
}

/** Days that the source was asked for, or that the file says it is complete for (domain.md 4.5, step 6). */
function coveredDays({ found, order }: Pick<Attempt, 'found' | 'order'>) {
  return found ? (found.state.order?.covers ?? null) : order.window
}

async function judge(tx: Transaction, attempt: Attempt, at: Checkpoint): Promise<SyncErrorCode | null> {
  const { workspaceId, integrationId } = attempt.work
  const window = coveredDays(attempt)
  const look = at.accepted === 0 && window !== null
  const storedInWindow = look && (await hasRows(tx, { workspaceId, integrationId, window }))
  const allowEmpty = attempt.found === null && attempt.order.allow_empty
  return judgeIngest({ ...at, storedInWindow, allowEmpty })
}

type Written = Omit<Applied, 'deleted'> & { deleted: number; deletesSkipped: boolean }

async function writeRows(tx: Transaction, attempt: Attempt, at: Checkpoint): Promise<Written> {
  const { work, order, run } = attempt
  const { workspaceId, integrationId } = work
  const place = { workspaceId, runId: run.id, integrationId, runSeq: order.run_seq }
  const applied = await applyStaged(tx, { ...place, brandSlug: order.brand_slug })
  const covers = coveredDays(attempt)
  const clears = covers !== null && order.basis.window_mode === 'replace'
  const deleted = clears && at.rejected === 0 ? await deleteUnstaged(tx, { ...place, covers }) : 0
  if (covers !== null && at.rejected === 0) await speakOfDays(tx, { ...place, days: covers })
  return { ...applied, deleted, deletesSkipped: clears && at.rejected > 0 }
}

async function succeed(
  tx: Transaction,
  parts: RunParts,
  { at, written, nowMs }: { at: Checkpoint; written: Written; nowMs: number },
): Promise<void> {
  const { context, order, run, found } = parts
  const result = {
    window: order.window ?? spanOf(coveredDays(parts), written),
    rows_inserted: written.inserted,
    rows_updated: written.updated,
    rows_unchanged: written.unchanged,
    rows_deleted: written.deleted,
    rows_rejected: at.rejected,
    rows_skipped: at.skipped + written.stale,
    warnings: at.warnings,
    deletes_skipped: written.deletesSkipped,
  }
  await must(tx, syncRunKind, { context, loaded: run, command: { type: 'succeed', atMs: nowMs, result }, nowMs })
  tx.afterCommit(() => apiMetrics.syncAttempts.add(1, { outcome: 'succeeded' }))
  await tellIntegration(tx, parts, { type: 'run_succeeded', sync_run_id: run.id, atMs: nowMs })
  if (found) {
    const counts = { lines: at.lines, accepted: at.accepted, rejected: at.rejected, unchanged: written.unchanged }
    await must(tx, importKind, { context, loaded: found, command: { type: 'complete', counts, atMs: nowMs }, nowMs })
  }
  await endWork(tx, parts.work.workspaceId, run.id)
}

/** The days of an upload: those it covers and those it has rows of. */
function spanOf(covers: { from: string; to: string } | null, applied: { from: string | null; to: string | null }) {
  const from = [covers?.from, applied.from].filter((day) => day != null).sort()[0]
  const to = [covers?.to, applied.to]
    .filter((day) => day != null)
    .sort()
    .at(-1)
  return from !== undefined && to !== undefined ? { from, to } : null
}

/** Tells the integration how a run ended. One that broke, works again or was late gets other due times. */
async function tellIntegration(
  tx: Transaction,
  parts: RunParts,
  command: Extract<IntegrationCommand, { type: 'run_succeeded' | 'run_failed' }>,
): Promise<void> {
  const { context, integration, work } = parts
  const nowMs = command.atMs
  const told = await must(tx, integrationKind, { context, loaded: integration, command, nowMs })
  const { status, delayed, fields } = integration.state
  if (!fields?.schedule || (told.state.status === status && told.state.delayed === delayed)) return
  await reschedule(tx, { workspaceId: work.workspaceId, integration: told, nowMs })
}

/** Ends the attempt with a code: another follows, or the run fails. */
export function failAttempt(
  o: WorkerOptions,
  attempt: Attempt,
  fault: { code: SyncErrorCode; line: number | null },
): Promise<void> {
  return inWork(o, attempt.work, async (tx) => {
    const parts = await loadRunning(tx, attempt)
    const nowMs = await dbNow(tx)
    await failParts(tx, o, parts, { ...fault, nowMs })
  })
}

async function failParts(
  tx: Transaction,
  o: WorkerOptions,
  parts: RunParts,
  fault: { code: SyncErrorCode; line: number | null; nowMs: number },
): Promise<void> {
  const { work, context, run, found } = parts
  const { code, line, nowMs } = fault
  const at = await readCheckpoint(tx, work.workspaceId, run.id)
  const schedule = { delaysMs: o.retryDelaysMs, jitter: Math.random() }
  const command = { type: 'fail', atMs: nowMs, code, rowsRejected: at.rejected, ...schedule } as const
  const failed = await must(tx, syncRunKind, { context, loaded: run, command, nowMs })
  tx.afterCommit(() => apiMetrics.syncAttempts.add(1, { outcome: 'failed', error_code: code }))
  if (failed.state.status === 'retry_wait') {
    await deferWork(tx, work, failed.state.next_attempt_ms ?? nowMs)
    return
  }
  const upload = found !== null
  await tellIntegration(tx, parts, { type: 'run_failed', sync_run_id: run.id, atMs: nowMs, code, upload })
  if (found) {
    const counts = { lines: at.lines, accepted: at.accepted, rejected: at.rejected, unchanged: 0 }
    await must(tx, importKind, {
      context,
      loaded: found,
      command: { type: 'fail', code, line, counts, atMs: nowMs },
      nowMs,
    })
    await dropRejectsBeyond(tx, { workspaceId: work.workspaceId, importId: found.id, kept: rejectsKeptOfFailed })
  }
  await endWork(tx, work.workspaceId, run.id)
}

/** Removes what a run that has ended left behind: staged rows, checkpoint, body. After its transaction, since it may take seconds. */
export function sweepEnded(o: WorkerOptions, work: Work, runId: string): Promise<void> {
  const { workspaceId } = work
  return withTransaction(o.pool, { workspaceId, statementTimeoutMs }, async (tx) => {
    if (await hasWork(tx, workspaceId, runId)) return
    await clearStaging(tx, workspaceId, runId)
    if (work.kind === 'import') await deleteChunks(tx, workspaceId, work.workId)
  })
}

/** A transaction of the work: the integration's row, then the lease; throws LeaseLost when the lease is gone. */
function inWork<T>(o: WorkerOptions, work: Work, fn: (tx: Transaction) => Promise<T>): Promise<T> {
  return retryOnConflict(() =>
    withTransaction(o.pool, { workspaceId: work.workspaceId, statementTimeoutMs }, async (tx) => {
      await holdWork(tx, o, work)
      return fn(tx)
    }),
  )
}

async function holdWork(tx: Transaction, o: WorkerOptions, work: Work): Promise<void> {
  await lockRowOfIntegration(tx, work.workspaceId, work.integrationId)
  if (!(await keepLease(tx, work, o.leaseMs))) throw new LeaseLost()
}

async function must<S, C, E extends { type: string; data: object }, R>(
  tx: Transaction,
  kind: AggregateKind<S, C, E, R>,
  o: { context: AppendContext; loaded: Loaded<S>; command: C; nowMs: number },
): Promise<Loaded<S>> {
  const outcome = await carryOut(tx, kind, o)
  if (!outcome.ok) throw new Error(`${kind.streamType} refused ${JSON.stringify(outcome.error)}`)
  return outcome.value
}
