// Decides the life of a payout (domain.md 3.9): scheduled, processing, then paid, failed or canceled. It moves no money: it records what the
// workspace's bank did. Whether there is enough to pay is decided before, under the lock of the workspace's sub-affiliates.
import type { PayoutStatus } from '@wds/contracts/states'
import { accept, type Decider, type InvalidState, reject } from '@wds/decider/decider'
import { boundsOfDay } from '../../calendar/domain/workspace-day.ts'

export interface PayoutFields {
  sub_affiliate_id: string
  /** In minor units, more than 0. */
  amount: number
  currency: string
  /** Days of the months that it pays for, both inclusive. */
  period: { from: string; to: string }
  /** How many entries of the ledger these months have. */
  entries: number
  /** The day of the zone on which it begins to be processed. */
  scheduled_for: string
  time_zone: string
}

export type HoldReason = 'fraud_review' | 'details_missing' | 'request' | 'rule' | 'other'
export interface Hold {
  /** Null where a person holds it. */
  by_rule_id: string | null
  reason: HoldReason
}

/** Why the bank refused it; `returned` is said by `record_return` alone. */
export type RefusalCode = 'method_rejected' | 'details_missing' | 'limit' | 'other'
export type FailureCode = RefusalCode | 'returned'

export interface PayoutState {
  status: 'none' | PayoutStatus
  fields: PayoutFields | null
  held: Hold | null
  paid_ms: number | null
  returned_ms: number | null
  failure_code: FailureCode | null
  reference: string | null
}

export type PayoutCommand =
  | { type: 'create'; fields: PayoutFields }
  | { type: 'process' }
  /** `isSuspended`: its sub-affiliate is, which is not paid meanwhile; what is with the bank already goes on. */
  | { type: 'mark_paid'; paidMs: number; reference: string | null; isSuspended: boolean }
  | { type: 'mark_failed'; code: RefusalCode }
  | { type: 'cancel' }
  | { type: 'hold'; hold: Hold }
  | { type: 'release' }
  | { type: 'record_return'; returnedMs: number }

type Nothing = Record<never, never>
export type PayoutEvent =
  | { type: 'PayoutScheduled'; data: { fields: PayoutFields } }
  | { type: 'PayoutHeld'; data: { held: Hold } }
  | { type: 'PayoutReleased'; data: Nothing }
  | { type: 'ProcessingBegan'; data: Nothing }
  | { type: 'PayoutPaid'; data: { paid_ms: number; reference: string | null } }
  | { type: 'PayoutFailed'; data: { failure_code: RefusalCode } }
  | { type: 'PayoutCanceled'; data: Nothing }
  | { type: 'PayoutReturned'; data: { returned_ms: number } }

export type PayoutRejection = InvalidState | (Omit<InvalidState, 'code'> & { code: 'suspended' })

type Action = PayoutCommand['type']

/** For each state the actions allowed. What is held waits for its release. */
export const payoutMachine = {
  none: ['create'],
  scheduled: ['process', 'mark_paid', 'cancel', 'hold'],
  held: ['release', 'cancel'],
  processing: ['mark_paid', 'mark_failed'],
  paid: ['record_return'],
  returned: [],
  failed: [],
  canceled: [],
} as const satisfies Record<PayoutState['status'] | 'held' | 'returned', readonly Action[]>

/** Its place in the machine: the status, with the two flags that narrow it. */
export function placeOf({ status, held, returned_ms }: PayoutState): keyof typeof payoutMachine {
  if (status === 'scheduled' && held !== null) return 'held'
  return status === 'paid' && returned_ms !== null ? 'returned' : status
}

/** What people may ask for now; the day alone begins to process it. */
function allowedActions(state: PayoutState): string[] {
  return payoutMachine[placeOf(state)].filter((action) => action !== 'process')
}

export const payoutDecider: Decider<PayoutState, PayoutCommand, PayoutEvent, PayoutRejection> = {
  initialState: {
    status: 'none',
    fields: null,
    held: null,
    paid_ms: null,
    returned_ms: null,
    failure_code: null,
    reference: null,
  },
  evolve(state, event) {
    switch (event.type) {
      case 'PayoutScheduled':
        return { ...state, status: 'scheduled', fields: event.data.fields }
      case 'PayoutHeld':
        return { ...state, held: event.data.held }
      case 'PayoutReleased':
        return { ...state, held: null }
      case 'ProcessingBegan':
        return { ...state, status: 'processing' }
      case 'PayoutPaid':
        return { ...state, status: 'paid', paid_ms: event.data.paid_ms, reference: event.data.reference }
      case 'PayoutFailed':
        return { ...state, status: 'failed', failure_code: event.data.failure_code }
      case 'PayoutCanceled':
        return { ...state, status: 'canceled', held: null }
      case 'PayoutReturned':
        return { ...state, returned_ms: event.data.returned_ms, failure_code: 'returned' }
    }
  },
  decide(state, command) {
    const machine: readonly string[] = payoutMachine[placeOf(state)]
    const refusal = { current_status: state.status, allowed: allowedActions(state) }
    if (!machine.includes(command.type)) return reject({ code: 'invalid_state', ...refusal })
    switch (command.type) {
      case 'create':
        return accept({ type: 'PayoutScheduled', data: { fields: command.fields } })
      case 'process':
        return accept({ type: 'ProcessingBegan', data: {} })
      case 'mark_paid': {
        if (command.isSuspended && state.status === 'scheduled') {
          const allowed = refusal.allowed.filter((action) => action !== 'mark_paid')
          return reject({ code: 'suspended', ...refusal, allowed })
        }
        return accept({ type: 'PayoutPaid', data: { paid_ms: command.paidMs, reference: command.reference } })
      }
      case 'mark_failed':
        return accept({ type: 'PayoutFailed', data: { failure_code: command.code } })
      case 'cancel':
        return accept({ type: 'PayoutCanceled', data: {} })
      case 'hold':
        return accept({ type: 'PayoutHeld', data: { held: command.hold } })
      case 'release':
        return accept({ type: 'PayoutReleased', data: {} })
      case 'record_return':
        return accept({ type: 'PayoutReturned', data: { returned_ms: command.returnedMs } })
    }
  },
}

/** What an event means for the ledger, in minor units; 0 for nothing. Each payout is posted once and reversed at most once. */
export function postingOf(event: PayoutEvent): -1 | 0 | 1 {
  switch (event.type) {
    case 'PayoutScheduled':
      return -1
    case 'PayoutFailed':
    case 'PayoutCanceled':
    case 'PayoutReturned':
      return 1
    case 'PayoutHeld':
    case 'PayoutReleased':
    case 'ProcessingBegan':
    case 'PayoutPaid':
      return 0
  }
}

/** What its sub-affiliate was paid by it and has kept, in minor units. */
export function paidAmountOf({ status, fields, returned_ms }: PayoutState): number {
  return status === 'paid' && returned_ms === null ? (fields?.amount ?? 0) : 0
}

/** When its day begins; null where nobody waits for it. */
export function dueMs({ status, fields, held }: PayoutState): number | null {
  if (status !== 'scheduled' || fields === null || held !== null) return null
  return boundsOfDay(fields.scheduled_for, fields.time_zone).startMs
}

/** Why an amount cannot be paid; null where it can. */
export function amountRefusal(o: {
  amount: bigint
  available: bigint
  minimum: bigint
}): 'insufficient_balance' | 'below_minimum' | null {
  if (o.amount > o.available || o.available <= 0n) return 'insufficient_balance'
  return o.amount < o.minimum ? 'below_minimum' : null
}
