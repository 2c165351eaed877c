import { describe, expect, test } from '@jest/globals'
import { given } from '@wds/decider/given-when-then'
import { coveredMonths } from './covered-months.ts'
import { type PayoutCommand, type PayoutEvent, payoutDecider, payoutMachine, placeOf } from './payout.ts'

const fields = {
  sub_affiliate_id: 'sub_1',
  amount: 5_000,
  currency: 'EUR',
  entries: 3,
  time_zone: 'UTC',
  period: { from: '2026-01-01', to: '2026-01-31' },
  scheduled_for: '2026-02-03',
}
const scheduled: PayoutEvent = { type: 'PayoutScheduled', data: { fields } }
const held: PayoutEvent = { type: 'PayoutHeld', data: { held: { by_rule_id: null, reason: 'request' } } }
const began: PayoutEvent = { type: 'ProcessingBegan', data: {} }
const paid: PayoutEvent = { type: 'PayoutPaid', data: { paid_ms: 1, reference: null } }
const returned: PayoutEvent = { type: 'PayoutReturned', data: { returned_ms: 2 } }

const histories: Record<keyof typeof payoutMachine, PayoutEvent[]> = {
  none: [],
  scheduled: [scheduled],
  held: [scheduled, held],
  processing: [scheduled, began],
  paid: [scheduled, paid],
  returned: [scheduled, began, paid, returned],
  failed: [scheduled, began, { type: 'PayoutFailed', data: { failure_code: 'limit' } }],
  canceled: [scheduled, held, { type: 'PayoutCanceled', data: {} }],
}
const commands: PayoutCommand[] = [
  { type: 'create', fields },
  { type: 'process' },
  { type: 'mark_paid', paidMs: 1, reference: 'r', isSuspended: false },
  { type: 'mark_failed', code: 'limit' },
  { type: 'cancel' },
  { type: 'hold', hold: { by_rule_id: null, reason: 'request' } },
  { type: 'release' },
  { type: 'record_return', returnedMs: 2 },
]
const stateOf = (events: PayoutEvent[]) =>
  events.reduce((state, event) => payoutDecider.evolve(state, event), payoutDecider.initialState)

describe.each(Object.entries(histories))('a payout that is %s', (place, events) => {
  test.each(commands.map((command) => [command.type, command] as const))('%s', (action, command) => {
    const state = stateOf(events)
    expect(placeOf(state)).toBe(place)
    const machine: readonly string[] = payoutMachine[place as keyof typeof payoutMachine]
    expect(payoutDecider.decide(state, command).accepted).toBe(machine.includes(action))
  })
})

test('the sub-affiliate of one that waits is suspended: it is not paid; what is with the bank already may be', () => {
  const command = { type: 'mark_paid', paidMs: 1, reference: null, isSuspended: true } as const
  given(payoutDecider, [scheduled])
    .when(command)
    .thenRejected({ code: 'suspended', current_status: 'scheduled', allowed: ['cancel', 'hold'] })
  given(payoutDecider, [scheduled, began]).when(command).then([paid])
})

describe('months are paid in their order', () => {
  const months = [
    { month: '2025-11', amount: 100n, entries: 2 },
    { month: '2025-12', amount: 0n, entries: 4 },
    { month: '2026-02', amount: 50n, entries: 1 },
  ]
  test.each([
    ['all at once', 0n, 150n, '2025-11-01', '2026-02-28', 7],
    ['a part of the first', 0n, 99n, '2025-11-01', '2025-11-30', 2],
    ['the rest of the first and a part of the last', 99n, 2n, '2025-11-01', '2026-02-28', 7],
    ['what is left behind the first', 100n, 50n, '2026-02-01', '2026-02-28', 1],
  ])('%s', (_, before, amount, from, to, entries) => {
    expect(coveredMonths(months, { paid: before, amount })).toEqual({ period: { from, to }, entries })
  })
  test('and nobody is paid more than they earned', () => {
    expect(() => coveredMonths(months, { paid: 100n, amount: 51n })).toThrow(RangeError)
  })
})
