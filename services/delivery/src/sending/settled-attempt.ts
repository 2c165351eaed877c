// Says in the words of the settle what became of an attempt. It decides nothing: the domain did.

import { makeId } from '@wds/contracts/ids'
import type { OutboundResult } from '@wds/outbound/guarded-client'
import { pooledBytes } from '@wds/telemetry/trace-context'
import type { AttemptRequest } from './attempt-request.ts'
import type { Settlement } from './domain/settlement.ts'
import type { ClaimedAttempt, LostLease, SettledAttempt } from './ports.ts'

/** The end of an attempt. `request` is null when none was made, `result` when it is not known. */
export interface AttemptEnding {
  readonly startedMs: number
  readonly request: (Pick<AttemptRequest, 'traceId'> & { readonly signedAt: number | null }) | null
  readonly result: OutboundResult | null
}

/** Of an attempt that ended before it began. */
export const releasedResult: OutboundResult = {
  outcome: 'released',
  status: null,
  errorCode: null,
  durationMs: 0,
  excerpt: null,
  retryAfter: null,
  isRepeated: false,
}

/** The row to settle. */
export function toSettledAttempt(
  attempt: ClaimedAttempt | LostLease,
  o: AttemptEnding,
  settlement: Settlement,
): SettledAttempt {
  return {
    deliveryId: attempt.deliveryId,
    subscriptionId: attempt.subscriptionId,
    workspaceId: attempt.workspaceId,
    eventDay: attempt.eventDay,
    eventId: attempt.eventId,
    claimId: attempt.claimId,
    epoch: attempt.epoch,
    url: attempt.url,
    attempt: attempt.attempt,
    attemptId: makeId('att', Math.floor(o.startedMs), pooledBytes(10)),
    kind: settlement.kind,
    status: o.result?.status ?? null,
    errorCode: o.result?.errorCode ?? null,
    durationMs: o.result?.durationMs ?? null,
    traceId: o.request?.traceId ?? null,
    signedAt: o.request?.signedAt ?? null,
    excerpt: o.result?.excerpt ?? null,
    isRepeated: o.result?.isRepeated ?? false,
    delayMs: settlement.delayMs,
    startedMs: o.startedMs,
  }
}
