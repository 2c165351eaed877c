// Decides what the end of an attempt means for its delivery: the kind of log row and the delay to the next attempt (settled-points.md 1, 5, 6, 10).
// It knows nothing of HTTP beyond the status code and reads no clock.

import type { AttemptKind } from '../../deliveries/domain/delivery.ts'
import { delayAfter, laterOf, parseRetryAfter, type Schedule } from '../../deliveries/domain/schedule.ts'

/** What became of an attempt, in the words of the outbound client. */
export interface AttemptEnd {
  readonly outcome: 'answered' | 'failed' | 'released' | 'unresolved' | 'unknown'
  /** Status code when one arrived. */
  readonly status: number | null
  /** The `Retry-After` field as received. */
  readonly retryAfter: string | null
}

/** What is written. `delayMs`: from the settle to the next attempt, null when none follows. `isGone`: the subscription is to be disabled. */
export interface Settlement {
  readonly kind: AttemptKind
  readonly delayMs: number | null
  readonly isGone: boolean
}

const isSuccess = (status: number | null): boolean => status !== null && status >= 200 && status < 300

/**
 * The consequence of attempt `attempt` (from 1). `random` in [0, 1). `nowMs` is only for a Retry-After date. `isStopping`: this worker is going away,
 * so what it cuts off is released and due at once: our stop costs the receiver no attempt (decision 8). What could not be made for
 * another reason is given back and comes here only when it cannot be. `wasUnknown`: the outcome of the attempt before is unknown, too.
 * The next attempt after a first one is due at once, since it was not the receiver that failed; the delay after further ones keeps
 * apart those of an attempt that itself ends workers.
 */
export function settlementOf(
  end: AttemptEnd,
  o: { attempt: number; schedule: Schedule; random: number; nowMs: number; isStopping: boolean; wasUnknown: boolean },
): Settlement {
  const isReleased = end.outcome === 'released' || end.outcome === 'unresolved'
  if (isReleased || (end.outcome === 'unknown' && o.isStopping))
    return { kind: 'attempt_released', delayMs: 0, isGone: false }
  if (end.outcome === 'answered' && isSuccess(end.status))
    return { kind: 'attempt_succeeded', delayMs: null, isGone: false }
  const delayMs = delayAfter(o.schedule, o.attempt, o.random)
  if (end.outcome === 'unknown') {
    const isAtOnce = delayMs !== null && !o.wasUnknown
    return { kind: 'attempt_unknown', delayMs: isAtOnce ? 0 : delayMs, isGone: false }
  }
  const mayAsk = end.status === 429 || end.status === 503
  const askedMs = mayAsk && end.retryAfter !== null ? parseRetryAfter(end.retryAfter, o.nowMs) : null
  return {
    kind: 'attempt_failed',
    delayMs: delayMs === null ? null : laterOf(o.schedule, delayMs, askedMs),
    isGone: end.status === 410,
  }
}
