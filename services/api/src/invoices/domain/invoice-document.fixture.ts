// An invoice as tests of its document know it.
import { fold } from '@wds/decider/decider'
import { type Issuer, type Party, wholeIssuer, wholeParty } from '../../parties/domain/party.ts'
import { invoiceDecider } from './invoice.ts'
import { type DocumentOf, invoiceDocument } from './invoice-document.ts'
import type { InvoiceEvent, InvoiceFields } from './invoice-parts.ts'

export const acme: Party = wholeParty({ legal_name: 'Acme Ltd', address: ['1 Main Street'], country: 'MT' })
export const issuer: Issuer = wholeIssuer({
  legal_name: 'Affiliates GmbH',
  address: ['Weg 1'],
  country: 'DE',
  tax_id: 'DE 1',
  iban: 'DE89370400440532013000',
  bic: 'COBADEFF',
})

const lines: InvoiceFields['lines'] = [
  {
    id: 'ili_1',
    origin: 'stats',
    kind: 'cpa',
    description: 'CPA, Spring',
    campaign_id: null,
    quantity: 1_000,
    unit_amount: 120,
    amount: 120_000,
    stats_revision: 1,
  },
]
const period = { from: '2026-10-01', to: '2026-10-31' }

export function drafted(own: Partial<InvoiceFields> = {}): InvoiceEvent {
  const fields: InvoiceFields = {
    kind: 'invoice',
    brand_slug: 'acme',
    period,
    time_zone: 'Europe/Malta',
    currency: 'EUR',
    replaces: null,
    due: null,
    memo: null,
    metadata: {},
    lines,
    ...own,
  }
  return { type: 'InvoiceDrafted', data: { fields } }
}

export const generated: InvoiceEvent = {
  type: 'InvoiceGenerated',
  data: {
    number: '2026-000001',
    lines,
    billed: [],
    due: '2026-12-01',
    time_zone: 'Europe/Malta',
    issuer,
    bill_to: { name: 'Acme', legal: acme },
    at_ms: Date.parse('2026-11-01T23:30:00Z'),
  },
}

/** Of a draft that went this way. */
export function documentOf(way: InvoiceEvent[]): DocumentOf {
  const state = fold(invoiceDecider, [drafted(), ...way])
  return { state, issuer, billTo: { name: 'Acme', legal: acme }, corrects: null, updatedMs: 7 }
}

export const document = (way: InvoiceEvent[]) => invoiceDocument(documentOf(way))
