// What the pages of invoices show and offer (ui.md 2): pure, as the API tells it.

import type { components } from '@wds/api-client/schemas'
import { minorUnits } from '@wds/contracts/currencies'
import { invoiceStatuses } from '@wds/contracts/states'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { invoiceTexts as words } from '../texts/invoices.ts'

type Schemas = components['schemas']
export type Invoice = Schemas['Invoice']
export type InvoiceSummary = Schemas['InvoiceSummary']
export type InvoiceAction = keyof typeof words.done
export { invoiceStatuses }

/** In the order of the buttons; the API says the same by 409. */
export function actionsOn({ status, dispute, payments }: Pick<Invoice, 'status' | 'dispute' | 'payments'>) {
  const actions: InvoiceAction[] = []
  if (status === 'paid' || status === 'void') return actions
  if (status === 'draft') actions.push('generate')
  else actions.push('record_payment', 'send', dispute === null ? 'dispute' : 'resolve_dispute')
  if (payments.length === 0) actions.push('void')
  return actions
}

/** Its number; a draft by its brand. */
export const nameOf = ({ number }: Pick<Invoice, 'number'>, brand: string) => number ?? words.draftOf(brand)

/** Of its page. */
export const titleOf = (invoice: Pick<Invoice, 'number' | 'kind'>, brand: string) =>
  invoice.number === null ? nameOf(invoice, brand) : `${kindName(invoice)} ${invoice.number}`

export const kindName = ({ kind }: Pick<Invoice, 'kind'>) => (kind === 'credit_note' ? words.creditNote : words.invoice)

/**
 * `1,250.5` of EUR is 125050; null: no amount of the currency, or beyond what numbers hold. A comma parts thousands: `12,50`, as half of
 * Europe writes twelve and a half, is no amount, lest it be taken for 1,250.
 */
export function minorOf(text: string, currency: string): number | null {
  const places = minorUnits(currency) ?? 0
  const parts = /^(-?)(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d+))?$/.exec(text.trim())
  if (parts === null) return null
  const [, sign = '', whole = '', cents = ''] = parts
  if (cents.length > places) return null
  const amount = Number(`${sign}${whole.replaceAll(',', '')}${cents.padEnd(places, '0')}`)
  return Number.isSafeInteger(amount) && amount !== 0 ? amount : null
}

/** As `minorOf` reads it. */
export function amountInput(minor: number, currency: string): string {
  const places = minorUnits(currency) ?? 0
  const digits = String(Math.abs(minor)).padStart(places + 1, '0')
  const whole = digits.slice(0, digits.length - places)
  return `${minor < 0 ? '-' : ''}${whole}${places === 0 ? '' : `.${digits.slice(-places)}`}`
}

export interface InvoiceDraft {
  brand: string
  currency: string
  from: string
  to: string
  due: string
  memo: string
}

/** The month before the day, `2026-11-23`. */
export function lastMonth(today: string): { from: string; to: string } {
  const [year = 0, month = 1] = today.split('-').map(Number)
  const day = (at: number, ofMonth: number) => new Date(Date.UTC(year, at, ofMonth)).toISOString().slice(0, 10)
  return { from: day(month - 2, 1), to: day(month - 1, 0) }
}

export function newInvoice({ brand, currency, from, to, due, memo }: InvoiceDraft): Schemas['NewInvoice'] {
  return withoutUndefined({
    kind: 'invoice',
    brand_slug: brand,
    currency,
    period: { from, to },
    due: due === '' ? undefined : due,
    memo: memo.trim() === '' ? undefined : memo.trim(),
  })
}

export interface IssuerDraft {
  legal_name: string
  address: string[]
  country: string
  tax_id: string
  iban: string
  bic: string
  bank_account: string
}

export function issuerDraft(issuer: Schemas['Issuer'] | null | undefined): IssuerDraft {
  const { legal_name = '', address = [''], country = '', tax_id, iban, bic, bank_account } = issuer ?? {}
  return {
    legal_name,
    address,
    country,
    tax_id: tax_id ?? '',
    iban: iban ?? '',
    bic: bic ?? '',
    bank_account: bank_account ?? '',
  }
}

/** As a patch takes it: empty fields are null, so that one that was emptied is taken away, and what is new leaves them out. */
export function issuerFields(draft: IssuerDraft) {
  const filled = (text: string) => (text.trim() === '' ? null : text.trim())
  const address = draft.address.map((line) => line.trim()).filter((line) => line !== '')
  return {
    legal_name: filled(draft.legal_name),
    address: address.length === 0 ? null : address,
    country: filled(draft.country),
    tax_id: filled(draft.tax_id),
    iban: filled(draft.iban),
    bic: filled(draft.bic),
    bank_account: filled(draft.bank_account),
  }
}

/** Of the PDF and the CSV, as the API names them. */
export const fileNameOf = ({ number, id }: Pick<Invoice, 'number' | 'id'>, type: 'pdf' | 'csv') =>
  `invoice-${number ?? id}.${type}`
