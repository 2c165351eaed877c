// Exports of sub-affiliates, as their list shows them (domain.md 3.12). A file names nobody whose name is erased before it expires: the money
// stays, under the id.
import { allListedSql } from '@wds/aggregate/list'
import { toBalance } from '../ledger/store-ledger.ts'
import type { SubAffiliateState } from '../sub-affiliates/domain/sub-affiliate.ts'
import { asListed, erasedAfterMs, subAffiliates, toApiSubAffiliate } from '../sub-affiliates/resource.ts'
import { toProfile } from '../sub-affiliates/store-profiles.ts'
import { exportKeptMs } from './domain/export.ts'
import { listedOf, loadedOf, rowsExport } from './export-list.ts'
import { besideSql, type HeldBeside } from './store-profiles.ts'

export const subAffiliatesExport = rowsExport({
  scope: 'invoices:read',
  isPersonal: true,
  foundSql(asked, bind) {
    const namelessMs = asked.nowMs + exportKeptMs - erasedAfterMs
    const found = allListedSql(subAffiliates, listedOf(asked), bind)
    return besideSql(found, { workspaceId: asked.workspaceId, namelessMs }, bind)
  },
  toApi: (rows) => rows.map(toShown),
  columns: {
    id: (row) => row.id,
    name: (row) => row.name,
    email: (row) => row.email,
    status: (row) => row.status,
    external_id: (row) => row.external_id,
    country: (row) => row.country,
    time_zone: (row) => row.time_zone,
    plan_id: (row) => row.plan_id,
    payout_currency: (row) => row.payout_currency,
    payout_method_type: (row) => row.payout_method?.type ?? null,
    minimum_payout_amount: (row) => row.minimum_payout.amount,
    minimum_payout_currency: (row) => row.minimum_payout.currency,
    balance_currency: (row) => row.balance.currency,
    balance_pending: (row) => row.balance.pending,
    balance_available: (row) => row.balance.available,
    balance_paid_total: (row) => row.balance.paid_total,
    created: (row) => row.created,
    joined: (row) => row.joined,
    invitation_expires: (row) => row.invitation_expires,
  },
})

function toShown(row: object) {
  const { profile, account, ...listed } = row as HeldBeside
  const loaded = loadedOf<SubAffiliateState>(listed)
  return asListed(toApiSubAffiliate(loaded, profile && toProfile(profile), account && toBalance(account)))
}
