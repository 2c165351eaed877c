// Exports of ledger entries, of one sub-affiliate or of all, as its ledger shows them (domain.md 3.12).
import { allEntriesSql, type LedgerRow } from '../ledger/store-ledger.ts'
import { toApiEntry } from '../ledger/to-api-entry.ts'
import { listedOf, rowsExport } from './export-list.ts'

export const ledgerExport = rowsExport({
  scope: 'invoices:read',
  foundSql: (asked, bind) => allEntriesSql(listedOf(asked), bind),
  toApi: (rows) => rows.map((row) => toApiEntry(row as LedgerRow)),
  columns: {
    id: (row) => row.id,
    created: (row) => row.created,
    sub_affiliate_id: (row) => row.sub_affiliate_id,
    kind: (row) => row.kind,
    reason: (row) => row.reason,
    amount: (row) => row.amount,
    currency: (row) => row.currency,
    balance_after: (row) => row.balance_after,
    day: (row) => row.day,
    month: (row) => row.month,
    integration_id: (row) => row.integration_id,
    campaign_id: (row) => row.campaign_id,
    row_amount: (row) => row.row_amount,
    row_currency: (row) => row.row_currency,
    stats_revision: (row) => row.stats_revision,
    plan_id: (row) => row.plan_id,
    rate_bps: (row) => row.rate_bps,
    fx_rate: (row) => row.fx?.rate ?? null,
    fx_rate_set: (row) => row.fx?.rate_set ?? null,
    note: (row) => row.note,
    source: (row) => row.source,
    source_id: (row) => row.source_id,
  },
})
