// Decides what `generate` asks of an invoice (domain.md 3.7): its number, its parties, its lines drawn anew of final days.
import { type Loaded, load } from '@wds/aggregate/aggregate'
import { invalidState } from '@wds/aggregate/resource'
import { Problem, problemOfFaults } from '@wds/http-service/problem'
import type { Transaction } from '@wds/postgres/transaction'
import { addDays, localDate } from '../calendar/domain/calendar.ts'
import { readSettings } from '../settings/read-settings.ts'
import { allowedActions, creditableOf, withManualLines } from './domain/invoice.ts'
import type { InvoiceCommand, InvoiceFields, InvoiceState } from './domain/invoice-parts.ts'
import { type Drawn, drawInvoice } from './draw-invoice.ts'
import { partiesNow } from './parties-now.ts'
import { invoiceProblem, invoices } from './resource.ts'
import { findOverlapping, lockNumbers, takeNumber } from './store-billing.ts'

/** Days until an invoice is due for which nobody said when. */
const dueDays = 30

/**
 * The command that generates the invoice. Its number is taken last, once all else is judged, so that a refused invoice takes none. Until the
 * transaction ends, no other invoice of the workspace is generated. `drawn`: the lines that this transaction drew for the draft, which are
 * used again; without them they are drawn anew.
 */
export async function generateInvoice(
  tx: Transaction,
  { state, nowMs }: Loaded<InvoiceState>,
  drawn: Drawn | null = null,
): Promise<InvoiceCommand> {
  const { fields, status } = state
  if (fields === null || status !== 'draft')
    throw invalidState({ code: 'invalid_state', current_status: status, allowed: allowedActions(state) })
  const { time_zone: timeZone } = await readSettings(tx)
  const today = localDate(nowMs, timeZone)
  await lockNumbers(tx)
  const own =
    fields.replaces === null ? await linesOf(tx, fields, { timeZone, nowMs, drawn }) : await creditOf(tx, fields)
  const parties = await partiesNow(tx, fields.brand_slug)
  const due = fields.due ?? addDays(today, dueDays)
  const command = { type: 'generate', number: '', due, timeZone, ...parties, ...own, atMs: nowMs } as const
  const decision = invoices.decider.decide(state, command)
  if (!decision.accepted) throw invoiceProblem(decision.rejection)
  return { ...command, number: await takeNumber(tx, today.slice(0, 4)) }
}

async function creditOf(tx: Transaction, { replaces, lines }: InvoiceFields) {
  const { state } = await loadCorrected(tx, replaces ?? '')
  return { lines, billed: [], creditable: creditableOf(state) }
}

/** Of final days alone, none of which another invoice bills. */
async function linesOf(
  tx: Transaction,
  fields: InvoiceFields,
  o: { timeZone: string; nowMs: number; drawn: Drawn | null },
) {
  const billing = { brandSlug: fields.brand_slug, currency: fields.currency, period: fields.period }
  const other = await findOverlapping(tx, billing)
  if (other !== null) {
    const detail = `${other} bills days of this period.`
    throw problemOfFaults([{ pointer: '/period', code: 'already_exists', detail }])
  }
  const { lines, billed, open } = o.drawn ?? (await drawInvoice(tx, { ...billing, ...o }))
  if (open.length > 0) throw notFinal(open)
  const manual = fields.lines.filter(({ origin }) => origin === 'manual')
  return { lines: withManualLines(lines, manual), billed, creditable: null }
}

function notFinal(open: string[]): Problem {
  const first = `the first of them is ${open[0]}`
  const detail =
    open.length === 1
      ? `${open[0]} is not final yet.`
      : `${open.length} days of the period are not final yet; ${first}.`
  return new Problem('period_not_final', { detail })
}

/** Held already by whoever holds the credit note. */
export async function loadCorrected(tx: Transaction, id: string): Promise<Loaded<InvoiceState>> {
  const corrected = await load(tx, invoices, id, { lock: true })
  if (corrected === null) throw new Error('a credit note of nothing')
  return corrected
}
