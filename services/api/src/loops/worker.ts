// Takes due imports and runs across workspaces and carries them out (domain.md 4.5, 4.6). It never holds a transaction
// while it reads a source, and what it leaves behind in a crash another worker goes on with.
import { randomUUID } from 'node:crypto'
import type { OutboxSignal } from '@wds/event-store/relay'
import { withTransaction } from '@wds/postgres/transaction'
import { runLoop } from '@wds/service-host/loop'
import { runAs } from '@wds/telemetry/event-loop-delay'
import type { Progress } from '@wds/telemetry/progress'
import { localDate } from '../domain/calendar.ts'
import { demoDefaults } from '../domain/demo-generator.ts'
import { claimWork, keepLease, releaseWork, type Work } from '../store/due-work.ts'
import {
  type Attempt,
  endAttempt,
  failAttempt,
  LeaseLost,
  openAttempt,
  sweepEnded,
  type WorkerOptions,
} from './attempt.ts'
import { csvRecords } from './csv-source.ts'
import { demoRecords } from './demo-source.ts'
import { ndjsonRecords } from './ndjson-source.ts'
import { SourceFailure, type SourceRecord } from './source.ts'
import { stageRecords } from './stage-records.ts'

export interface WorkerLoopOptions extends WorkerOptions {
  /** Attempts at a time. */
  concurrency: number
  /** Longest wait between two looks at the queue. */
  pollMs: number
  signal: AbortSignal
  progress: Progress
  wake: OutboxSignal
}

/** Works until the signal is aborted; attempts under way are released then, after the batch they are at. */
export async function runWorker(o: WorkerLoopOptions): Promise<void> {
  const pauseMs = { min: o.pollMs, max: o.pollMs }
  const runSlot = () => runLoop({ ...o, name: 'sync-work', pauseMs, turn: () => workOnce(o) })
  await Promise.all(Array.from({ length: o.concurrency }, runSlot))
}

/** Takes and carries out one piece of work; false when none is due. */
export async function workOnce(o: WorkerOptions & { signal: AbortSignal }): Promise<boolean> {
  const leaseToken = randomUUID()
  const claim = { leaseMs: o.leaseMs, leaseToken, perWorkspace: o.perWorkspace }
  const work = await withTransaction(o.pool, { workspaceId: null }, (tx) => claimWork(tx, claim))
  if (work === null) return false
  const names = () => ({ job: 'sync attempt', workspace_id: work.workspaceId, work_id: work.workId })
  await runAs(names, () => attemptWork(o, work))
  return true
}

async function attemptWork(o: WorkerOptions & { signal: AbortSignal }, work: Work): Promise<void> {
  const ids = { workspace_id: work.workspaceId, work_id: work.workId }
  let { runId } = work
  try {
    const attempt = await openAttempt(o, work)
    if (attempt) {
      runId = attempt.run.id
      await carryOutAttempt(o, attempt)
    }
  } catch (error) {
    if (!(error instanceof LeaseLost)) o.logger.error({ err: error, ...ids }, 'a sync attempt was cut off')
  }
  if (runId === null) return
  await sweepEnded(o, work, runId).catch((error: unknown) => {
    o.logger.warn({ err: error, ...ids }, 'staged rows of a sync run not removed, retried by tidy')
  })
}

async function carryOutAttempt(o: WorkerOptions & { signal: AbortSignal }, attempt: Attempt): Promise<void> {
  const lost = new AbortController()
  const heartbeat = setInterval(() => void beat(o, attempt.work, lost), o.leaseMs / 3)
  const signal = AbortSignal.any([o.signal, lost.signal])
  try {
    await stageRecords({ pool: o.pool, leaseMs: o.leaseMs, attempt, records: recordsOf(o, attempt), signal })
    await endAttempt(o, attempt)
  } catch (error) {
    if (error instanceof LeaseLost || lost.signal.aborted) return
    if (o.signal.aborted) {
      await releaseWork(o.pool, attempt.work)
      return
    }
    const fault = error instanceof SourceFailure ? error : { code: 'internal_error' as const, line: null }
    if (!(error instanceof SourceFailure))
      o.logger.error({ err: error, sync_run_id: attempt.run.id }, 'a sync attempt failed')
    await failAttempt(o, attempt, { code: fault.code, line: fault.line })
  } finally {
    clearInterval(heartbeat)
  }
}

async function beat(o: WorkerOptions, work: Work, lost: AbortController): Promise<void> {
  try {
    if (!(await keepLease(o.pool, work, o.leaseMs))) lost.abort()
  } catch (error) {
    o.logger.warn({ err: error, work_id: work.workId }, 'the lease of a sync attempt could not be prolonged')
  }
}

/** The records of the attempt's source, the same at each attempt of its run. */
export function recordsOf(o: WorkerOptions, attempt: Attempt): AsyncIterable<SourceRecord> | Iterable<SourceRecord> {
  const { order, run, found, work } = attempt
  const { basis, window } = order
  const { source_time_zone: zone, currency, granularity } = basis
  const asOfMs = run.state.started_ms ?? 0
  if (found === null) {
    if (window === null) throw new Error('a pull without a window')
    const settings = { ...demoDefaults, ...basis.settings }
    return demoRecords({ settings, window, zone, currency, asOfMs, runSeq: order.run_seq, attempt: run.state.attempt })
  }
  const rules = {
    granularity,
    zone,
    currency,
    onUnknownCampaign: basis.on_unknown_campaign,
    // Campaigns are not served yet: none is known.
    knowsCampaign: () => false,
    today: localDate(asOfMs, zone),
  }
  const mapping = basis.settings.mapping ?? null
  const source = { pool: o.pool, workspaceId: work.workspaceId, importId: found.id, mapping, rules }
  return found.state.order?.format === 'ndjson' ? ndjsonRecords(source) : csvRecords(source)
}
