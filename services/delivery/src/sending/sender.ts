// The sender of a worker: claims due deliveries, runs their attempts, settles the results in batches, and takes over expired leases
// (delivery.md; stack.md 7). A slot is never held by a wait, and every promise is awaited at the stop.

import type { GuardedClient } from '@wds/outbound/guarded-client'
import { WakeSignal, waitAtMost } from '@wds/pacing/wait'
import { timed } from '@wds/telemetry/metrics'
import { createProgress, type Progress } from '@wds/telemetry/progress'
import type { Schedule } from '../deliveries/domain/schedule.ts'
import { deliveryMetrics } from '../metrics.ts'
import { type ClaimLoop, createClaimLoop } from './claim-loop.ts'
import type { AttemptUnderWay } from './domain/fair-share.ts'
import { createHostCap } from './domain/host-cap.ts'
import { createGiveBack, type GivenBack } from './give-back.ts'
import type { ClaimedAttempt, ClaimStore, SecretOpener, SettledAttempt } from './ports.ts'
import { type AttemptContext, conclude, runAttempt } from './run-attempt.ts'
import { createSecretCache } from './secret-cache.ts'
import { type SenderLogger, type SenderSettings, senderFaults } from './sender-settings.ts'
import { createSettleQueue, type SettleQueue } from './settle-queue.ts'
import { runTakeOver } from './take-over.ts'

/** A running sender. */
export interface Sender {
  /** Work may be due: called after the commit of a fan-out or replay. */
  wake(): void
  /** Stops claiming, waits up to `graceMs` for attempts, aborts the rest, and writes every result. */
  stop(graceMs: number): Promise<void>
  /** Attempts in progress or not yet settled. */
  underWay(): number
  /** Since the start of this sender, for tests: metrics have counters of their own. */
  counts(): SenderCounts
}

/** Counters of a sender since its start. */
export interface SenderCounts {
  /** Attempts given back because of a local fault (key, name servers, this machine) or a host that was full. */
  heldAttempts: number
  /** Attempts whose result can never be written, since it contradicts what is stored. */
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
  /** Tracks the loops of the sender, under names that begin with `send-`. */
  readonly progress?: Progress
  readonly random?: () => number
  readonly nowMs?: () => number
}

const settleAbandonMs = 5_000
const settleBatchMax = 500

interface Worker {
  readonly o: SenderOptions
  readonly underWay: Map<string, AttemptUnderWay>
  readonly tasks: Set<Promise<unknown>>
  readonly claims: ClaimLoop
  readonly queue: SettleQueue<SettledAttempt>
  /** Attempts to be given back to `due` because of a local fault. */
  readonly givenBack: SettleQueue<GivenBack>
  readonly counts: SenderCounts
  readonly progress: Progress
  readonly abort: AbortController
  readonly attempts: AttemptContext
  isStopping: boolean
}

/** Key of an attempt among those in progress. */
const attemptKey = (attempt: { claimId: string; deliveryId: string }): string =>
  `${attempt.claimId}/${attempt.deliveryId}`

function start(worker: Worker, attempt: ClaimedAttempt, o: { leaseUntilMs: number; spare: boolean }): void {
  const { workspaceId, subscriptionId, slow } = attempt
  const key = attemptKey(attempt)
  worker.underWay.set(key, { workspaceId, subscriptionId, slow, spare: o.spare, startedMs: performance.now() })
  const onEnd = (): boolean => worker.tasks.delete(task)
  const onFault = (error: unknown): void => {
    onEnd()
    // A defect of ours. The lease expires and is taken over as unknown; the slot must be freed here.
    worker.underWay.delete(key)
    worker.o.logger.error({ err: error, delivery_id: attempt.deliveryId }, 'internal error during an attempt')
  }
  const task: Promise<unknown> = runAttempt(worker.attempts, attempt, o.leaseUntilMs).then(onEnd, onFault)
  worker.tasks.add(task)
}

function createWorker(o: SenderOptions): Worker {
  const underWay = new Map<string, AttemptUnderWay>()
  const onSettled = (rows: readonly { claimId: string; deliveryId: string }[]): void => {
    for (const row of rows) underWay.delete(attemptKey(row))
    claims.look()
  }
  const { settings, logger } = o
  const abort = new AbortController()
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
    store: o.store,
    settings,
    logger,
    underWay,
    loop: progress.loop('send-claim'),
    isStopping: () => worker.isStopping,
    start: (attempt, how) => start(worker, attempt, how),
  })
  const worker: Worker = {
    o,
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
        store: o.store,
        settings,
        logger,
        onHeld: (count) => {
          worker.counts.heldAttempts += count
        },
        conclude: (attempt, end) => conclude(worker.attempts, attempt, end),
      }),
    }),
    counts: { heldAttempts: 0, stuckAttempts: 0 },
    progress,
    abort,
    attempts: {
      store: o.store,
      client: o.client,
      schedule: o.schedule,
      settings,
      logger,
      signal: abort.signal,
      openSecrets: createSecretCache(o.secrets),
      hosts: createHostCap(settings.hosts),
      random: o.random ?? Math.random,
      nowMs: o.nowMs ?? Date.now,
      isStopping: () => worker.isStopping,
      settle: (row) => worker.queue.add(row),
      giveBack: (row) => worker.givenBack.add(row),
    },
    isStopping: false,
  }
  return worker
}

/** Starts the loops; throws an Error when the lease is too short for the deadline. */
export function startSender(o: SenderOptions): Sender {
  const faults = senderFaults(o.settings)
  if (faults.length > 0) throw new Error(faults.join('; '))
  const worker = createWorker(o)
  const takeOverSignal = new WakeSignal()
  const claiming = worker.claims.run()
  const takingOver = runTakeOver({
    ...o,
    loop: worker.progress.loop('send-take-over'),
    random: worker.attempts.random,
    nowMs: worker.attempts.nowMs,
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
    await waitAtMost(Promise.all(worker.tasks), graceMs)
    worker.abort.abort()
    await Promise.all(worker.tasks)
    worker.givenBack.endWithin(settleAbandonMs)
    await givingBack
    worker.queue.endWithin(settleAbandonMs)
    await Promise.all([settling, takingOver])
  }
  let stopped: Promise<void> | null = null
  return {
    wake: () => worker.claims.hasWork(),
    underWay: () => worker.underWay.size,
    counts: () => ({ ...worker.counts }),
    stop(graceMs) {
      stopped ??= stop(graceMs)
      return stopped
    },
  }
}
