// Ends an attempt with all that belongs to it: run, integration, import, queue, in one transaction. What an ended run staged is swept after it.
import { executeOrFail } from '@wds/aggregate/aggregate'
import type { SyncErrorCode } from '@wds/contracts/error-classes'
import { retryOnConflict } from '@wds/event-store/retry-on-conflict'
import { type Transaction, withTransaction } from '@wds/postgres/transaction'
import { createMissingCampaigns } from '../campaigns/create-missing.ts'
import type { Fold } from '../conversions/fold.ts'
import { readFolded } from '../conversions/store-folds.ts'
import { imports } from '../imports/resource.ts'
import { deleteChunks } from '../imports/store-chunks.ts'
import { dropRejectsBeyond } from '../imports/store-rejects.ts'
import type { IntegrationCommand } from '../integrations/domain/integration.ts'
import { endFold } from '../integrations/fold-window.ts'
import { integrations } from '../integrations/resource.ts'
import { apiMetrics } from '../metrics.ts'
import { asksForDays } from '../sources/domain/feed-url.ts'
import { judgeIngest, rejectsKeptOfFailed } from '../sources/domain/ingest-limits.ts'
import { recutStaged } from '../stats/store-recut.ts'
import {
  type Applied,
  applyStaged,
  deleteUnstaged,
  hasRows,
  lockRowsOfIntegration,
  markDaysReported,
} from '../stats/store-rows.ts'
import { type Checkpoint, clearStaging, readCheckpoint } from '../stats/store-staging.ts'
import { lockZone } from '../stats-calendar/store-calendar.ts'
import { markDays } from '../stats-calendar/store-day-work.ts'
import { syncRuns } from '../sync-runs/resource.ts'
import { deferWork, hasWork, type Work } from '../work-queue/store.ts'
import {
  type Attempt,
  holdWork,
  inWork,
  loadRunning,
  type Parts,
  type RunParts,
  statementTimeoutMs,
  type WorkerOptions,
} from './attempt.ts'

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
      await lockZone(tx, work.workspaceId, { alone: false })
      const at = await readCheckpoint(tx, work.workspaceId, run.id)
      const code = await judge(tx, attempt, at)
      const written = code === null ? await writeRows(tx, attempt, at) : null
      if (written !== null) await markWrittenDays(tx, attempt, written)
      await holdWork(tx, o, work)
      const parts = await loadRunning(tx, attempt)
      if (written !== null) await succeed(tx, { ...parts, fold: attempt.fold }, { at, written })
      else await failParts(tx, o, parts, { code: code ?? 'internal_error' })
    }),
  )
}

/** Days that the source was asked for, or that the file says it is complete for (domain.md 4.5.6); null for none, or where only the answer says which. */
function coveredDays({ found, order, fold }: Pick<Attempt, 'found' | 'order' | 'fold'>) {
  if (found) return found.state.order?.covers ?? null
  if (fold) return fold.coveredDays
  const { url } = order.basis.settings
  return url === undefined || asksForDays(url) ? order.window : null
}

async function judge(tx: Transaction, attempt: Attempt, at: Checkpoint): Promise<SyncErrorCode | null> {
  const { workspaceId, integrationId } = attempt.work
  const { fold } = attempt
  if (fold !== null) await holdConversions(tx, integrationId, fold)
  const window = fold !== null ? clearedBy(fold) : attempt.found ? coveredDays(attempt) : attempt.order.window
  const { lines, accepted, rejected } = fold === null ? at : judgedOfFold(at)
  const look = accepted === 0 && window !== null
  const storedInWindow = look && (await hasRows(tx, { workspaceId, integrationId, window }))
  const allowEmpty = attempt.found === null && attempt.order.allow_empty
  // What the settings leave out, or is of other days, was not judged.
  return judgeIngest({ lines: lines - at.skipped, accepted, rejected, storedInWindow, allowEmpty })
}

/** What a fold rejects, it rejects since the settings say so: that is no reason not to believe the rest. */
const judgedOfFold = (at: Checkpoint) => ({ ...at, accepted: at.accepted + at.rejected, rejected: 0 })

/** Throws where conversions were removed while they were folded: the next attempt leaves their days out. */
async function holdConversions(tx: Transaction, integrationId: string, fold: Fold): Promise<void> {
  const { keptFromMs } = await readFolded(tx, integrationId)
  if (keptFromMs !== null && keptFromMs > fold.fromMs)
    throw new Error('conversions were removed while they were folded')
}

/** The hours that a fold says everything about, also where it rejects some: what is stored of them and not staged is no longer so. */
const clearedBy = ({ days, fromMs, toMs }: Fold) => ({ ...days, hours: { fromMs, toMs } })

type Written = Applied & { deletesSkipped: boolean }

async function writeRows(tx: Transaction, attempt: Attempt, at: Checkpoint): Promise<Written> {
  const { work, order, run } = attempt
  const { workspaceId, integrationId } = work
  const place = { workspaceId, runId: run.id, integrationId, runSeq: order.run_seq }
  await recutStaged(tx, { ...place, stagedBy: at.timeZone, sourceTimeZone: order.basis.source_time_zone })
  const applied = await applyStaged(tx, { ...place, brandSlug: order.brand_slug })
  const { fold } = attempt
  const covers = coveredDays(attempt)
  // A feed that is not asked for days covers those that occur in its answer.
  const reported = covers ?? (attempt.found === null && fold === null ? 'staged days' : null)
  const cleared = fold !== null ? clearedBy(fold) : order.basis.window_mode === 'replace' ? reported : null
  // A fold has read all of its hours, unless it says otherwise.
  const isComplete = fold !== null ? !fold.isCut : at.rejected === 0
  const gone =
    cleared !== null && isComplete
      ? await deleteUnstaged(tx, { ...place, covers: cleared })
      : { deleted: 0, changedDays: [] }
  // What several runs fold one after the other was looked at when the first of them began.
  const startedMs = order.fold?.pass_ms ?? run.state.started_ms ?? 0
  if (reported !== null) await markDaysReported(tx, { ...place, days: reported, startedMs, isComplete })
  const changedDays = [...applied.changedDays, ...gone.changedDays]
  return { ...applied, deleted: gone.deleted, changedDays, deletesSkipped: cleared !== null && !isComplete }
}

/** The days whose rows differ now, and those that the run has reported on, are looked at. Behind the rows: what it locks others wait for. */
function markWrittenDays(tx: Transaction, attempt: Attempt, { changedDays: changed }: Written): Promise<void> {
  const { work, run, found, order, fold } = attempt
  // Where only the answer says which days were reported, those of the whole window are looked at.
  const reported = coveredDays(attempt) ?? (found === null && fold === null ? order.window : null)
  return markDays(tx, { workspaceId: work.workspaceId, runId: run.id, changed, reported })
}

async function succeed(
  tx: Transaction,
  parts: RunParts & Pick<Attempt, 'fold'>,
  { at, written }: { at: Checkpoint; written: Written },
): Promise<void> {
  const { context, integration, order, run, found, fold, nowMs } = parts
  const campaignsNotMade = await makeCampaigns(tx, parts)
  const result = {
    window: fold?.days ?? order.window ?? spanOf(coveredDays(parts), written),
    rows_inserted: written.inserted,
    rows_updated: written.updated,
    rows_unchanged: written.unchanged,
    rows_deleted: written.deleted,
    rows_rejected: at.rejected,
    rows_skipped: at.skipped + written.stale,
    warnings: campaignsNotMade > 0 ? { ...at.warnings, campaign_not_created: campaignsNotMade } : at.warnings,
    deletes_skipped: written.deletesSkipped,
  }
  const command = { type: 'succeed', atMs: nowMs, result } as const
  await executeOrFail(tx, syncRuns, { context, loaded: run, command })
  tx.afterCommit(() => apiMetrics.syncAttempts.add(1, { outcome: 'succeeded' }))
  await recordRunOnIntegration(tx, parts, { type: 'run_succeeded', sync_run_id: run.id, atMs: nowMs })
  if (fold !== null) await endFold(tx, { context, integration, run, order, fold })
  if (found) {
    const counts = { lines: at.lines, accepted: at.accepted, rejected: at.rejected, unchanged: written.unchanged }
    await executeOrFail(tx, imports, { context, loaded: found, command: { type: 'complete', counts, atMs: nowMs } })
  }
}

/** How many campaigns of the run's rows were not made. Where unknown ones are not to be made, rows name known ones alone. */
async function makeCampaigns(tx: Transaction, { context, order, run, nowMs }: RunParts): Promise<number> {
  if (order.basis.on_unknown_campaign !== 'create') return 0
  const place = { runId: run.id, integrationId: order.integration_id, brandSlug: order.brand_slug }
  return createMissingCampaigns(tx, { context, ...place, nowMs })
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

/** Tells the integration how a run ended. */
async function recordRunOnIntegration(
  tx: Transaction,
  { context, integration }: Parts,
  command: Extract<IntegrationCommand, { type: 'run_succeeded' | 'run_failed' }>,
): Promise<void> {
  await executeOrFail(tx, integrations, { context, loaded: integration, command })
}

/** Why an attempt ends: its code, the line at fault, and when the source wants to be asked again. */
interface AttemptFault {
  code: SyncErrorCode
  line?: number | null
  retryAfterMs?: number | null
}

/** Ends the attempt with a code: another follows, or the run fails. */
export function failAttempt(o: WorkerOptions, attempt: Attempt, fault: AttemptFault): Promise<void> {
  return inWork(o, attempt.work, async (tx) => {
    await failParts(tx, o, await loadRunning(tx, attempt), fault)
  })
}

/** Fails the attempt in the caller's transaction: another follows, or run and import fail and the integration hears of it. */
export async function failParts(
  tx: Transaction,
  o: WorkerOptions,
  parts: RunParts,
  { code, line = null, retryAfterMs = null }: AttemptFault,
): Promise<void> {
  const { work, context, run, found, nowMs } = parts
  const at = await readCheckpoint(tx, work.workspaceId, run.id)
  const schedule = { delaysMs: o.retryDelaysMs, jitter: Math.random() }
  const command = { type: 'fail', atMs: nowMs, code, rowsRejected: at.rejected, retryAfterMs, ...schedule } as const
  const failed = await executeOrFail(tx, syncRuns, { context, loaded: run, command })
  tx.afterCommit(() => apiMetrics.syncAttempts.add(1, { outcome: 'failed', error_code: code }))
  if (failed.state.status === 'retry_wait') {
    await deferWork(tx, work, failed.state.next_attempt_ms ?? nowMs)
    return
  }
  const upload = found !== null
  await recordRunOnIntegration(tx, parts, { type: 'run_failed', sync_run_id: run.id, atMs: nowMs, code, upload })
  if (found) {
    const counts = { lines: at.lines, accepted: at.accepted, rejected: at.rejected, unchanged: 0 }
    const fail = { type: 'fail', code, line, counts, atMs: nowMs } as const
    await executeOrFail(tx, imports, { context, loaded: found, command: fail })
    await dropRejectsBeyond(tx, { workspaceId: work.workspaceId, importId: found.id, kept: rejectsKeptOfFailed })
  }
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
