// The state machine of a delivery and its fold: the state is a pure function of the rows of the append-only log (delivery.md 3).
// Whether an attempt is under way is no state: it is read from the lease (settled-points.md 3).

import type { AttemptErrorCode } from '@wds/contracts/error-classes'
import type { DeadReason, DeliveryLogKind, DeliveryStatus } from '@wds/contracts/states'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import type { Schedule } from './schedule.ts'

/** Kinds of log rows that an attempt can end with. */
export type AttemptKind = Extract<
  DeliveryLogKind,
  'attempt_succeeded' | 'attempt_failed' | 'attempt_unknown' | 'attempt_released'
>

/** What the fold reads of a row of the log; instants in epoch milliseconds. */
export interface LogRow {
  readonly kind: DeliveryLogKind
  readonly epoch: number
  /** Number of the attempt within the epoch; 0 for `scheduled` and `replay_requested`. */
  readonly attempt: number
  readonly atMs: number
  /** When the next attempt is due; null when none follows. */
  readonly dueMs: number | null
  readonly status: number | null
  readonly errorCode: AttemptErrorCode | null
  /** Of `exhausted` and `ended`. */
  readonly deadReason: DeadReason | null
}

/** The state of a delivery. */
export interface DeliveryState {
  readonly status: DeliveryStatus
  readonly epoch: number
  /** Attempts of this epoch that have ended and count. */
  readonly attempt: number
  /** Attempts of all epochs that have ended and count. */
  readonly attemptsTotal: number
  /** Attempts of an epoch in total, by the schedule. */
  readonly attemptsMax: number
  readonly dueMs: number | null
  readonly lastOutcome: AttemptKind | null
  readonly lastStatus: number | null
  readonly lastError: AttemptErrorCode | null
  readonly deadReason: DeadReason | null
  readonly deliveredMs: number | null
  readonly deadMs: number | null
  /** Rows folded in. */
  readonly seq: number
}

/** A log that no history of a delivery can have written. */
export class ImpossibleLog extends Error {}

/** From which status a row of the log leads to which. What is not listed cannot happen. */
export const transitions: Readonly<Record<DeliveryStatus | 'none', Partial<Record<DeliveryLogKind, DeliveryStatus>>>> =
  {
    none: { scheduled: 'pending' },
    pending: {
      attempt_succeeded: 'delivered',
      attempt_failed: 'retry',
      attempt_unknown: 'retry',
      attempt_released: 'pending',
      ended: 'dead',
    },
    retry: {
      attempt_succeeded: 'delivered',
      attempt_failed: 'retry',
      attempt_unknown: 'retry',
      attempt_released: 'retry',
      exhausted: 'dead',
      ended: 'dead',
      replay_requested: 'replay',
    },
    replay: {
      attempt_succeeded: 'delivered',
      attempt_failed: 'retry',
      attempt_unknown: 'retry',
      attempt_released: 'replay',
      ended: 'dead',
    },
    delivered: { replay_requested: 'replay' },
    dead: { replay_requested: 'replay' },
  }

/** Whether Retry is allowed in this state (settled-points.md 4); a replay while an attempt is under way is refused by the caller. */
export const mayReplay = (status: DeliveryStatus): boolean => transitions[status].replay_requested !== undefined

const isAttempt = (kind: DeliveryLogKind): kind is AttemptKind => kind.startsWith('attempt_')

function afterAttempt(state: DeliveryState, row: LogRow, kind: AttemptKind): Partial<DeliveryState> {
  // A released attempt does not count: its number is used again, and what was last known stays.
  if (kind === 'attempt_released') return { attempt: row.attempt - 1 }
  return withoutUndefined({
    attempt: row.attempt,
    attemptsTotal: state.attemptsTotal + 1,
    lastOutcome: kind,
    lastStatus: row.status,
    lastError: row.errorCode,
    deliveredMs: kind === 'attempt_succeeded' ? row.atMs : undefined,
  })
}

/** The state after one more row; throws `ImpossibleLog` where the table above has no such step. */
export function transition(state: DeliveryState | null, row: LogRow, schedule: Schedule): DeliveryState {
  const status = transitions[state?.status ?? 'none'][row.kind]
  if (status === undefined) throw new ImpossibleLog(`${row.kind} after ${state?.status ?? 'nothing'}`)
  const before = state ?? nothingYet(schedule)
  const next = { ...before, status, epoch: row.epoch, dueMs: row.dueMs, seq: before.seq + 1 }
  if (isAttempt(row.kind)) return { ...next, ...afterAttempt(before, row, row.kind) }
  if (status === 'dead') return { ...next, deadReason: row.deadReason, deadMs: row.atMs, dueMs: null }
  if (row.kind === 'replay_requested')
    return {
      ...nothingYet(schedule),
      status,
      epoch: row.epoch,
      attemptsTotal: before.attemptsTotal,
      dueMs: row.dueMs,
      seq: next.seq,
    }
  return next
}

const nothingYet = (schedule: Schedule): DeliveryState => ({
  status: 'pending',
  epoch: 1,
  attempt: 0,
  attemptsTotal: 0,
  attemptsMax: schedule.attempts,
  dueMs: null,
  lastOutcome: null,
  lastStatus: null,
  lastError: null,
  deadReason: null,
  deliveredMs: null,
  deadMs: null,
  seq: 0,
})

/** The state of a delivery from all rows of its log, in order; throws `ImpossibleLog` for an empty or impossible log. */
export function fold(rows: readonly LogRow[], schedule: Schedule): DeliveryState {
  const state = rows.reduce<DeliveryState | null>((before, row) => transition(before, row, schedule), null)
  if (state === null) throw new ImpossibleLog('no rows')
  return state
}
