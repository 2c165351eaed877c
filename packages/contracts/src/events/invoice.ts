// Declares the events of invoices (domain.md 5.28 to 5.35). Amounts are minor units and may be negative (credit notes).
import type { EventDeclaration } from './declaration.ts'

const readScope = ['invoices:read'] as const

export const invoiceEvents = {
  'invoice.generated': {
    meaning: 'An invoice got its number and no longer changes.',
    data: {
      invoice_id: 'id inv',
      number: 'str',
      kind: 'str invoice|credit_note',
      brand_slug: 'slug',
      period_from: 'date',
      period_to: 'date',
      amount: 'int',
      currency: 'cur',
      due: 'date',
    },
    oncePer: 'invoice',
    readScope,
    volume: 'low',
  },
  'invoice.updated': {
    meaning: 'Memo, metadata, due date or dispute of an invoice changed.',
    data: { invoice_id: 'id inv', number: 'str', brand_slug: 'slug', changed: '[str]' },
    oncePer: 'version',
    readScope,
    volume: 'low',
    example: { changed: ['due'] },
  },
  'invoice.sent': {
    meaning: 'An invoice was sent to the brand.',
    data: { invoice_id: 'id inv', number: 'str', brand_slug: 'slug', channel: 'str manual|email|portal' },
    oncePer: 'send',
    readScope,
    volume: 'low',
  },
  'invoice.partially_paid': {
    meaning: 'Part of the amount due was received.',
    data: {
      invoice_id: 'id inv',
      number: 'str',
      brand_slug: 'slug',
      amount: 'int',
      amount_due: 'int',
      currency: 'cur',
    },
    oncePer: 'payment',
    readScope,
    volume: 'low',
  },
  'invoice.paid': {
    meaning: 'The amount due reached 0.',
    data: { invoice_id: 'id inv', number: 'str', brand_slug: 'slug', amount: 'int', currency: 'cur', paid: 'ts' },
    oncePer: 'invoice',
    readScope,
    volume: 'low',
  },
  'invoice.overdue': {
    meaning: 'The due date of an invoice passed unpaid.',
    data: {
      invoice_id: 'id inv',
      number: 'str',
      brand_slug: 'slug',
      amount_due: 'int',
      currency: 'cur',
      due: 'date',
      days_overdue: 'count',
    },
    oncePer: 'invoice + due date',
    readScope,
    volume: 'low',
  },
  'invoice.disputed': {
    meaning: 'The brand contests an invoice.',
    data: {
      invoice_id: 'id inv',
      number: 'str',
      brand_slug: 'slug',
      amount: 'int',
      currency: 'cur',
      reason: 'str amount|period|quality|duplicate|other',
    },
    oncePer: 'dispute',
    readScope,
    volume: 'low',
    example: { reason: 'amount' },
  },
  'invoice.voided': {
    meaning: 'An invoice was made void.',
    data: {
      invoice_id: 'id inv',
      number: 'str?',
      brand_slug: 'slug',
      amount: 'int',
      currency: 'cur',
      replaced_by: 'id inv?',
    },
    oncePer: 'invoice',
    readScope,
    volume: 'low',
  },
} as const satisfies Record<string, EventDeclaration>
