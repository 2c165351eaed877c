import { describe, expect, test } from '@jest/globals'
import { fold } from '@wds/decider/decider'
import { given } from '@wds/decider/given-when-then'
import type { InvoiceLine } from './amounts.ts'
import { creditableOf, invoiceDecider, invoiceMachine, replacedBy } from './invoice.ts'
import type { InvoiceCommand, InvoiceEvent, InvoiceFields, InvoiceState } from './invoice-parts.ts'
import { summaryOf } from './invoice-summary.ts'

const line = (amount: number, o: Partial<InvoiceLine> = {}): InvoiceLine => ({
  id: 'ili_1',
  origin: 'stats',
  kind: 'revshare',
  description: 'Spring',
  campaign_id: null,
  quantity: null,
  unit_amount: null,
  amount,
  stats_revision: 1,
  ...o,
})
const fields: InvoiceFields = {
  kind: 'invoice',
  brand_slug: 'acme',
  period: { from: '2026-10-01', to: '2026-10-31' },
  time_zone: 'UTC',
  currency: 'EUR',
  replaces: null,
  due: null,
  memo: null,
  metadata: {},
  lines: [line(1)],
}
const billTo = { name: 'Acme', legal: null }
const generate = (lines: InvoiceLine[]): Extract<InvoiceCommand, { type: 'generate' }> => ({
  type: 'generate',
  number: '2026-000001',
  lines,
  billed: [],
  due: '2026-12-01',
  timeZone: 'UTC',
  atMs: 1,
  issuer: null,
  billTo,
  creditable: null,
})
const pay = (amount: number, reference = 'r'): Extract<InvoiceCommand, { type: 'record_payment' }> => ({
  type: 'record_payment',
  atMs: 3,
  payment: { id: 'ipm_1', amount, received: '2026-11-03', method: 'bank', reference },
})

const drafted: InvoiceEvent = { type: 'InvoiceDrafted', data: { fields } }
const generated: InvoiceEvent = {
  type: 'InvoiceGenerated',
  data: {
    number: '2026-000001',
    lines: [line(100)],
    billed: [],
    due: '2026-12-01',
    time_zone: 'UTC',
    at_ms: 1,
    issuer: null,
    bill_to: billTo,
  },
}
const sent: InvoiceEvent = { type: 'InvoiceSent', data: { channel: 'email', at_ms: 2 } }
const overdue: InvoiceEvent = { type: 'InvoiceFellOverdue', data: { due: '2026-12-01', days_overdue: 1 } }
const disputed: InvoiceEvent = { type: 'InvoiceDisputed', data: { reason: 'amount', note: null, at_ms: 2 } }
const paidInPart: InvoiceEvent = { type: 'PaymentRecorded', data: { payment: pay(40, 'first').payment } }
const paid: InvoiceEvent = { type: 'InvoicePaid', data: { at_ms: 3 } }
const voided: InvoiceEvent = { type: 'InvoiceVoided', data: { at_ms: 4 } }

const ways: Record<InvoiceState['status'], InvoiceEvent[]> = {
  none: [],
  draft: [drafted],
  generated: [drafted, generated],
  sent: [drafted, generated, sent],
  overdue: [drafted, generated, sent, overdue],
  paid: [drafted, generated, { type: 'PaymentRecorded', data: { payment: pay(100).payment } }, paid],
  void: [drafted, generated, voided],
}
const commands: InvoiceCommand[] = [
  { type: 'create', fields },
  { type: 'update', patch: { memo: 'x' }, today: '2026-11-01' },
  generate([line(100)]),
  { type: 'send', channel: 'email', atMs: 2 },
  pay(1),
  { type: 'mark_overdue', today: '2026-12-02', daysOverdue: 1 },
  { type: 'dispute', reason: 'amount', note: null, atMs: 2 },
  { type: 'void', atMs: 2 },
  { type: 'note_credit', credit: { id: 'inv_2', amount: -1 } },
  { type: 'withdraw_credit', id: 'inv_2' },
]

test('I16: in each state the actions of its table are taken, and no others', () => {
  for (const [status, way] of Object.entries(ways) as [InvoiceState['status'], InvoiceEvent[]][]) {
    const state = fold(invoiceDecider, way)
    expect(state.status).toBe(status)
    const machine: readonly string[] = invoiceMachine[status]
    for (const command of commands)
      expect([status, command.type, invoiceDecider.decide(state, command).accepted]).toEqual([
        ...[status, command.type],
        machine.includes(command.type),
      ])
  }
})

test('a refusal tells what people may do now', () => {
  const rejected = (allowed: string[], current_status: string) =>
    ({ code: 'invalid_state', current_status, allowed }) as const
  given(invoiceDecider, ways.overdue)
    .when(generate([line(1)]))
    .thenRejected(rejected(['update', 'send', 'record_payment', 'dispute', 'void'], 'overdue'))
  given(invoiceDecider, [...ways.sent, disputed])
    .when({ type: 'dispute', reason: 'other', note: null, atMs: 3 })
    .thenRejected(rejected(['update', 'send', 'record_payment', 'resolve_dispute', 'void'], 'sent'))
  given(invoiceDecider, ways.sent)
    .when({ type: 'resolve_dispute' })
    .thenRejected(rejected(['update', 'send', 'record_payment', 'dispute', 'void'], 'sent'))
})

describe('generated', () => {
  test('an invoice has lines, and a total that is not negative', () => {
    given(invoiceDecider, ways.draft).when(generate([])).thenRejected({ code: 'nothing_to_invoice' })
    given(invoiceDecider, ways.draft)
      .when(generate([line(5), line(-6)]))
      .thenRejected({ code: 'total_negative', total: -1, currency: 'EUR' })
  })

  test('one of which nothing is due is paid at once', () => {
    const lines = [line(5), line(-5)]
    const parties = { issuer: null, bill_to: billTo }
    const data = { number: '2026-000001', lines, billed: [], due: '2026-12-01', time_zone: 'UTC', ...parties, at_ms: 1 }
    given(invoiceDecider, ways.draft)
      .when(generate(lines))
      .then([
        { type: 'InvoiceGenerated', data },
        { type: 'InvoicePaid', data: { at_ms: 1 } },
      ])
  })

  test('a credit note may be negative, and is paid by a payment of its sign', () => {
    const note: InvoiceEvent = { type: 'InvoiceDrafted', data: { fields: { ...fields, kind: 'credit_note' } } }
    const decision = invoiceDecider.decide(fold(invoiceDecider, [note]), generate([line(-30)]))
    if (!decision.accepted) throw new Error('refused')
    const way = [note, ...decision.events]
    given(invoiceDecider, way).when(pay(30)).thenRejected({ code: 'overpayment', amountDue: -30, currency: 'EUR' })
    given(invoiceDecider, way).when(pay(-31)).thenRejected({ code: 'overpayment', amountDue: -30, currency: 'EUR' })
    given(invoiceDecider, way)
      .when(pay(-30))
      .then([{ type: 'PaymentRecorded', data: { payment: pay(-30).payment } }, paid])
    given(invoiceDecider, way).when({ type: 'mark_overdue', today: '2027-01-01', daysOverdue: 31 }).then([])
  })
})

describe('credit notes', () => {
  const note = (by: string, amount: number): InvoiceEvent => ({ type: 'InvoiceReplaced', data: { by, amount } })

  test('regression: the invoice names the last of those that are not void, and none when all are', () => {
    const way = [...ways.paid, note('inv_2', -30), note('inv_3', -20)]
    const withdrawn = (by: string): InvoiceEvent => ({ type: 'ReplacementWithdrawn', data: { by } })
    const named = (events: InvoiceEvent[]) => replacedBy(fold(invoiceDecider, [...way, ...events]))
    expect(named([])).toBe('inv_3')
    expect(named([withdrawn('inv_3')])).toBe('inv_2')
    expect(named([withdrawn('inv_2')])).toBe('inv_3')
    expect(named([withdrawn('inv_3'), withdrawn('inv_2')])).toBeNull()
  })

  test('regression: they give back at most what the invoice amounts to; one that asks for more adds nothing to it', () => {
    const left = (notes: InvoiceEvent[]) => creditableOf(fold(invoiceDecider, [...ways.paid, ...notes]))
    expect([left([]), left([note('inv_2', -30)]), left([note('inv_2', -30), note('inv_3', 10)])]).toEqual([100, 70, 70])
    const draft: InvoiceEvent[] = [{ type: 'InvoiceDrafted', data: { fields: { ...fields, kind: 'credit_note' } } }]
    given(invoiceDecider, draft)
      .when({ ...generate([line(-71)]), creditable: 70 })
      .thenRejected({ code: 'credit_too_large', creditable: 70, currency: 'EUR' })
    const all = invoiceDecider.decide(fold(invoiceDecider, draft), { ...generate([line(-70)]), creditable: 70 })
    expect(all.accepted).toBe(true)
  })
})

test('regression: a list shows its sums without lines, billed days, payments and parties', () => {
  const state = fold(invoiceDecider, [...ways.sent, paidInPart])
  const summary = summaryOf(state)
  expect(summary).toMatchObject({ status: 'sent', lines: 1, totals: { total: 100, amount_paid: 40, amount_due: 60 } })
  for (const large of ['lines":[', 'billed', 'payments', 'bill_to'])
    expect(JSON.stringify(summary)).not.toContain(large)
})

describe('payments', () => {
  test('a part leaves the state as it is, the rest makes it paid, more is refused', () => {
    const way = [...ways.sent, paidInPart]
    given(invoiceDecider, ways.sent).when(pay(40, 'first')).then([paidInPart])
    given(invoiceDecider, way).when(pay(61)).thenRejected({ code: 'overpayment', amountDue: 60, currency: 'EUR' })
    given(invoiceDecider, way)
      .when(pay(60))
      .then([{ type: 'PaymentRecorded', data: { payment: pay(60).payment } }, paid])
  })

  test('after 1,000 of a part only one of the rest is taken: the row stays bounded, and the invoice can end', () => {
    const recorded = (amount: number, reference: string): InvoiceEvent => ({
      type: 'PaymentRecorded',
      data: { payment: pay(amount, reference).payment },
    })
    const decision = invoiceDecider.decide(fold(invoiceDecider, ways.draft), generate([line(2_000)]))
    if (!decision.accepted) throw new Error('refused')
    const parts = Array.from({ length: 1_000 }, (_, at) => recorded(1, `part ${at}`))
    const way = [...ways.draft, ...decision.events, ...parts]
    given(invoiceDecider, way.slice(0, -1))
      .when(pay(1))
      .then([recorded(1, 'r')])
    given(invoiceDecider, way).when(pay(1)).thenRejected({ code: 'limit_reached' })
    given(invoiceDecider, way)
      .when(pay(1_000))
      .then([recorded(1_000, 'r'), paid])
  })

  test('a reference is taken once, and an invoice with payments is not made void', () => {
    const way = [...ways.sent, paidInPart]
    given(invoiceDecider, way).when(pay(1, 'first')).thenRejected({ code: 'already_exists', reference: 'first' })
    given(invoiceDecider, way).when({ type: 'void', atMs: 4 }).thenRejected({ code: 'invoice_has_payments' })
  })
})

describe('changes', () => {
  const update = (patch: Extract<InvoiceCommand, { type: 'update' }>['patch'], today = '2026-11-01') =>
    ({ type: 'update', patch, today }) as const

  test('a draft takes lines of people beside those drawn from stats', () => {
    const manual = [line(-3, { origin: 'manual', kind: 'adjustment' })]
    const state = fold<InvoiceState, InvoiceEvent>(invoiceDecider, [
      drafted,
      { type: 'InvoiceUpdated', data: { patch: { lines: manual }, changed: ['line_items'], status: 'draft' } },
    ])
    expect(state.fields?.lines.map(({ amount }) => amount)).toEqual([1, -3])
    given(invoiceDecider, ways.draft)
      .when(update({ lines: manual }))
      .then([{ type: 'InvoiceUpdated', data: { patch: { lines: manual }, changed: ['line_items'], status: 'draft' } }])
  })

  test('a generated one takes memo, metadata and a later due date alone', () => {
    given(invoiceDecider, ways.sent)
      .when(update({ due: '2026-11-30' }))
      .thenRejected({ code: 'due_not_later', due: '2026-12-01' })
    given(invoiceDecider, ways.sent)
      .when(update({ due: null }))
      .thenRejected({ code: 'due_not_later', due: '2026-12-01' })
    given(invoiceDecider, ways.sent)
      .when(update({ lines: [line(1, { origin: 'manual' })] }))
      .thenRejected({
        code: 'lines_are_fixed',
        current_status: 'sent',
        allowed: ['update', 'send', 'record_payment', 'dispute', 'void'],
      })
    const patch = { memo: 'x', due: '2026-12-05' }
    given(invoiceDecider, ways.sent)
      .when(update(patch))
      .then([{ type: 'InvoiceUpdated', data: { patch, changed: ['memo', 'due'], status: 'sent' } }])
    given(invoiceDecider, ways.sent)
      .when(update({ memo: null, due: '2026-12-01' }))
      .then([])
  })

  test.each([
    ['2026-12-09', 'sent', ways.overdue],
    ['2026-12-09', 'generated', [drafted, generated, overdue]],
    ['2026-12-07', 'overdue', ways.overdue],
  ])('an overdue one whose due date moves to %s is %s', (due, status, way) => {
    const decision = invoiceDecider.decide(fold(invoiceDecider, way), update({ due }, '2026-12-08'))
    if (!decision.accepted) throw new Error('refused')
    expect(fold(invoiceDecider, [...way, ...decision.events]).status).toBe(status)
  })
})

test('it falls overdue the day after it is due, not on it', () => {
  const mark = (today: string) => ({ type: 'mark_overdue', today, daysOverdue: 1 }) as const
  given(invoiceDecider, ways.generated).when(mark('2026-12-01')).then([])
  given(invoiceDecider, ways.generated).when(mark('2026-12-02')).then([overdue])
})

test('amounts beyond the range of money are refused', () => {
  const huge = line(Number.MAX_SAFE_INTEGER)
  given(invoiceDecider, ways.draft)
    .when(generate([huge, huge]))
    .thenRejected({ code: 'amount_overflow' })
})
