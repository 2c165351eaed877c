// For tests: the end of a claimed attempt, as a sender would settle it.
import { newId } from '../engine.fixture.ts'
import type { ClaimedAttempt, LostLease, SettledAttempt } from './ports.ts'

/** It succeeded unless told. */
export function endedAttempt(row: ClaimedAttempt | LostLease, o: Partial<SettledAttempt> = {}): SettledAttempt {
  const { deliveryId, subscriptionId, workspaceId, eventDay, eventId, claimId, epoch, attempt, url } = row
  return {
    deliveryId,
    subscriptionId,
    workspaceId,
    eventDay,
    eventId,
    claimId,
    epoch,
    attempt,
    url,
    attemptId: newId('att'),
    kind: 'attempt_succeeded',
    status: 200,
    errorCode: null,
    durationMs: 2,
    traceId: null,
    signedAt: 1,
    excerpt: null,
    isRepeated: false,
    delayMs: null,
    startedMs: Date.now(),
    ...o,
  }
}

/** By the last attempt, which fails. */
export const exhausted = { kind: 'attempt_failed', status: 500, errorCode: 'http_status', delayMs: null } as const
