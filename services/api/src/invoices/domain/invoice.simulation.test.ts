// The invoice machine in virtual time (reliability.md 6): days that become final and are restated, drafts, numbers over the end of a year,
// payments, disputes, voids and credit notes, transactions that are lost with their process, calls that are sent again, due dates that pass.
// First safety, after each transaction; then faults stop, and each invoice must come to its end. A story is a list, so that a failing one is
// printed as the shortest that fails. Mutants of the core show that each rule of safety is looked at.
import { expect, test } from '@jest/globals'
import { accept } from '@wds/decider/decider'
import { storiesToTell } from '@wds/decider/stories.fixture'
import fc from 'fast-check'
import { localDate } from '../../calendar/domain/calendar.ts'
import { invoiceDecider, totalsOfInvoice } from './invoice.ts'
import { type Act, type Core, core, days, hourMs, periods } from './invoice-acts.fixture.ts'
import { Model } from './invoice-model.fixture.ts'
import { zone } from './invoice-oracle.fixture.ts'
import type { InvoiceEvent } from './invoice-parts.ts'
import { campaigns } from './invoice-store.fixture.ts'

const which = fc.nat(9)
const call = fc.oneof(
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('draft'),
      period: fc.nat(periods.length - 1),
      manual: fc.integer({ min: -300, max: 300 }),
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('bill'), period: fc.nat(periods.length - 1) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('generate'), which }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('pay'),
      which,
      percent: fc.constantFrom(30, 60, 100, 100, 120),
      reference: fc.nat(2),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constantFrom('void', 'void', 'send', 'dispute', 'resolve_dispute'), which }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('credit'), which, percent: fc.integer({ min: -20, max: 110 }) }),
  },
  fc.record({ do: fc.constant('move_due'), which, days: fc.integer({ min: -40, max: 40 }) }),
  fc.record({ do: fc.constant('edit'), which, manual: fc.integer({ min: -300, max: 300 }) }),
)
const afterHours = fc.oneof(fc.constant(0), fc.nat(200))
const act = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('restate'),
      day: fc.nat(days.length - 1),
      campaign: fc.constantFrom(...campaigns),
      afterHours,
      cpa: fc.nat(500),
      revshare: fc.integer({ min: -400, max: 400 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('call'), call, afterHours, lost: fc.nat(1), repeated: fc.nat(1) }),
  },
) as fc.Arbitrary<Act>
/** A day without rows is not billed, so each day begins with some; one may stay open. */
const story = fc.record({ open: fc.nat(2 * days.length), acts: fc.array(act, { minLength: 30, maxLength: 80 }) })
type Story = typeof story extends fc.Arbitrary<infer T> ? T : never

function tell({ open, acts }: Story, using: Core = core): Model {
  const model = new Model(using)
  const { simulation } = model
  for (const day of days.keys())
    if (day !== open)
      model.act({
        do: 'restate',
        day,
        campaign: campaigns[day % 2] ?? 'cmp_carried',
        cpa: 90,
        revshare: 10 * day,
        afterHours: 0,
      })
  for (const one of acts) {
    simulation.runUntil(simulation.nowMs + one.afterHours * hourMs, { stepsMax: 1_000 })
    model.act(one)
  }
  return model
}

/** Liveness: what is due falls overdue, what is final can be billed, and what is billed can be paid. */
function judgeEnd(model: Model): void {
  const { simulation } = model
  simulation.runUntil(simulation.nowMs + 90 * 24 * hourMs, { stepsMax: 1_000 })
  const today = localDate(simulation.nowMs, zone)
  for (const [id, { state }] of model.db.invoices) {
    const { kind, due } = state.fields ?? {}
    if (kind === 'invoice' && (state.status === 'generated' || state.status === 'sent'))
      expect([id, (due ?? '') >= today]).toEqual([id, true])
  }
  const end = (call: Extract<Act, { do: 'call' }>['call']) =>
    model.act({ do: 'call', call, afterHours: 0, lost: 0, repeated: 0 })
  for (const which of [...model.db.invoices.keys()].keys()) {
    const state = () => [...model.db.invoices.values()][which]?.state ?? invoiceDecider.initialState
    if (state().status === 'draft') {
      model.refused.clear()
      end({ do: 'generate', which })
      expect(state().status === 'draft').toBe(model.refused.size > 0)
    }
    if (['generated', 'sent', 'overdue'].includes(state().status)) end({ do: 'pay', which, percent: 100, reference: 9 })
    expect(['draft', 'paid', 'void']).toContain(state().status)
    expect(['draft', 'void'].includes(state().status) || totalsOfInvoice(state()).amount_due === 0).toBe(true)
  }
}

const stories = storiesToTell(fc.defaultReportMessage)

test(`I18: in ${stories.numRuns} stories what was earned is billed once, numbers have no gap, no payment is taken twice or in excess; what is due ends`, () => {
  fc.assert(
    fc.property(story, (one) => judgeEnd(tell(one))),
    stories,
  )
})

test('the stories contain what they are about', () => {
  const seen = new Set<string>()
  for (const one of fc.sample(story, { numRuns: 100, seed: 1 })) {
    const { db, refused } = tell(one)
    for (const code of refused) seen.add(code)
    for (const { events, state } of db.invoices.values()) {
      for (const { event } of events) seen.add(event.type)
      if (state.number !== null) seen.add(state.number.slice(0, 4))
      for (const { kind } of state.fields?.lines ?? []) seen.add(kind)
    }
  }
  expect([...seen].sort()).toEqual(
    [
      ...['2026', '2027', 'revshare', 'cpa', 'adjustment', 'carryover', 'version_conflict', 'already_exists'],
      ...[
        'period_not_final',
        'invalid_state',
        'invoice_has_payments',
        'overpayment',
        'total_negative',
        'lines_are_fixed',
      ],
      ...['due_not_later', 'credit_too_large', 'InvoiceDrafted', 'InvoiceUpdated', 'InvoiceGenerated', 'InvoiceSent'],
      ...[
        'PaymentRecorded',
        'InvoicePaid',
        'InvoiceFellOverdue',
        'InvoiceDisputed',
        'DisputeResolved',
        'InvoiceVoided',
      ],
      ...['InvoiceReplaced', 'ReplacementWithdrawn'],
    ].sort(),
  )
})

const { decide } = invoiceDecider
/** Whoever decides sees no payment. */
const unpaid = (state: Parameters<typeof decide>[0]) => ({ ...state, payments: [] })
test.each<[string, Partial<Core>, string]>([
  [
    'a payment of more than is due',
    {
      decide(state, command) {
        const decision = decide(state, command)
        if (command.type !== 'record_payment' || decision.accepted || decision.rejection.code !== 'overpayment')
          return decision
        return accept<InvoiceEvent>({ type: 'PaymentRecorded', data: { payment: command.payment } })
      },
    },
    'took more than was due',
  ],
  [
    'a reference that was used',
    {
      decide(state, command) {
        const payments = state.payments.map((one) => ({ ...one, reference: one.id }))
        return decide(command.type === 'record_payment' ? { ...state, payments } : state, command)
      },
    },
    'took a payment twice',
  ],
  [
    'a void that looks at no payment',
    { decide: (state, command) => decide(command.type === 'void' ? unpaid(state) : state, command) },
    'void though paid',
  ],
  [
    'a last payment that ends nothing',
    {
      decide(state, command) {
        const decision = decide(state, command)
        if (!decision.accepted || command.type !== 'record_payment') return decision
        return { ...decision, events: decision.events.filter(({ type }) => type !== 'InvoicePaid') }
      },
    },
    'not paid though nothing is due',
  ],
  [
    'overdue on the day it is due',
    {
      overdueAtMs: (state) => {
        const atMs = core.overdueAtMs(state)
        return atMs === null ? null : atMs - hourMs
      },
      decide: (state, command) =>
        decide(state, command.type === 'mark_overdue' ? { ...command, today: '2030-01-01' } : command),
    },
    'overdue before its day ended',
  ],
  ['nobody waits for a due date', { overdueAtMs: () => null }, 'toEqual'],
  ['a number that no transaction gives back', { numbersOf: (_db, sequence) => sequence }, 'numbers with a gap'],
  ['a day that is not final', { isFinal: () => true }, 'billed a day that is not final'],
  ['two invoices of one day', { isTaken: () => false }, 'billed a day twice'],
  ['no correction', { correctionsOf: () => [] }, 'billed other than what was earned'],
  [
    'a void invoice whose corrections stay',
    {
      correctionsOf: (billed, period) =>
        core.correctionsOf(
          billed.map((one) => ({ ...one, isInPeriod: true })),
          period,
        ),
    },
    'billed other than what was earned',
  ],
  [
    'what is carried is never taken back',
    { drawLines: (o) => core.drawLines({ ...o, carried: [] }) },
    'carried over other than the deal says',
  ],
  ['credit notes without a limit', { creditableOf: () => Number.MAX_SAFE_INTEGER }, 'gave back more than it billed'],
])('a mutant is caught: %s', (_title, mutant, breach) => {
  const using = { ...core, ...mutant }
  const found = fc.check(
    fc.property(story, (one) => judgeEnd(tell(one, using))),
    { numRuns: 400, seed: 7, endOnFailure: true },
  )
  expect(String(found.errorInstance)).toContain(breach)
})
