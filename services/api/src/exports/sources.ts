// What can be exported, each type by its name (domain.md 3.12).
import type { Scope } from '@wds/contracts/scopes'
import type { ExportType } from './domain/export.ts'
import { campaignsExport } from './export-campaigns.ts'
import { invoicesExport } from './export-invoices.ts'
import { ledgerExport } from './export-ledger.ts'
import { payoutsExport } from './export-payouts.ts'
import type { ExportSource } from './export-source.ts'
import { statsExport } from './export-stats.ts'
import { subAffiliatesExport } from './export-sub-affiliates.ts'

export const exportSources: Record<ExportType, ExportSource> = {
  stats: statsExport,
  invoices: invoicesExport,
  campaigns: campaignsExport,
  sub_affiliates: subAffiliatesExport,
  ledger_entries: ledgerExport,
  payouts: payoutsExport,
}

/** The scope that opens an export, by its type. */
export const exportScopes = Object.fromEntries(
  Object.entries(exportSources).map(([type, { scope }]) => [type, scope]),
) as Record<ExportType, Scope>
