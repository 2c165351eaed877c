// Shows an entry of the ledger (domain.md 3.9), in answers and in exports alike.
import { toInstant } from '../calendar/domain/calendar.ts'
import type { LedgerEntry } from '../openapi.generated.ts'
import { rateText } from './domain/rate-text.ts'
import type { LedgerRow } from './store-ledger.ts'

export function toApiEntry(row: LedgerRow): LedgerEntry {
  const { id, sub_affiliate_id, kind, reason, currency, day, month, stats_revision, terms, note } = row
  const { integration_id, campaign_id, row_currency, row_amount } = row
  const fx = terms?.fx ?? null
  return {
    object: 'ledger_entry',
    id,
    created: toInstant(Number(row.created_ms)),
    sub_affiliate_id,
    kind,
    reason,
    amount: Number(row.amount),
    currency,
    balance_after: Number(row.balance_after),
    day,
    month,
    integration_id,
    campaign_id,
    row_currency,
    row_amount: row_amount === null ? null : Number(row_amount),
    stats_revision,
    plan_id: terms?.plan_id ?? null,
    rate_bps: terms?.rate_bps ?? null,
    note,
    fx: fx && { rate: rateText(fx, row_currency ?? '', currency), rate_set: terms?.rate_set ?? '' },
    source: row.source,
    source_id: row.source_id,
  }
}
