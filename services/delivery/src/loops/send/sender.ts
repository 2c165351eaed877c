// The attempt loop: claim, sign, send, settle in batches, and take over what others lost (delivery.md; stack.md 7).
// Nothing sleeps in a slot, no promise is left alone, and an attempt is never started without a lease that outlives its deadline.

import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { makeId } from '@wds/contracts/ids'
import type { GuardedClient, OutboundResult } from '@wds/outbound/guarded-client'
import { type AttemptUnderWay, claimRoom, limitsOf } from '../../domain/fair-share.ts'
import type { Schedule } from '../../domain/schedule.ts'
import { settlementOf } from '../../domain/settlement.ts'
import { type AttemptRequest, buildAttemptRequest } from './attempt-request.ts'
import { createSecretCache, type OpenSecrets } from './secret-cache.ts'
import type { ClaimedAttempt, ClaimStore, SecretOpener, SettledAttempt } from './send-ports.ts'
import { type SenderLogger, type SenderSettings, senderFaults } from './sender-settings.ts'
import { createSettleQueue, type SettleQueue } from './settle-queue.ts'
import { takeOver } from './take-over.ts'
import { createWakeSignal, type WakeSignal } from './wake-signal.ts'

/** The running loop. */
export interface Sender {
  /** Says that work may be due: fan out and replay call it after their commit. */
  wake(): void
  /** Stops claiming, lets attempts end for `graceMs`, then ends them, and writes every result. */
  stop(graceMs: number): Promise<void>
  /** Attempts under way or not yet settled. */
  underWay(): number
}

/** What a sender is made of. `random` in [0, 1) and `nowMs` (epoch) are for tests. */
export interface SenderOptions {
  readonly store: ClaimStore
  readonly client: Pick<GuardedClient, 'send'>
  readonly secrets: SecretOpener
  readonly schedule: Schedule
  readonly settings: SenderSettings
  readonly logger: SenderLogger
  readonly random?: () => number
  readonly nowMs?: () => number
}

/** Between two claims that found work: attempts that end meanwhile share the next round trip. */
const claimGapMs = 5
/** While due rows wait for room in their lanes. */
const noRoomMs = 50
const errorPauseMs = 500
const settleAbandonMs = 5_000
const settleBatchMax = 500

interface Worker {
  readonly o: SenderOptions
  readonly openSecrets: OpenSecrets
  readonly underWay: Map<string, AttemptUnderWay>
  readonly tasks: Set<Promise<void>>
  readonly signal: WakeSignal
  readonly queue: SettleQueue
  readonly abort: AbortController
  readonly random: () => number
  readonly nowMs: () => number
  isStopping: boolean
}

const keyOf = (attempt: { claimId: string; deliveryId: string }): string => `${attempt.claimId}/${attempt.deliveryId}`

const released: OutboundResult = {
  outcome: 'released',
  status: null,
  errorCode: null,
  durationMs: 0,
  excerpt: null,
  retryAfter: null,
  isRepeated: false,
}

/** Signs and sends; whatever is wrong on our side before the first byte releases the attempt. */
async function send(worker: Worker, attempt: ClaimedAttempt, leaseUntilMs: number) {
  const { settings, client, logger } = worker.o
  const startedMs = worker.nowMs()
  let request: AttemptRequest | null = null
  if (worker.isStopping || performance.now() + settings.deadlineMs > leaseUntilMs)
    return { startedMs, request, result: released }
  try {
    const secrets = worker.openSecrets(attempt)
    request = buildAttemptRequest(attempt, { ...settings, secrets, nowMs: startedMs })
  } catch (error) {
    logger.error({ err: error, subscription_id: attempt.subscriptionId }, 'an attempt could not be signed')
    return { startedMs, request, result: released }
  }
  return { startedMs, request, result: await client.send(request.outbound, worker.abort.signal) }
}

/** A 410 disables the subscription first, so that the settle finds its lease marked (claim.sql). */
async function disableGone(worker: Worker, attempt: ClaimedAttempt): Promise<void> {
  try {
    await worker.o.store.disableGone(attempt.workspaceId, attempt.subscriptionId)
  } catch (error) {
    worker.o.logger.error(
      { err: error, subscription_id: attempt.subscriptionId },
      'a subscription that is gone could not be disabled',
    )
  }
}

async function runAttempt(worker: Worker, attempt: ClaimedAttempt, leaseUntilMs: number): Promise<void> {
  const { startedMs, request, result } = await send(worker, attempt, leaseUntilMs)
  const { schedule } = worker.o
  const nowMs = worker.nowMs()
  const isStopping = worker.isStopping
  const settlement = settlementOf(result, {
    attempt: attempt.attempt,
    schedule,
    random: worker.random(),
    nowMs,
    isStopping,
  })
  if (settlement.isGone) await disableGone(worker, attempt)
  const { deliveryId, subscriptionId, workspaceId, eventDay, eventId, claimId, epoch, url } = attempt
  worker.queue.add({
    ...{ deliveryId, subscriptionId, workspaceId, eventDay, eventId, claimId, epoch, url },
    attempt: attempt.attempt,
    attemptId: makeId('att', startedMs, randomBytes(10)),
    kind: settlement.kind,
    status: result.status,
    errorCode: result.errorCode,
    durationMs: result.durationMs,
    traceId: request?.traceId ?? null,
    signedAt: request?.signedAt ?? null,
    excerpt: result.excerpt,
    isRepeated: result.isRepeated,
    delayMs: settlement.delayMs,
    startedMs,
  })
}

function start(worker: Worker, attempt: ClaimedAttempt, leaseUntilMs: number): void {
  const { workspaceId, subscriptionId, slow } = attempt
  worker.underWay.set(keyOf(attempt), { workspaceId, subscriptionId, slow, startedMs: performance.now() })
  const task = runAttempt(worker, attempt, leaseUntilMs)
    .catch((error: unknown) => {
      // A fault of this loop: its lease runs out and is taken over as unknown; the slot must not be lost with it.
      worker.underWay.delete(keyOf(attempt))
      worker.o.logger.error(
        { err: error, delivery_id: attempt.deliveryId },
        'an attempt ended in a fault of the sender',
      )
    })
    .finally(() => worker.tasks.delete(task))
  worker.tasks.add(task)
}

/** Claims once and starts what it got. Returns the number of attempts started. */
async function claimOnce(worker: Worker): Promise<number> {
  const { store, settings } = worker.o
  const limits = limitsOf(settings.slots)
  const room = claimRoom(worker.underWay.values(), performance.now(), limits)
  if (room.slots === 0) return 0
  const leaseUntilMs = performance.now() + settings.leaseMs
  const claimed = await store.claim({
    ...room,
    claimId: randomUUID(),
    lanes: settings.lanes,
    leaseMs: settings.leaseMs,
    share: limits.workspaceShare,
  })
  for (const attempt of claimed) start(worker, attempt, leaseUntilMs)
  return claimed.length
}

/** How long to sleep when a claim found nothing: until the next due time, a wake, or the poll. */
async function idleMs(worker: Worker): Promise<number> {
  const dueMs = await worker.o.store.nextDueInMs()
  if (dueMs === null) return worker.o.settings.pollMs
  return dueMs <= 0 ? noRoomMs : Math.min(Math.ceil(dueMs), worker.o.settings.pollMs)
}

async function claimLoop(worker: Worker): Promise<void> {
  while (!worker.isStopping) {
    try {
      const started = await claimOnce(worker)
      if (started > 0) await setTimeout(claimGapMs)
      else await worker.signal.wait(await idleMs(worker))
    } catch (error) {
      worker.o.logger.error({ err: error }, 'due work could not be claimed')
      await worker.signal.wait(errorPauseMs)
    }
  }
}

async function takeOverLoop(worker: Worker, signal: WakeSignal): Promise<void> {
  const { store, schedule, settings, logger } = worker.o
  while (!worker.isStopping) {
    try {
      const lost = await takeOver({ store, schedule, random: worker.random, nowMs: worker.nowMs })
      if (lost > 0) {
        logger.warn({ lost }, 'leases ran out: their attempts are logged as unknown')
        worker.signal.raise()
      }
    } catch (error) {
      logger.error({ err: error }, 'expired leases could not be taken over')
    }
    await signal.wait(settings.takeoverMs)
  }
}

async function allWithin(tasks: Set<Promise<void>>, timeoutMs: number): Promise<void> {
  const isOver = new AbortController()
  const late = setTimeout(timeoutMs, null, { signal: isOver.signal }).catch(() => null)
  await Promise.race([Promise.all(tasks), late])
  isOver.abort()
  await late
}

function createWorker(o: SenderOptions): Worker {
  const underWay = new Map<string, AttemptUnderWay>()
  const signal = createWakeSignal()
  const onSettled = (rows: SettledAttempt[]): void => {
    for (const row of rows) underWay.delete(keyOf(row))
    signal.raise()
  }
  const { store, settings, logger } = o
  const settle = (rows: SettledAttempt[]): Promise<Set<string>> => store.settle(rows)
  return {
    o,
    openSecrets: createSecretCache(o.secrets),
    underWay,
    tasks: new Set(),
    signal,
    queue: createSettleQueue({ settle, onSettled, collectMs: settings.collectMs, batchMax: settleBatchMax, logger }),
    abort: new AbortController(),
    random: o.random ?? Math.random,
    nowMs: o.nowMs ?? Date.now,
    isStopping: false,
  }
}

/** Starts the loop; throws a plain Error when the lease is too short for the deadline. */
export function startSender(o: SenderOptions): Sender {
  const faults = senderFaults(o.settings)
  if (faults.length > 0) throw new Error(faults.join('; '))
  const worker = createWorker(o)
  const takeOverSignal = createWakeSignal()
  const claiming = claimLoop(worker)
  const takingOver = takeOverLoop(worker, takeOverSignal)
  const settling = worker.queue.run()
  const stop = async (graceMs: number): Promise<void> => {
    worker.isStopping = true
    worker.signal.raise()
    takeOverSignal.raise()
    await claiming
    await allWithin(worker.tasks, graceMs)
    worker.abort.abort()
    await Promise.all(worker.tasks)
    worker.queue.endWithin(settleAbandonMs)
    await Promise.all([settling, takingOver])
  }
  let stopped: Promise<void> | null = null
  return {
    wake: () => worker.signal.raise(),
    underWay: () => worker.underWay.size,
    stop(graceMs) {
      stopped ??= stop(graceMs)
      return stopped
    },
  }
}
