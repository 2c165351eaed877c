// Decides what a line of a file of payments is for its invoice (domain.md 3.12): a payment, one that is recorded already, or nothing, and
// why. It stops at the first fault of a line.
import { minorUnits } from '@wds/contracts/currencies'
import { dayNumber, localDate } from '../../calendar/domain/calendar.ts'
import type { Cells } from '../../files/domain/named-columns.ts'
import type { Payment } from '../../invoices/domain/amounts.ts'
import type { InvoiceRejection, InvoiceState } from '../../invoices/domain/invoice-parts.ts'
import { earliestDate, type RejectedRow, rejected } from '../../sources/domain/check-row.ts'
import { parseAmount } from '../../sources/domain/parse-amount.ts'

/** The columns of a file of payments, in any order. `invoice`: its id or its number. */
export const paymentColumns = {
  required: ['invoice', 'reference', 'amount', 'received', 'method'],
  optional: ['currency'],
} as const
type PaymentCells = Cells<(typeof paymentColumns.required)[number] | (typeof paymentColumns.optional)[number]>

/** Characters of a text, as `record-payment` takes them. */
const longest = { reference: 100, method: 40 } as const

export type PaymentLine = { ok: true; cells: PaymentCells } | RejectedRow

/** What can be said of a line without its invoice. */
export function checkPaymentLine(cells: PaymentCells): PaymentLine {
  const missing = paymentColumns.required.find((column) => cells[column] === '')
  if (missing !== undefined) return rejected('missing_required', missing)
  for (const column of ['reference', 'method'] as const)
    if ([...cells[column]].length > longest[column]) return rejected('text_too_long', column, cells[column])
  const { received } = cells
  if (dayNumber(received) === null) return rejected('bad_date', 'received', received)
  if (received < earliestDate) return rejected('date_too_old', 'received', received)
  return { ok: true, cells }
}

export type JudgedPayment =
  | { ok: true; payment: Omit<Payment, 'id'> }
  /** It is recorded already, just so. */
  | { ok: true; payment: null }
  | RejectedRow

/** What a line is for its invoice as it is now. */
export function judgePayment(cells: PaymentCells, { fields, payments }: InvoiceState, nowMs: number): JudgedPayment {
  if (fields === null) throw new Error('an invoice without fields')
  const { received, method, reference } = cells
  const { currency } = fields
  if (cells.currency !== '' && cells.currency !== currency)
    return rejected('other_currency', 'currency', cells.currency)
  const parsed = parseAmount(cells.amount, minorUnits(currency) ?? 0, 'reject')
  if (!parsed.ok) return rejected(parsed.error, 'amount', cells.amount)
  if (received > localDate(nowMs, fields.time_zone)) return rejected('date_in_future', 'received', received)
  const amount = Number(parsed.value)
  const known = payments.find((payment) => payment.reference === reference)
  if (known === undefined) return { ok: true, payment: { amount, received, method, reference } }
  const isSame = known.amount === amount && known.received === received && known.method === method
  return isSame ? { ok: true, payment: null } : rejected('duplicate_key', 'reference', reference)
}

/** Why the invoice refuses the payment. */
export function refusedPayment(rejection: InvoiceRejection, cells: PaymentCells): RejectedRow {
  if (rejection.code === 'overpayment') return rejected('overpayment', 'amount', cells.amount)
  return rejected(rejection.code === 'limit_reached' ? 'limit_reached' : 'not_payable', 'invoice', cells.invoice)
}
