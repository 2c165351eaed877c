// Takes due imports and runs across workspaces and carries them out (domain.md 4.5, 4.6). It never holds a transaction
// while it reads a source, and what it leaves behind in a crash another worker goes on with.
import { randomUUID } from 'node:crypto'
import { withTransaction } from '@wds/postgres/transaction'
import { runAs } from '@wds/telemetry/event-loop-delay'
import { recordsMax as recordsOfRunMax } from '../sources/domain/ingest-limits.ts'
import { SourceFailure } from '../sources/source.ts'
import { runSlots, type SlotOptions } from '../work-queue/run-slots.ts'
import { claimWork, releaseWork, type Work } from '../work-queue/store.ts'
import { withLease } from '../work-queue/with-lease.ts'
import { type Attempt, LeaseLost, type WorkerOptions } from './attempt.ts'
import { endAttempt, failAttempt, sweepEnded } from './end-attempt.ts'
import { openAttempt } from './open-attempt.ts'
import { isRepeatable, recordsOf } from './records-of.ts'
import { stageAnew, stageRecords } from './stage-records.ts'

export type WorkerLoopOptions = WorkerOptions & SlotOptions

/** Works until the signal is aborted; attempts under way are released then, after the batch they are at. */
export function runWorker(o: WorkerLoopOptions): Promise<void> {
  const name = o.kind === 'run' ? 'sync-feeds' : 'sync-files'
  return runSlots({ ...o, name, take: () => takeWork(o), carryOut: (work) => carryOut(o, work) })
}

/** Takes and carries out one piece of work; false when none is due. */
export async function workOnce(o: WorkerOptions & { signal: AbortSignal }): Promise<boolean> {
  const work = await takeWork(o)
  if (work === null) return false
  await carryOut(o, work)
  return true
}

function takeWork(o: WorkerOptions): Promise<Work | null> {
  const { leaseMs, perWorkspace, kind = null } = o
  const claim = { leaseMs, leaseToken: randomUUID(), perWorkspace, kind }
  return withTransaction(o.pool, { workspaceId: null }, (tx) => claimWork(tx, claim))
}

/** Never rejects. */
function carryOut(o: WorkerOptions & { signal: AbortSignal }, work: Work): Promise<void> {
  const names = () => ({ job: 'sync attempt', workspace_id: work.workspaceId, work_id: work.workId })
  return runAs(names, () => attemptWork(o, work))
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
    if (!(error instanceof LeaseLost)) o.logger.error({ err: error, ...ids }, 'sync attempt aborted')
  }
  if (runId === null) return
  await sweepEnded(o, work, runId).catch((error: unknown) => {
    o.logger.warn({ err: error, ...ids }, 'staged rows of a sync run not removed, retried by tidy')
  })
}

function carryOutAttempt(o: WorkerOptions & { signal: AbortSignal }, attempt: Attempt): Promise<void> {
  return withLease(o, attempt.work, async (lost) => {
    const signal = AbortSignal.any([o.signal, lost])
    try {
      const { pool, leaseMs } = o
      const records = recordsOf(o, attempt, signal)
      const stage = { pool, leaseMs, attempt, records, signal, recordsMax: recordsMaxOf(o, attempt) }
      await (isRepeatable(attempt) ? stageRecords(stage) : stageAnew(stage))
      await endAttempt(o, attempt)
    } catch (error) {
      if (error instanceof LeaseLost || lost.aborted) return
      if (o.signal.aborted) {
        await releaseWork(o.pool, attempt.work)
        return
      }
      const fault = error instanceof SourceFailure ? error : { code: 'internal_error' as const }
      if (!(error instanceof SourceFailure))
        o.logger.error({ err: error, sync_run_id: attempt.run.id }, 'sync attempt failed')
      await failAttempt(o, attempt, fault)
    }
  })
}

/** A fold ends with an hour, of which it takes as many again. */
function recordsMaxOf({ recordsMax = recordsOfRunMax }: WorkerOptions, { fold }: Attempt): number {
  return fold === null ? recordsMax : 2 * recordsMax
}
