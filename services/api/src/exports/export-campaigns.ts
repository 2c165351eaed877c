// Exports of campaigns, as their list shows them (domain.md 3.12).
import { campaigns } from '../campaigns/resource.ts'
import { cellOfTexts, listExport } from './export-list.ts'

export const campaignsExport = listExport({
  scope: 'campaigns:read',
  listed: campaigns,
  columns: {
    id: (row) => row.id,
    name: (row) => row.name,
    status: (row) => row.status,
    integration_id: (row) => row.integration_id,
    external_id: (row) => row.external_id,
    brand_slug: (row) => row.brand_slug,
    merged_into: (row) => row.merged_into,
    tags: (row) => cellOfTexts(row.tags),
    countries: (row) => cellOfTexts(row.countries),
    tracking_url: (row) => row.tracking_url,
    landing_url: (row) => row.landing_url,
    starts: (row) => row.starts,
    ends: (row) => row.ends,
    deal_type: (row) => row.deal.type,
    deal_cpa_amount: (row) => row.deal.cpa?.amount ?? null,
    deal_cpa_currency: (row) => row.deal.cpa?.currency ?? null,
    deal_revshare_bps: (row) => row.deal.revshare_bps,
    created: (row) => row.created,
    updated: (row) => row.updated,
  },
})
