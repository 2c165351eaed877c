// What people do with an invoice beside what its resource declares (domain.md 3.7).
import { executeOrFail } from '@wds/aggregate/aggregate'
import { newId } from '@wds/aggregate/new-id'
import { change, loadOr404 } from '@wds/aggregate/resource'
import type { AppendContext } from '@wds/event-store/event-store'
import { page } from '@wds/http-service/cursor'
import { problemOfFaults } from '@wds/http-service/problem'
import type { Handle, RouteOf } from '@wds/http-service/route'
import type { Transaction } from '@wds/postgres/transaction'
import { localDate } from '../calendar/domain/calendar.ts'
import type { ApiDependencies } from '../dependencies.ts'
import type { operations, paths } from '../openapi.generated.ts'
import { totalsOfInvoice } from './domain/invoice.ts'
import { receivedFaults } from './domain/invoice-form.ts'
import type { InvoiceCommand, InvoiceState } from './domain/invoice-parts.ts'
import { generateInvoice, loadCorrected } from './generate-invoice.ts'
import { invoiceCsv } from './invoice-csv.ts'
import { readPdf } from './read-pdf.ts'
import { invoices, toApiLine } from './resource.ts'

export function invoiceRoutes({ cursors }: Pick<ApiDependencies, 'cursors'>): RouteOf<paths>[] {
  const { read, write: scope } = invoices.scopes
  const one = '/v1/invoices/{id}'
  const moneyAction = { method: 'POST', scope, idempotencyKeyRequired: true } as const
  return [
    { method: 'GET', path: `${one}/line-items`, scope: read, handle: listLines(cursors) },
    { method: 'GET', path: `${one}.csv`, scope: read, handle: readCsv },
    { method: 'GET', path: `${one}.pdf`, scope: read, handle: readPdf },
    { ...moneyAction, path: `${one}/generate`, handle: generate },
    { ...moneyAction, path: `${one}/record-payment`, handle: recordPayment },
    { method: 'POST', path: `${one}/send`, scope, handle: send },
    { method: 'POST', path: `${one}/dispute`, scope, handle: dispute },
    { method: 'POST', path: `${one}/resolve-dispute`, scope, handle: resolveDispute },
    { method: 'POST', path: `${one}/void`, scope, handle: makeVoid },
  ]
}

/** Numbers are given in the order of commits: until this one ends, no other invoice of the workspace is generated. */
const generate: Handle<operations['generateInvoice']> = (request) =>
  change(request, invoices, generateInvoice, {
    after: (tx, { id, state }) =>
      tellCorrected(tx, request.context, { state, command: { type: 'note_credit', credit: creditOf(id, state) } }),
  })

const creditOf = (id: string, state: InvoiceState) => ({ id, amount: totalsOfInvoice(state).total })

/** A credit note tells the invoice that it corrects. */
async function tellCorrected(
  tx: Transaction,
  context: AppendContext,
  { state, command }: { state: InvoiceState; command: InvoiceCommand },
): Promise<void> {
  const { replaces = null } = state.fields ?? {}
  if (replaces === null) return
  await executeOrFail(tx, invoices, { context, loaded: await loadCorrected(tx, replaces), command })
}

const recordPayment: Handle<operations['recordInvoicePayment']> = (request) =>
  change(request, invoices, (_tx, { state, nowMs }) => {
    const { amount, received, method, reference } = request.body
    const faults = receivedFaults(received, localDate(nowMs, state.fields?.time_zone ?? 'UTC'))
    if (faults.length > 0) throw problemOfFaults(faults)
    const payment = { id: newId('ipm', nowMs), amount, received, method, reference }
    return { type: 'record_payment', payment, atMs: nowMs }
  })

const send: Handle<operations['sendInvoice']> = (request) =>
  change(request, invoices, (_tx, { nowMs }) => ({ type: 'send', channel: request.body.channel, atMs: nowMs }))

const dispute: Handle<operations['disputeInvoice']> = (request) =>
  change(request, invoices, (_tx, { nowMs }) => {
    const { reason, note = null } = request.body
    return { type: 'dispute', reason, note, atMs: nowMs }
  })

const resolveDispute: Handle<operations['resolveInvoiceDispute']> = (request) =>
  change(request, invoices, () => ({ type: 'resolve_dispute' }))

const makeVoid: Handle<operations['voidInvoice']> = (request) =>
  change(request, invoices, (_tx, { nowMs }) => ({ type: 'void', atMs: nowMs }), {
    async after(tx, { id, state }) {
      if (state.number !== null)
        await tellCorrected(tx, request.context, { state, command: { type: 'withdraw_credit', id } })
    },
  })

/** Lines have no time of their own: the place of a page is the number of those before it. Lines of a draft may change between two pages. */
function listLines(cursors: ApiDependencies['cursors']): Handle<operations['listInvoiceLines']> {
  return async (request) => {
    const { id } = request.params
    const { cursor, limit } = request.query
    const binding = { workspaceId: request.client.workspaceId, route: '/v1/invoices/{id}/line-items', filters: { id } }
    const [from = 0] = cursor === undefined ? [] : cursors.decode(cursor, binding).map(Number)
    const { state } = await request.read((tx) => loadOr404(tx, invoices, id))
    const lines = (state.fields?.lines ?? []).slice(from, from + limit + 1)
    const placed = lines.map((line, at) => ({ line, end: from + at + 1 }))
    const found = page(placed, limit, ({ end }) => cursors.encode({ ...binding, position: [end] }))
    return { status: 200, body: { ...found, data: found.data.map(({ line }) => toApiLine(line)) } }
  }
}

const readCsv: Handle<operations['readInvoiceCsv']> = async (request) => {
  const { id } = request.params
  const { state, version } = await request.read((tx) => loadOr404(tx, invoices, id))
  return {
    status: 200,
    version,
    bytes: Buffer.from(invoiceCsv(state)),
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="invoice-${state.number ?? id}.csv"`,
    },
  }
}
