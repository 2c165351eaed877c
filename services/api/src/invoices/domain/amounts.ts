// Decides what an invoice amounts to: Σ lines without tax = subtotal, + tax = total, − payments = due (domain.md 3.7). All in minor units.

/** What a line is about (domain.md 3.7). */
export type LineKind = 'cpa' | 'revshare' | 'flat' | 'adjustment' | 'carryover' | 'tax'

/** One line of an invoice. */
export interface InvoiceLine {
  /** `ili_…` */
  id: string
  /** Drawn from stats, or added by somebody. */
  origin: 'stats' | 'manual'
  kind: LineKind
  description: string
  campaign_id: string | null
  quantity: number | null
  unit_amount: number | null
  /** May be negative. */
  amount: number
  /** Of the day's numbers that the line was drawn from; the highest of the period. */
  stats_revision: number | null
}

export interface Payment {
  /** `ipm_…` */
  id: string
  /** Of the sign of what is due. */
  amount: number
  /** Date on which it was received. */
  received: string
  method: string
  /** Unique within the invoice. */
  reference: string
}

export interface Totals {
  subtotal: number
  tax_amount: number
  total: number
  amount_paid: number
  amount_due: number
}

/** Null where an amount leaves the range of money (domain.md M1). */
export function totalsOf(o: { lines: readonly InvoiceLine[]; payments: readonly Payment[] }): Totals | null {
  const isTax = ({ kind }: InvoiceLine) => kind === 'tax'
  const subtotal = sum(o.lines.filter((line) => !isTax(line)))
  const tax = sum(o.lines.filter(isTax))
  const paid = sum(o.payments)
  const all = [subtotal, tax, subtotal + tax, paid, subtotal + tax - paid]
  if (all.some((amount) => !Number.isSafeInteger(Number(amount)))) return null
  const [subtotalMinor = 0, tax_amount = 0, total = 0, amount_paid = 0, amount_due = 0] = all.map(Number)
  return { subtotal: subtotalMinor, tax_amount, total, amount_paid, amount_due }
}

/** Exact, whatever the number of parts. */
function sum(parts: readonly { amount: number }[]): bigint {
  return parts.reduce((total, { amount }) => total + BigInt(amount), 0n)
}
