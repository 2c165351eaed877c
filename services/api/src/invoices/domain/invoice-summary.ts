// Decides what a list shows of an invoice (domain.md 3.7): never what may be large, its lines and the days that it bills.
import type { Totals } from './amounts.ts'
import { totalsOfInvoice } from './invoice.ts'
import type { InvoiceFields, InvoiceState } from './invoice-parts.ts'

export interface InvoiceSummary extends Omit<InvoiceState, 'fields' | 'billed' | 'payments' | 'issuer' | 'bill_to'> {
  fields: Omit<InvoiceFields, 'lines'> | null
  totals: Totals
  /** How many. */
  lines: number
}

export function summaryOf(state: InvoiceState): InvoiceSummary {
  const { fields: all, billed: _billed, payments: _payments, issuer: _issuer, bill_to: _billTo, ...own } = state
  const { lines = [], ...fields } = all ?? {}
  return {
    ...own,
    fields: all === null ? null : (fields as InvoiceSummary['fields']),
    totals: totalsOfInvoice(state),
    lines: lines.length,
  }
}
