// Declares the invoice: its stream, its row, its place in the API (domain.md 3.7).
import { type Change, type Loaded, load, workspaceOf } from '@wds/aggregate/aggregate'
import { publicEvents } from '@wds/aggregate/announcement'
import { type Listed, list } from '@wds/aggregate/list'
import { mergePatch } from '@wds/aggregate/merge-patch'
import { newId } from '@wds/aggregate/new-id'
import { commonFields, invalidState, type Resource } from '@wds/aggregate/resource'
import { moneyText } from '@wds/contracts/currencies'
import { Problem, problemOfFaults } from '@wds/http-service/problem'
import type { ApiRequest } from '@wds/http-service/route'
import type { Transaction } from '@wds/postgres/transaction'
import { findBrand } from '../brands/store-brands.ts'
import { localDate, toInstant } from '../calendar/domain/calendar.ts'
import { metadataFaults } from '../metadata/domain/metadata.ts'
import type { Invoice, InvoiceSummary as InvoiceListItem, NewInvoiceLine, operations } from '../openapi.generated.ts'
import type { InvoiceLine } from './domain/amounts.ts'
import { allowedActions, invoiceDecider, partPaymentsMax, replacedBy } from './domain/invoice.ts'
import { dueFaults, newInvoiceFaults } from './domain/invoice-form.ts'
import type {
  InvoiceCommand,
  InvoiceEvent,
  InvoicePatch,
  InvoiceRejection,
  InvoiceState,
} from './domain/invoice-parts.ts'
import { type InvoiceSummary, summaryOf } from './domain/invoice-summary.ts'
import { overdueAtMs } from './domain/overdue.ts'
import { invoicePublicEvent } from './domain/public-events.ts'
import { draftInvoice } from './draw-invoice.ts'
import { setOverdueAt } from './store-due.ts'

/** Lines that an answer shows; `/line-items` lists all. */
const shownLinesMax = 100

/** Of a row a list reads the summary alone: a hundred large invoices are a hundred megabytes. */
export const listedInvoices: Listed<InvoiceSummary, InvoiceListItem> = {
  path: '/v1/invoices',
  table: 'invoice_rows',
  decider: { initialState: summaryOf(invoiceDecider.initialState) },
  filters: {
    status: 'status',
    brand: 'brand_slug',
    currency: 'currency',
    disputed: 'disputed',
    'due[lt]': { below: 'due' },
  },
  toApi: (rows) => rows.map(toApiSummary),
}

export const invoices: Resource<InvoiceState, InvoiceCommand, InvoiceEvent, InvoiceRejection, Invoice> = {
  streamType: 'invoice',
  idPrefix: 'inv',
  table: 'invoices',
  path: '/v1/invoices',
  scopes: { read: 'invoices:read', write: 'invoices:write' },
  isMatchRequired: true,
  decider: invoiceDecider,
  columns: (state) => ({
    status: state.status,
    number: state.number,
    disputed: String(state.dispute !== null),
    kind: state.fields?.kind,
    brand_slug: state.fields?.brand_slug,
    currency: state.fields?.currency,
    due: state.fields?.due,
    summary: summaryOf(state),
  }),
  filters: listedInvoices.filters,
  list: (request, o) => list(request, listedInvoices, o),
  announce: publicEvents(invoicePublicEvent),
  project: followDue,
  // The worker finds those that are due by a row beside them.
  async beforeRebuild(tx, rows) {
    for (const { id, state } of rows) await setOverdueAt(tx, { id, atMs: overdueAtMs(state) })
  },
  // A credit note changes the invoice that it corrects.
  async lockFirst(tx, { state }) {
    const { replaces = null } = state.fields ?? {}
    if (replaces !== null) await load(tx, invoices, replaces, { lock: true })
  },
  toApi: (rows) => rows.map(toApiInvoice),
  toProblem: invoiceProblem,
  create: (request: ApiRequest<operations['createInvoice']>) => {
    const { body } = request
    const faults = [...newInvoiceFaults(body), ...metadataFaults(body.metadata ?? {})]
    if (faults.length > 0) throw problemOfFaults(faults)
    return body.kind === 'credit_note'
      ? (tx, { nowMs }) => draftCreditNote(tx, body, nowMs)
      : (tx, { nowMs }) => draft(tx, body, nowMs)
  },
  patch: (request: ApiRequest<operations['updateInvoice']>) => (_tx, found) => {
    const { state, nowMs } = found
    if (state.fields === null) throw new Error('an invoice without fields')
    const { line_items, ...given } = request.body
    const { memo, metadata, due } = state.fields
    const patch: InvoicePatch = mergePatch({ memo, metadata, due }, given, { memo: null, due: null })
    const faults = [...dueFaults(patch.due), ...metadataFaults(patch.metadata ?? {})]
    if (faults.length > 0) throw problemOfFaults(faults)
    const lines = line_items === undefined ? {} : { lines: line_items.map((line) => toManualLine(line, nowMs)) }
    return { type: 'update', patch: { ...patch, ...lines }, today: localDate(nowMs, state.fields.time_zone) }
  },
}

type New = operations['createInvoice']['requestBody']['content']['application/json']

async function draft(tx: Transaction, body: New, nowMs: number): Promise<InvoiceCommand> {
  const { brand_slug: brandSlug = '', currency = '', period = { from: '', to: '' } } = body
  if ((await findBrand(tx, workspaceOf(tx), brandSlug)) === null)
    throw unknown('/brand_slug', 'No brand has this slug.')
  const own = (body.line_items ?? []).map((line) => toManualLine(line, nowMs))
  const { command } = await draftInvoice(tx, { brandSlug, currency, period, nowMs, own, notes: notes(body) })
  return command
}

async function draftCreditNote(tx: Transaction, body: New, nowMs: number): Promise<InvoiceCommand> {
  const { replaces = '', line_items = [] } = body
  const corrected = await load(tx, invoices, replaces, { lock: false })
  if (corrected === null || corrected.state.fields === null) throw unknown('/replaces', 'No invoice has this id.')
  const { fields, payments, status } = corrected.state
  if (fields.kind !== 'invoice')
    throw unknown('/replaces', 'A credit note corrects an invoice, not another credit note.')
  if (payments.length === 0) {
    const allowed = allowedActions(corrected.state)
    const detail =
      'An invoice without payments is made void; a credit note corrects one that was paid, in part or whole.'
    throw invalidState({ code: 'invalid_state', current_status: status, allowed }, detail)
  }
  const { brand_slug, currency, period, time_zone } = fields
  const lines = line_items.map((line) => toManualLine(line, nowMs))
  const place = { kind: 'credit_note', brand_slug, currency, period, time_zone, replaces } as const
  return { type: 'create', fields: { ...place, ...notes(body), lines } }
}

const unknown = (pointer: string, detail: string) => problemOfFaults([{ pointer, code: 'invalid_value', detail }])
const notes = ({ due = null, memo = null, metadata = {} }: New) => ({ due, memo, metadata })

function toManualLine(given: NewInvoiceLine, nowMs: number): InvoiceLine {
  const nothing = { campaign_id: null, quantity: null, unit_amount: null, stats_revision: null }
  return { id: newId('ili', nowMs), origin: 'manual', ...nothing, ...given }
}

async function followDue(tx: Transaction, { before, after }: Change<InvoiceState, InvoiceEvent>): Promise<void> {
  const atMs = overdueAtMs(after.state)
  if (atMs !== overdueAtMs(before)) await setOverdueAt(tx, { id: after.id, atMs })
}

export function invoiceProblem(rejection: InvoiceRejection): Problem {
  switch (rejection.code) {
    case 'invalid_state':
      return invalidState(rejection)
    case 'lines_are_fixed': {
      const detail =
        'Lines change in a draft only: make the invoice void, or correct it by a credit note once it is paid.'
      return invalidState({ ...rejection, code: 'invalid_state' }, detail)
    }
    case 'due_not_later': {
      const detail = `The due date of a generated invoice moves to a later date only; it is ${rejection.due}.`
      return problemOfFaults([{ pointer: '/due', code: 'out_of_range', detail }])
    }
    case 'overpayment': {
      const detail = `A payment has the sign of the amount due and is not larger than it: ${textOf(rejection.amountDue, rejection)} is due.`
      return problemOfFaults([{ pointer: '/amount', code: 'overpayment', detail }])
    }
    case 'already_exists': {
      const detail = 'A payment of this invoice has this reference.'
      return problemOfFaults([{ pointer: '/reference', code: 'already_exists', detail }])
    }
    case 'limit_reached': {
      const detail = `An invoice takes ${partPaymentsMax} payments of a part; the next one pays the rest.`
      return new Problem('limit_reached', { detail })
    }
    case 'total_negative': {
      const detail = `The total of an invoice is not negative; of this one it is ${textOf(rejection.total, rejection)}. Bill a longer period, or add lines.`
      return problemOfFaults([{ pointer: '/line_items', code: 'out_of_range', detail }])
    }
    case 'credit_too_large': {
      const detail = `Credit notes give back at most what the invoice amounts to: ${textOf(rejection.creditable, rejection)} is left.`
      return problemOfFaults([{ pointer: '/line_items', code: 'out_of_range', detail }])
    }
    case 'nothing_to_invoice':
      return new Problem('nothing_matched', {
        detail:
          'There is nothing to invoice: no commission of this brand and currency in the period, and no line of your own.',
      })
    case 'invoice_has_payments':
    case 'amount_overflow':
      return new Problem(rejection.code)
  }
}

const textOf = (amount: number, { currency }: { currency: string }) => `${moneyText(amount, currency)} ${currency}`

const instantOf = (ms: number | null) => (ms === null ? null : toInstant(ms))

function toApiInvoice(row: Loaded<InvoiceState>): Invoice {
  const { fields, payments, issuer, bill_to } = row.state
  return {
    ...toApiSummary({ ...row, state: summaryOf(row.state) }),
    line_items: (fields?.lines ?? []).slice(0, shownLinesMax).map(toApiLine),
    payments,
    issuer,
    bill_to,
  }
}

function toApiSummary(row: Loaded<InvoiceSummary>): InvoiceListItem {
  const { status, fields, number, dispute, issuedMs, sentMs, paidMs, voidedMs, totals, lines } = row.state
  if (fields === null || status === 'none') throw new Error('an invoice without fields')
  return {
    ...commonFields('invoice', row),
    number,
    status,
    ...fields,
    ...totals,
    line_items_count: lines,
    replaced_by: replacedBy(row.state),
    dispute: dispute && { reason: dispute.reason, opened: toInstant(dispute.openedMs), note: dispute.note },
    issued: instantOf(issuedMs),
    sent: instantOf(sentMs),
    paid: instantOf(paidMs),
    voided: instantOf(voidedMs),
  }
}

export const toApiLine = (line: InvoiceLine) => ({ object: 'invoice_line_item' as const, ...line })
