// Decides what the end of an attempt means for its delivery: the kind of log row and the delay to the next attempt (decisions.md 1, 5, 6, 10).
// It knows nothing of HTTP beyond the status code and reads no clock.

import type { DeliveryLogKind } from '@wds/contracts/states'
import { delayAfter, laterOf, parseRetryAfter, type Schedule } from './schedule.ts'

/** Kinds of log rows that an attempt can end with. */
export type AttemptKind = Extract<
  DeliveryLogKind,
  'attempt_succeeded' | 'attempt_failed' | 'attempt_unknown' | 'attempt_released'
>

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
 * so what it cuts off is released and due at once: our stop costs the receiver no attempt (decision record 0008). What could not be made for
 * another reason is given back and comes here only when it cannot be.
 */
export function settlementOf(
  end: AttemptEnd,
  o: { attempt: number; schedule: Schedule; random: number; nowMs: number; isStopping: boolean },
): Settlement {
  const isReleased = end.outcome === 'released' || end.outcome === 'unresolved'
  if (isReleased || (end.outcome === 'unknown' && o.isStopping))
    return { kind: 'attempt_released', delayMs: 0, isGone: false }
  if (end.outcome === 'answered' && isSuccess(end.status))
    return { kind: 'attempt_succeeded', delayMs: null, isGone: false }
  const delayMs = delayAfter(o.schedule, o.attempt, o.random)
  if (end.outcome === 'unknown') return { kind: 'attempt_unknown', delayMs, isGone: false }
  const mayAsk = end.status === 429 || end.status === 503
  const askedMs = mayAsk && end.retryAfter !== null ? parseRetryAfter(end.retryAfter, o.nowMs) : null
  return {
    kind: 'attempt_failed',
    delayMs: delayMs === null ? null : laterOf(o.schedule, delayMs, askedMs),
    isGone: end.status === 410,
  }
}
