// Decides what the PDF of an invoice says (domain.md 3.7): every text of it, in its order. Where it stands on a page is write-pdf.ts's.
import { moneyText } from '@wds/contracts/currencies'
import { localDate } from '../../calendar/domain/calendar.ts'
import type { BillTo, Issuer, Party } from '../../parties/domain/party.ts'
import type { InvoiceLine } from './amounts.ts'
import { totalsOfInvoice } from './invoice.ts'
import type { InvoiceState } from './invoice-parts.ts'

/** More than any invoice has whose days were all restated for ten years; a PDF of as many is drawn in a few seconds. */
export const pdfLinesMax = 10_000

export interface DocumentRow {
  description: string
  quantity: string
  unitAmount: string
  amount: string
}

export interface InvoiceDocument {
  title: 'Invoice' | 'Credit note'
  /** Across every page, where it is no invoice, or none any more. */
  mark: 'DRAFT' | 'VOID' | null
  /** Its number, or what stands for it in a draft. */
  number: string
  language: 'en'
  facts: { name: string; value: string }[]
  from: string[]
  to: string[]
  rows: DocumentRow[]
  totals: { name: string; value: string }[]
  /** How it is paid; nothing where nobody told, or nothing is due. */
  payment: { name: string; value: string }[]
  memo: string | null
  /** When what it says was settled: the PDF is dated so, and is the same bytes each time. */
  datedMs: number
}

export interface DocumentOf {
  state: InvoiceState
  /** As an invoice that was generated names them; of a draft as it would now. */
  issuer: Issuer | null
  billTo: BillTo
  /** Number of the invoice that a credit note corrects. */
  corrects: string | null
  updatedMs: number
}

export function invoiceDocument({ state, issuer, billTo, corrects, updatedMs }: DocumentOf): InvoiceDocument {
  const { fields, number, status, issuedMs } = state
  if (fields === null) throw new Error('an invoice without fields')
  const { kind, currency, period, time_zone, due, memo, lines } = fields
  const isCredit = kind === 'credit_note'
  const totals = totalsOfInvoice(state)
  const money = (amount: number) => moneyText(amount, currency)
  const rows: [string, string | null][] = [
    [isCredit ? 'Credit note' : 'Invoice', number ?? 'not numbered yet'],
    ['Corrects invoice', corrects],
    ['Issued', issuedMs === null ? null : localDate(issuedMs, time_zone)],
    ['Due', isCredit ? null : due],
    ['Period', `${period.from} to ${period.to} (${time_zone})`],
    ['Currency', currency],
  ]
  const banked: [string, string | null][] = [
    ['IBAN', groupsOfFour(issuer?.iban ?? null)],
    ['BIC', issuer?.bic ?? null],
    ['Account', issuer?.bank_account ?? null],
  ]
  const isPayable = !isCredit && status !== 'void' && banked.some(([, value]) => value !== null)
  return {
    title: isCredit ? 'Credit note' : 'Invoice',
    mark: status === 'void' ? 'VOID' : number === null ? 'DRAFT' : null,
    number: number ?? 'Draft',
    language: 'en',
    facts: named(rows),
    from: issuer === null ? [] : partyLines(issuer),
    to: billTo.legal === null ? [billTo.name] : partyLines(billTo.legal),
    rows: lines.map((line) => toRow(line, money)),
    totals: [
      { name: 'Subtotal', value: money(totals.subtotal) },
      { name: 'Tax', value: money(totals.tax_amount) },
      { name: 'Total', value: `${money(totals.total)} ${currency}` },
      { name: 'Paid', value: money(totals.amount_paid) },
      { name: 'Amount due', value: `${money(totals.amount_due)} ${currency}` },
    ],
    payment: isPayable ? named([...banked, ['Reference', number]]) : [],
    memo,
    datedMs: issuedMs ?? updatedMs,
  }
}

function named(rows: [string, string | null][]): { name: string; value: string }[] {
  return rows.flatMap(([name, value]) => (value === null ? [] : [{ name, value }]))
}

function partyLines({ legal_name, address, country, tax_id }: Party): string[] {
  return [legal_name, ...address, country, ...(tax_id === null ? [] : [`Tax ID ${tax_id}`])]
}

function toRow(line: InvoiceLine, money: (amount: number) => string): DocumentRow {
  return {
    description: line.description,
    quantity: line.quantity === null ? '' : groups(String(line.quantity)),
    unitAmount: line.unit_amount === null ? '' : money(line.unit_amount),
    amount: money(line.amount),
  }
}

const groups = (digits: string) => digits.replace(/\B(?=(\d{3})+$)/g, ',')
const groupsOfFour = (iban: string | null) => iban?.replace(/.{4}(?=.)/g, '$& ') ?? null
