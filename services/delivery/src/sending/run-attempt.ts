// One attempt: sign, send, decide what the result means, and queue it to be settled or given back. It never starts unless its lease
// outlives its deadline.
import { idTimeMs } from '@wds/contracts/ids'
import type { GuardedClient } from '@wds/outbound/guarded-client'
import type { Schedule } from '../deliveries/domain/schedule.ts'
import { deliveryMetrics } from '../metrics.ts'
import { type AttemptRequest, buildAttemptRequest } from './attempt-request.ts'
import type { HostCap } from './domain/host-cap.ts'
import { settlementOf } from './domain/settlement.ts'
import type { AttemptEnded, GivenBack, GivenBackCause } from './give-back.ts'
import type { ClaimedAttempt, ClaimStore, SettledAttempt } from './ports.ts'
import type { OpenSecrets } from './secret-cache.ts'
import type { SenderLogger, SenderSettings } from './sender-settings.ts'
import { releasedResult, toSettledAttempt } from './settled-attempt.ts'

/** What all attempts of a worker share. */
export interface AttemptContext {
  readonly store: Pick<ClaimStore, 'disableGone'>
  readonly client: Pick<GuardedClient, 'send'>
  readonly openSecrets: OpenSecrets
  readonly hosts: HostCap
  readonly schedule: Schedule
  readonly settings: Pick<SenderSettings, 'deadlineMs' | 'userAgent'>
  readonly logger: SenderLogger
  /** Aborts the attempts in progress. */
  readonly signal: AbortSignal
  random(): number
  nowMs(): number
  isStopping(): boolean
  /** Queues the result of an attempt to be written. */
  settle(row: SettledAttempt): void
  /** Queues an attempt to be given back because of a local fault. */
  giveBack(row: GivenBack): void
}

/** Signs; null when no key opens a secret: then the attempt is given back as if it had never been claimed. */
function sign(context: AttemptContext, attempt: ClaimedAttempt, nowMs: number): AttemptRequest | null {
  try {
    const { deadlineMs, userAgent } = context.settings
    return buildAttemptRequest(attempt, { secrets: context.openSecrets(attempt), nowMs, deadlineMs, userAgent })
  } catch (error) {
    const end = { startedMs: nowMs, request: null, result: releasedResult }
    context.giveBack({ ...attempt, cause: 'no_key', error, end })
    return null
  }
}

/** A 410 disables the subscription first, so that the settle finds its lease marked (stack.md 7). */
async function disableGone(context: AttemptContext, attempt: ClaimedAttempt): Promise<void> {
  try {
    await context.store.disableGone(attempt)
  } catch (error) {
    context.logger.error(
      { err: error, subscription_id: attempt.subscriptionId },
      'a subscription that is gone could not be disabled',
    )
  }
}

/** Resolves once its end is handed on. `leaseUntilMs`: monotonic. */
export async function runAttempt(
  context: AttemptContext,
  attempt: ClaimedAttempt,
  leaseUntilMs: number,
): Promise<void> {
  const startedMs = context.nowMs()
  // Too late to start, or stopping: released. Our own fault before the first byte costs the receiver no attempt.
  const isLate = context.isStopping() || performance.now() + context.settings.deadlineMs > leaseUntilMs
  if (isLate) {
    await finish(context, attempt, { startedMs, request: null, result: releasedResult })
    return
  }
  const leaveHost = context.hosts.enter(attempt, performance.now())
  if (leaveHost === null) {
    const end = { startedMs, request: null, result: releasedResult }
    context.giveBack({ ...attempt, cause: 'host_full', error: null, end })
    return
  }
  try {
    await signAndSend(context, attempt, startedMs)
  } finally {
    leaveHost()
  }
}

async function signAndSend(context: AttemptContext, attempt: ClaimedAttempt, startedMs: number): Promise<void> {
  const request = sign(context, attempt, startedMs)
  if (request === null) return
  const result = await context.client.send(request.outbound, context.signal)
  request.span.end(result)
  if (attempt.epoch === 1 && attempt.attempt === 1 && causes[result.outcome] === undefined) {
    deliveryMetrics.firstAttemptWait.record(
      (startedMs - idTimeMs(attempt.eventId)) / 1_000,
      {},
      request.span.traceparent,
    )
  }
  await finish(context, attempt, { startedMs, request, result })
}

const causes: Partial<Record<AttemptEnded['result']['outcome'], GivenBackCause>> = {
  released: 'local_fault',
  unresolved: 'unresolved',
}

/** Gives an attempt back that could not be made; while stopping it is settled as released. */
async function finish(context: AttemptContext, attempt: ClaimedAttempt, end: AttemptEnded): Promise<void> {
  const cause = causes[end.result.outcome]
  if (cause === undefined || context.isStopping()) await conclude(context, attempt, end)
  else context.giveBack({ ...attempt, cause, error: null, end })
}

/** Decides what the result of an attempt means and queues it to be settled. */
export async function conclude(context: AttemptContext, attempt: ClaimedAttempt, end: AttemptEnded): Promise<void> {
  const settlement = settlementOf(end.result, {
    attempt: attempt.attempt,
    schedule: context.schedule,
    random: context.random(),
    nowMs: context.nowMs(),
    isStopping: context.isStopping(),
    // Only a stop cuts an attempt off here; all other unknown outcomes are found by the take-over.
    wasUnknown: true,
  })
  deliveryMetrics.attempts.add(1, { outcome: settlement.kind, error_code: end.result.errorCode ?? undefined })
  if (settlement.isGone) await disableGone(context, attempt)
  context.settle(toSettledAttempt(attempt, end, settlement))
}
