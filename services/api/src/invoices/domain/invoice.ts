// Decides the life of an invoice (domain.md 3.7): drawn up, numbered, sent, paid in parts or whole, overdue, disputed, void.

import type { InvoiceStatus } from '@wds/contracts/states'
import { accept, type Decider, type InvalidState, reject } from '@wds/decider/decider'
import { isSameJson } from '@wds/decider/same-json'
import { type InvoiceLine, type Totals, totalsOf } from './amounts.ts'
import type {
  InvoiceCommand,
  InvoiceEvent,
  InvoiceFields,
  InvoicePatch,
  InvoiceRejection,
  InvoiceState,
} from './invoice-parts.ts'

/** For each state the actions allowed (domain.md 3.7). */
export const invoiceMachine = {
  none: ['create'],
  draft: ['update', 'generate', 'void'],
  generated: [
    'update',
    'send',
    'record_payment',
    'mark_overdue',
    'dispute',
    'resolve_dispute',
    'void',
    'note_credit',
    'withdraw_credit',
  ],
  sent: [
    'update',
    'send',
    'record_payment',
    'mark_overdue',
    'dispute',
    'resolve_dispute',
    'void',
    'note_credit',
    'withdraw_credit',
  ],
  overdue: ['update', 'send', 'record_payment', 'dispute', 'resolve_dispute', 'void', 'note_credit', 'withdraw_credit'],
  paid: ['note_credit', 'withdraw_credit'],
  void: [],
} as const satisfies Record<InvoiceState['status'], readonly InvoiceCommand['type'][]>

/** Actions that are no one's to ask for. */
const internal: readonly InvoiceCommand['type'][] = ['mark_overdue', 'note_credit', 'withdraw_credit']

const initialState: InvoiceState = {
  status: 'none',
  fields: null,
  number: null,
  billed: [],
  payments: [],
  dispute: null,
  issuedMs: null,
  sentMs: null,
  paidMs: null,
  voidedMs: null,
  credits: [],
  issuer: null,
  bill_to: null,
}

export const invoiceDecider: Decider<InvoiceState, InvoiceCommand, InvoiceEvent, InvoiceRejection> = {
  initialState,
  evolve(state, event) {
    switch (event.type) {
      case 'InvoiceDrafted':
        return { ...state, status: 'draft', fields: event.data.fields }
      case 'InvoiceUpdated':
        return { ...state, status: event.data.status, fields: state.fields && patched(state.fields, event.data.patch) }
      case 'InvoiceGenerated': {
        const { number, lines, billed, due, time_zone, issuer = null, bill_to = null, at_ms: issuedMs } = event.data
        const fields = state.fields && { ...state.fields, lines, due, time_zone }
        return { ...state, status: 'generated', fields, number, billed, issuer, bill_to, issuedMs }
      }
      case 'InvoiceSent': {
        const status = state.status === 'generated' ? 'sent' : state.status
        return { ...state, status, sentMs: state.sentMs ?? event.data.at_ms }
      }
      case 'PaymentRecorded':
        return { ...state, payments: [...state.payments, event.data.payment] }
      case 'InvoicePaid':
        return { ...state, status: 'paid', paidMs: event.data.at_ms }
      case 'InvoiceFellOverdue':
        return { ...state, status: 'overdue' }
      case 'InvoiceDisputed': {
        const { reason, note, at_ms: openedMs } = event.data
        return { ...state, dispute: { reason, note, openedMs } }
      }
      case 'DisputeResolved':
        return { ...state, dispute: null }
      case 'InvoiceVoided':
        return { ...state, status: 'void', voidedMs: event.data.at_ms }
      case 'InvoiceReplaced':
        return { ...state, credits: [...state.credits, { id: event.data.by, amount: event.data.amount ?? 0 }] }
      case 'ReplacementWithdrawn':
        return { ...state, credits: state.credits.filter(({ id }) => id !== event.data.by) }
    }
  },
  decide(state, command) {
    const allowed: readonly string[] = invoiceMachine[state.status]
    if (!allowed.includes(command.type)) return refuse(state)
    switch (command.type) {
      case 'create':
        return withinRange(command.fields.lines) ?? accept({ type: 'InvoiceDrafted', data: { fields: command.fields } })
      case 'update':
        return update(state, command)
      case 'generate':
        return generate(state, command)
      case 'send':
        return accept({ type: 'InvoiceSent', data: { channel: command.channel, at_ms: command.atMs } })
      case 'record_payment':
        return recordPayment(state, command)
      case 'mark_overdue':
        return markOverdue(state, command)
      case 'dispute': {
        if (state.dispute !== null) return refuse(state)
        const { reason, note, atMs: at_ms } = command
        return accept({ type: 'InvoiceDisputed', data: { reason, note, at_ms } })
      }
      case 'resolve_dispute':
        return state.dispute === null ? refuse(state) : accept({ type: 'DisputeResolved', data: {} })
      case 'void':
        if (state.payments.length > 0) return reject({ code: 'invoice_has_payments' })
        return accept({ type: 'InvoiceVoided', data: { at_ms: command.atMs } })
      case 'note_credit': {
        const { id: by, amount } = command.credit
        return accept({ type: 'InvoiceReplaced', data: { by, amount } })
      }
      case 'withdraw_credit':
        return accept({ type: 'ReplacementWithdrawn', data: { by: command.id } })
    }
  },
}

/** What may be asked for now. A dispute is opened once and resolved once. */
export function allowedActions(state: InvoiceState): string[] {
  const useless = state.dispute === null ? 'resolve_dispute' : 'dispute'
  return invoiceMachine[state.status].filter((action) => !internal.includes(action) && action !== useless)
}

function invalidNow(state: InvoiceState): InvalidState {
  return { code: 'invalid_state', current_status: state.status, allowed: allowedActions(state) }
}

function refuse(state: InvoiceState) {
  return reject(invalidNow(state))
}

/** The amounts of what is stored are in range. */
export function totalsOfInvoice({ fields, payments }: Pick<InvoiceState, 'fields' | 'payments'>): Totals {
  const totals = totalsOf({ lines: fields?.lines ?? [], payments })
  if (totals === null) throw new Error('an invoice out of the range of money')
  return totals
}

/** The last credit note that corrects it. */
export const replacedBy = ({ credits }: Pick<InvoiceState, 'credits'>) => credits.at(-1)?.id ?? null

/** What credit notes may still give back: of the total, what those before have not. One that asks for more adds nothing to it. */
export function creditableOf(state: InvoiceState): number {
  return state.credits.reduce((left, { amount }) => left + Math.min(0, amount), totalsOfInvoice(state).total)
}

function withinRange(lines: readonly InvoiceLine[]) {
  return totalsOf({ lines, payments: [] }) === null ? reject({ code: 'amount_overflow' as const }) : null
}

/** Lines that people add stand behind those drawn from stats. */
export function withManualLines(lines: readonly InvoiceLine[], manual: readonly InvoiceLine[]): InvoiceLine[] {
  return [...lines.filter(({ origin }) => origin === 'stats'), ...manual]
}

function patched(fields: InvoiceFields, { lines, ...patch }: InvoicePatch): InvoiceFields {
  return { ...fields, ...patch, lines: lines === undefined ? fields.lines : withManualLines(fields.lines, lines) }
}

/** A change of nothing makes no event: the version stays. */
function update(state: InvoiceState, { patch, today }: Extract<InvoiceCommand, { type: 'update' }>) {
  const { fields, status } = state
  if (fields === null || status === 'none') throw new Error('an invoice without fields')
  const given = patch.lines === undefined ? patch : { ...patch, lines: withManualLines(fields.lines, patch.lines) }
  const changed = Object.entries(given)
    .filter(([name, value]) => !isSameJson(value, fields[name as keyof InvoicePatch]))
    .map(([name]) => (name === 'lines' ? 'line_items' : name))
  if (changed.length === 0) return accept<InvoiceEvent>()
  const { due = fields.due } = patch
  if (status !== 'draft') {
    if (changed.includes('line_items')) return reject({ ...invalidNow(state), code: 'lines_are_fixed' as const })
    const isEarlier = due === null || (fields.due !== null && due < fields.due)
    if (changed.includes('due') && isEarlier) return reject({ code: 'due_not_later' as const, due: fields.due })
  }
  const fault = given.lines === undefined ? null : withinRange(given.lines)
  if (fault !== null) return fault
  const isDueAgain = status === 'overdue' && due !== null && due >= today
  const next: InvoiceStatus = isDueAgain ? (state.sentMs === null ? 'generated' : 'sent') : status
  return accept<InvoiceEvent>({ type: 'InvoiceUpdated', data: { patch, changed, status: next } })
}

function generate(state: InvoiceState, command: Extract<InvoiceCommand, { type: 'generate' }>) {
  const { number, lines, billed, due, timeZone: time_zone, issuer, billTo: bill_to, creditable, atMs: at_ms } = command
  if (lines.length === 0) return reject({ code: 'nothing_to_invoice' as const })
  const totals = totalsOf({ lines, payments: [] })
  if (totals === null) return reject({ code: 'amount_overflow' as const })
  if (state.fields === null) throw new Error('an invoice without fields')
  const { kind, currency } = state.fields
  if (totals.total < 0 && kind === 'invoice')
    return reject({ code: 'total_negative' as const, total: totals.total, currency })
  if (creditable !== null && -totals.total > creditable)
    return reject({ code: 'credit_too_large' as const, creditable, currency })
  const data = { number, lines, billed, due, time_zone, issuer, bill_to, at_ms }
  const generated: InvoiceEvent = { type: 'InvoiceGenerated', data }
  // Nothing is due of it, so nobody could ever pay it.
  return totals.total === 0
    ? accept<InvoiceEvent>(generated, { type: 'InvoicePaid', data: { at_ms } })
    : accept<InvoiceEvent>(generated)
}

/** Payments of a part: the row, which each rewrites whole, holds them all. One that pays the rest is taken behind them, so that it can end. */
export const partPaymentsMax = 1_000

function recordPayment(state: InvoiceState, { payment, atMs }: Extract<InvoiceCommand, { type: 'record_payment' }>) {
  if (state.fields === null) throw new Error('an invoice without fields')
  const { currency } = state.fields
  const { amount_due: amountDue } = totalsOfInvoice(state)
  if (state.payments.some(({ reference }) => reference === payment.reference))
    return reject({ code: 'already_exists' as const, reference: payment.reference })
  const isOfOtherSign = Math.sign(payment.amount) !== Math.sign(amountDue)
  if (isOfOtherSign || Math.abs(payment.amount) > Math.abs(amountDue))
    return reject({ code: 'overpayment' as const, amountDue, currency })
  if (state.payments.length >= partPaymentsMax && payment.amount !== amountDue)
    return reject({ code: 'limit_reached' as const })
  const recorded: InvoiceEvent = { type: 'PaymentRecorded', data: { payment } }
  if (payment.amount !== amountDue) return accept<InvoiceEvent>(recorded)
  return accept<InvoiceEvent>(recorded, { type: 'InvoicePaid', data: { at_ms: atMs } })
}

/** Somebody may have moved the due date meanwhile; a credit note is never overdue. */
function markOverdue({ fields }: InvoiceState, command: Extract<InvoiceCommand, { type: 'mark_overdue' }>) {
  if (fields === null || fields.due === null || fields.kind === 'credit_note' || command.today <= fields.due)
    return accept<InvoiceEvent>()
  const data = { due: fields.due, days_overdue: command.daysOverdue }
  return accept<InvoiceEvent>({ type: 'InvoiceFellOverdue', data })
}
