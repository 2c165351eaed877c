// Writes the lines of an invoice as CSV, one record each, behind a header line (domain.md 3.7). Amounts are minor units.
import { csvRecord } from '../files/domain/csv.ts'
import type { InvoiceState } from './domain/invoice-parts.ts'

const columns = [
  'kind',
  'description',
  'campaign_id',
  'quantity',
  'unit_amount',
  'amount',
  'currency',
  'stats_revision',
] as const

export function invoiceCsv({ fields }: Pick<InvoiceState, 'fields'>): string {
  const { lines = [], currency = '' } = fields ?? {}
  const records = lines.map((line) =>
    csvRecord(columns.map((column) => (column === 'currency' ? currency : line[column]))),
  )
  return [csvRecord(columns), ...records].join('')
}
