// The concepts of this service that the API shows, one line each. Routes, `republish` and `rebuild-rows` are put together from it; openapi.yaml
// says the same routes, compared at start. Those whose rows others refer to stand before them.
import { type Concept, concept } from '@wds/aggregate/concept'
import { anomalies } from './anomalies/resource.ts'
import { anomalyRoutes } from './anomalies/routes.ts'
import { firings } from './automation-rules/firings.ts'
import { automationRules } from './automation-rules/resource.ts'
import { automationRuleRoutes } from './automation-rules/routes.ts'
import { brandRoutes } from './brands/routes.ts'
import { campaigns } from './campaigns/resource.ts'
import { campaignRoutes } from './campaigns/routes.ts'
import { commissionPlans } from './commission-plans/resource.ts'
import type { ApiDependencies } from './dependencies.ts'
import { exportRoutes } from './exports/routes.ts'
import { imports } from './imports/resource.ts'
import { importRoutes } from './imports/routes.ts'
import { integrations } from './integrations/resource.ts'
import { integrationRoutes } from './integrations/routes.ts'
import { invoices } from './invoices/resource.ts'
import { invoiceRoutes } from './invoices/routes.ts'
import { payouts } from './payouts/resource.ts'
import { payoutRoutes } from './payouts/routes.ts'
import { providerRoutes } from './providers/routes.ts'
import { settings } from './settings/aggregate.ts'
import { settingsRoutes } from './settings/routes.ts'
import { statsRoutes } from './stats/routes.ts'
import { statsDays, statsMonths } from './stats-days/aggregates.ts'
import { statsDayRoutes } from './stats-days/routes.ts'
import { subAffiliates } from './sub-affiliates/resource.ts'
import { subAffiliateRoutes } from './sub-affiliates/routes.ts'
import { syncRuns } from './sync-runs/resource.ts'
import { syncRunRoutes } from './sync-runs/routes.ts'
import { uploadRoutes } from './uploads/routes.ts'

export const concepts: readonly Concept<ApiDependencies>[] = [
  concept(integrations, integrationRoutes),
  concept(campaigns, campaignRoutes),
  concept(invoices, invoiceRoutes),
  concept(commissionPlans),
  concept(subAffiliates, subAffiliateRoutes),
  concept(payouts, payoutRoutes),
  concept(imports, importRoutes),
  concept(syncRuns, syncRunRoutes),
  { routes: uploadRoutes },
  { routes: exportRoutes },
  { routes: providerRoutes },
  { routes: statsRoutes },
  { aggregate: statsDays, routes: statsDayRoutes },
  { aggregate: statsMonths, routes: () => [] },
  concept(anomalies, anomalyRoutes),
  concept(automationRules, automationRuleRoutes),
  { aggregate: firings, routes: () => [] },
  { aggregate: settings, routes: settingsRoutes },
  { routes: brandRoutes },
]
