// The attempt loop: claim, sign, send, settle in batches, and take over what others lost (delivery.md; stack.md 7).
// Nothing sleeps in a slot, no promise is left alone, and an attempt is never started without a lease that outlives its deadline.

import { setTimeout } from 'node:timers/promises'
import { idTimeMs } from '@wds/contracts/ids'
import type { GuardedClient } from '@wds/outbound/guarded-client'
import { timed } from '@wds/telemetry/metrics'
import { createProgress, type Progress } from '@wds/telemetry/progress'
import type { AttemptUnderWay } from '../../domain/fair-share.ts'
import type { Schedule } from '../../domain/schedule.ts'
import { settlementOf } from '../../domain/settlement.ts'
import { deliveryMetrics } from '../../metrics.ts'
import { type AttemptRequest, buildAttemptRequest } from './attempt-request.ts'
import { attemptKey, type Book, createBook } from './booking.ts'
import { type ClaimLoop, createClaimLoop } from './claim-loop.ts'
import { type AttemptEnded, createGiveBack, type GivenBack, type GivenBackCause } from './give-back.ts'
import { createSecretCache, type OpenSecrets } from './secret-cache.ts'
import type { ClaimedAttempt, ClaimStore, SecretOpener, SettledAttempt } from './send-ports.ts'
import { type SenderLogger, type SenderSettings, senderFaults } from './sender-settings.ts'
import { createSettleQueue, type SettleQueue } from './settle-queue.ts'
import { releasedResult, toSettledAttempt } from './settled-attempt.ts'
import { runTakeOver } from './take-over.ts'
import { createWakeSignal } from './wake-signal.ts'

/** The running loop. */
export interface Sender {
  /** Says that work may be due: fan out and replay call it after their commit. */
  wake(): void
  /** Keeps slots for deliveries that are being made. */
  readonly book: Book
  /** Stops claiming, lets attempts end for `graceMs`, then ends them, and writes every result. */
  stop(graceMs: number): Promise<void>
  /** Attempts under way or not yet settled. */
  underWay(): number
  /** Since the start of this sender, for metrics. */
  counts(): SenderCounts
}

/** What a sender counts; each number only grows. */
export interface SenderCounts {
  /** Attempts given back, since they could not be made here. */
  heldAttempts: number
  /** Attempts whose end could not be written, since what is stored of them contradicts it. */
  stuckAttempts: number
}

/** What a sender is made of. `random` in [0, 1) and `nowMs` (epoch) are for tests. */
export interface SenderOptions {
  readonly store: ClaimStore
  readonly client: Pick<GuardedClient, 'send'>
  readonly secrets: SecretOpener
  readonly schedule: Schedule
  readonly settings: SenderSettings
  readonly logger: SenderLogger
  /** Knows of the loops of the sender by names that begin with `send-`. */
  readonly progress?: Progress
  readonly random?: () => number
  readonly nowMs?: () => number
}

const settleAbandonMs = 5_000
const settleBatchMax = 500

interface Worker {
  readonly o: SenderOptions
  readonly openSecrets: OpenSecrets
  readonly underWay: Map<string, AttemptUnderWay>
  readonly tasks: Set<Promise<unknown>>
  readonly claims: ClaimLoop
  readonly queue: SettleQueue<SettledAttempt>
  /** Attempts that could not be made here, on their way back to `due`. */
  readonly givenBack: SettleQueue<GivenBack>
  readonly counts: SenderCounts
  readonly progress: Progress
  readonly abort: AbortController
  readonly random: () => number
  readonly nowMs: () => number
  isStopping: boolean
}

/** Signs; null when no key opens a secret: then the attempt is given back as if it had never been claimed. */
function sign(worker: Worker, attempt: ClaimedAttempt, nowMs: number): AttemptRequest | null {
  try {
    const { deadlineMs, userAgent } = worker.o.settings
    return buildAttemptRequest(attempt, { secrets: worker.openSecrets(attempt), nowMs, deadlineMs, userAgent })
  } catch (error) {
    const end = { startedMs: nowMs, request: null, result: releasedResult }
    worker.givenBack.add({ ...attempt, cause: 'no_key', error, end })
    return null
  }
}

/** A 410 disables the subscription first, so that the settle finds its lease marked (claim.sql). */
async function disableGone(worker: Worker, attempt: ClaimedAttempt): Promise<void> {
  try {
    await worker.o.store.disableGone(attempt)
  } catch (error) {
    worker.o.logger.error(
      { err: error, subscription_id: attempt.subscriptionId },
      'a subscription that is gone could not be disabled',
    )
  }
}

async function runAttempt(worker: Worker, attempt: ClaimedAttempt, leaseUntilMs: number): Promise<void> {
  const startedMs = worker.nowMs()
  // Too late to start, or about to stop: our fault before the first byte costs no attempt.
  const isLate = worker.isStopping || performance.now() + worker.o.settings.deadlineMs > leaseUntilMs
  const request = isLate ? null : sign(worker, attempt, startedMs)
  if (request === null) {
    if (isLate) await settle(worker, attempt, { startedMs, request, result: releasedResult })
    return
  }
  const result = await worker.o.client.send(request.outbound, worker.abort.signal)
  request.span.end(result)
  if (attempt.epoch === 1 && attempt.attempt === 1 && causes[result.outcome] === undefined) {
    deliveryMetrics.firstAttemptWait.record((startedMs - idTimeMs(attempt.eventId)) / 1_000)
  }
  await settle(worker, attempt, { startedMs, request, result })
}

const causes: Partial<Record<AttemptEnded['result']['outcome'], GivenBackCause>> = {
  released: 'local_fault',
  unresolved: 'unresolved',
}

/** Gives an attempt back that could not be made; while stopping it is released at once. */
async function settle(worker: Worker, attempt: ClaimedAttempt, end: AttemptEnded): Promise<void> {
  const cause = causes[end.result.outcome]
  if (cause === undefined || worker.isStopping) await conclude(worker, attempt, end)
  else worker.givenBack.add({ ...attempt, cause, error: null, end })
}

/** Decides what the end of an attempt means and hands it to the queue. */
async function conclude(worker: Worker, attempt: ClaimedAttempt, end: AttemptEnded): Promise<void> {
  const settlement = settlementOf(end.result, {
    attempt: attempt.attempt,
    schedule: worker.o.schedule,
    random: worker.random(),
    nowMs: worker.nowMs(),
    isStopping: worker.isStopping,
  })
  deliveryMetrics.attempts.add(1, { outcome: settlement.kind, error_code: end.result.errorCode ?? undefined })
  if (settlement.isGone) await disableGone(worker, attempt)
  worker.queue.add(toSettledAttempt(attempt, end, settlement))
}

function start(worker: Worker, attempt: ClaimedAttempt, leaseUntilMs: number): void {
  const { workspaceId, subscriptionId, slow } = attempt
  const key = attemptKey(attempt)
  worker.underWay.set(key, { workspaceId, subscriptionId, slow, startedMs: performance.now() })
  const onEnd = (): boolean => worker.tasks.delete(task)
  const onFault = (error: unknown): void => {
    onEnd()
    // A fault of this loop: its lease runs out and is taken over as unknown; the slot must not be lost with it.
    worker.underWay.delete(key)
    worker.o.logger.error({ err: error, delivery_id: attempt.deliveryId }, 'an attempt ended in a fault of the sender')
  }
  const task: Promise<unknown> = runAttempt(worker, attempt, leaseUntilMs).then(onEnd, onFault)
  worker.tasks.add(task)
}

async function allWithin(tasks: Set<Promise<unknown>>, timeoutMs: number): Promise<void> {
  const isOver = new AbortController()
  const late = setTimeout(timeoutMs, null, { signal: isOver.signal }).catch(() => null)
  await Promise.race([Promise.all(tasks), late])
  isOver.abort()
  await late
}

function createWorker(o: SenderOptions): Worker {
  const underWay = new Map<string, AttemptUnderWay>()
  const onSettled = (rows: readonly { claimId: string; deliveryId: string }[]): void => {
    for (const row of rows) underWay.delete(attemptKey(row))
    claims.look()
  }
  const { settings, logger } = o
  const progress = o.progress ?? createProgress()
  const onStuck = (): void => {
    worker.counts.stuckAttempts += 1
    deliveryMetrics.stuck.add(1)
  }
  const { isFaultOfRows } = o.store
  const queueOptions = {
    onSettled,
    onStuck,
    isFaultOfRows,
    collectMs: settings.collectMs,
    batchMax: settleBatchMax,
    logger,
  }
  const claims = createClaimLoop({
    ...{ store: o.store, settings, logger, underWay, loop: progress.loop('send-claim') },
    isStopping: () => worker.isStopping,
    start: (attempt, leaseUntilMs) => start(worker, attempt, leaseUntilMs),
  })
  const worker: Worker = {
    o,
    openSecrets: createSecretCache(o.secrets),
    underWay,
    tasks: new Set(),
    claims,
    queue: createSettleQueue<SettledAttempt>({
      ...queueOptions,
      loop: progress.loop('send-settle'),
      settle: (rows) => timed(deliveryMetrics.settleDuration, {}, () => o.store.settle(rows)),
    }),
    givenBack: createSettleQueue<GivenBack>({
      ...queueOptions,
      loop: progress.loop('send-give-back'),
      settle: createGiveBack({
        ...{ store: o.store, settings, logger },
        onHeld: (count) => {
          worker.counts.heldAttempts += count
        },
        conclude: (attempt, end) => conclude(worker, attempt, end),
      }),
    }),
    counts: { heldAttempts: 0, stuckAttempts: 0 },
    progress,
    abort: new AbortController(),
    random: o.random ?? Math.random,
    nowMs: o.nowMs ?? Date.now,
    isStopping: false,
  }
  return worker
}

/** Starts the loop; throws a plain Error when the lease is too short for the deadline. */
export function startSender(o: SenderOptions): Sender {
  const faults = senderFaults(o.settings)
  if (faults.length > 0) throw new Error(faults.join('; '))
  const worker = createWorker(o)
  const takeOverSignal = createWakeSignal()
  const claiming = worker.claims.run()
  const takingOver = runTakeOver({
    ...o,
    loop: worker.progress.loop('send-take-over'),
    random: worker.random,
    nowMs: worker.nowMs,
    signal: takeOverSignal,
    isStopping: () => worker.isStopping,
    onTaken: () => worker.claims.look(),
  })
  const settling = worker.queue.run()
  const givingBack = worker.givenBack.run()
  const stop = async (graceMs: number): Promise<void> => {
    worker.isStopping = true
    worker.claims.look()
    takeOverSignal.raise()
    await claiming
    await allWithin(worker.tasks, graceMs)
    worker.abort.abort()
    await Promise.all(worker.tasks)
    worker.givenBack.endWithin(settleAbandonMs)
    await givingBack
    worker.queue.endWithin(settleAbandonMs)
    await Promise.all([settling, takingOver])
  }
  let stopped: Promise<void> | null = null
  const book = createBook({
    settings: o.settings,
    underWay: worker.underWay,
    claimed: () => (worker.isStopping ? null : worker.claims.claimed()),
    start: (attempt, leaseUntilMs) => start(worker, attempt, leaseUntilMs),
    onFree: () => worker.claims.look(),
  })
  return {
    book,
    wake: () => worker.claims.hasWork(),
    underWay: () => worker.underWay.size,
    counts: () => ({ ...worker.counts }),
    stop(graceMs) {
      stopped ??= stop(graceMs)
      return stopped
    },
  }
}
