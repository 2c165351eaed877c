// The pages by their paths behind `/w/{slug}/`. Each is loaded when it is opened, so that a page costs only those who look at it.
import type { ComponentType } from 'react'

export interface PageRoute {
  /** With `$name` for a parameter and `{-$name}` for one that may be left out. */
  path: string
  load: () => Promise<ComponentType>
}

/** In any order; the router takes the one that fits best. */
export const pageRoutes: readonly PageRoute[] = [
  { path: '/', load: async () => (await import('./pages/overview/overview-page.tsx')).OverviewPage },
  { path: 'webhooks', load: async () => (await import('./pages/webhooks/webhooks-page.tsx')).WebhooksPage },
  { path: 'webhooks/new', load: async () => (await import('./pages/webhooks/new-webhook-page.tsx')).NewWebhookPage },
  {
    path: 'webhooks/$id',
    load: async () => (await import('./pages/webhooks/subscription-overview-page.tsx')).SubscriptionOverviewPage,
  },
  {
    path: 'webhooks/$id/settings',
    load: async () => (await import('./pages/webhooks/subscription-settings-page.tsx')).SubscriptionSettingsPage,
  },
  {
    path: 'webhooks/$id/history/{-$delivery}',
    load: async () => (await import('./pages/webhooks/history-page.tsx')).HistoryPage,
  },
  {
    path: 'dead-letters',
    load: async () => (await import('./pages/dead-letters/dead-letters-page.tsx')).DeadLettersPage,
  },
  { path: 'replays/$id', load: async () => (await import('./pages/dead-letters/replay-page.tsx')).ReplayPage },
  { path: 'oauth-apps', load: async () => (await import('./pages/oauth-apps/oauth-apps-page.tsx')).OAuthAppsPage },
  {
    path: 'oauth-apps/new',
    load: async () => (await import('./pages/oauth-apps/new-oauth-app-page.tsx')).NewOAuthAppPage,
  },
  { path: 'oauth-apps/$app', load: async () => (await import('./pages/oauth-apps/oauth-app-page.tsx')).OAuthAppPage },
  {
    path: 'oauth-apps/$app/errors',
    load: async () => (await import('./pages/oauth-apps/oauth-app-errors-page.tsx')).OAuthAppErrorsPage,
  },
  {
    path: 'oauth-apps/$app/authorise-url',
    load: async () => (await import('./pages/oauth-apps/authorise-url-page.tsx')).AuthoriseUrlPage,
  },
  { path: 'api-keys', load: async () => (await import('./pages/api-keys/api-keys-page.tsx')).ApiKeysPage },
  { path: 'api-keys/new', load: async () => (await import('./pages/api-keys/new-api-key-page.tsx')).NewApiKeyPage },
  { path: 'api-keys/$key', load: async () => (await import('./pages/api-keys/api-key-page.tsx')).ApiKeyPage },
  {
    path: 'connected-apps',
    load: async () => (await import('./pages/connected-apps/connected-apps-page.tsx')).ConnectedAppsPage,
  },
  { path: 'members', load: async () => (await import('./pages/members/members-page.tsx')).MembersPage },
  { path: 'settings', load: async () => (await import('./pages/settings/settings-page.tsx')).SettingsPage },
  { path: 'audit-log', load: async () => (await import('./pages/audit-log/audit-log-page.tsx')).AuditLogPage },
  {
    path: 'integrations',
    load: async () => (await import('./pages/integrations/integrations-page.tsx')).IntegrationsPage,
  },
  {
    path: 'integrations/new',
    load: async () => (await import('./pages/integrations/new-integration-page.tsx')).NewIntegrationPage,
  },
  {
    path: 'integrations/$id',
    load: async () => (await import('./pages/integrations/integration-overview-page.tsx')).IntegrationOverviewPage,
  },
  {
    path: 'integrations/$id/settings',
    load: async () => (await import('./pages/integrations/integration-settings-page.tsx')).IntegrationSettingsPage,
  },
  { path: 'syncs/{-$run}', load: async () => (await import('./pages/syncs/syncs-page.tsx')).SyncsPage },
  { path: 'stats', load: async () => (await import('./pages/stats/stats-page.tsx')).StatsPage },
  { path: 'imports', load: async () => (await import('./pages/imports/imports-page.tsx')).ImportsPage },
  { path: 'imports/new', load: async () => (await import('./pages/imports/new-import-page.tsx')).NewImportPage },
  { path: 'imports/$id', load: async () => (await import('./pages/imports/import-page.tsx')).ImportPage },
  { path: 'exports', load: async () => (await import('./pages/exports/exports-page.tsx')).ExportsPage },
  { path: 'campaigns', load: async () => (await import('./pages/campaigns/campaigns-page.tsx')).CampaignsPage },
  { path: 'campaigns/$id', load: async () => (await import('./pages/campaigns/campaign-page.tsx')).CampaignPage },
  {
    path: 'anomalies/{-$anomaly}',
    load: async () => (await import('./pages/anomalies/anomalies-page.tsx')).AnomaliesPage,
  },
  {
    path: 'automation-rules',
    load: async () => (await import('./pages/automation-rules/rules-page.tsx')).AutomationRulesPage,
  },
  {
    path: 'automation-rules/new',
    load: async () => (await import('./pages/automation-rules/new-rule-page.tsx')).NewAutomationRulePage,
  },
  {
    path: 'automation-rules/$id',
    load: async () => (await import('./pages/automation-rules/rule-page.tsx')).AutomationRulePage,
  },
  { path: 'invoices', load: async () => (await import('./pages/invoices/invoices-page.tsx')).InvoicesPage },
  { path: 'invoices/new', load: async () => (await import('./pages/invoices/new-invoice-page.tsx')).NewInvoicePage },
  { path: 'invoices/$id', load: async () => (await import('./pages/invoices/invoice-page.tsx')).InvoicePage },
  {
    path: 'sub-affiliates',
    load: async () => (await import('./pages/sub-affiliates/sub-affiliates-page.tsx')).SubAffiliatesPage,
  },
  {
    path: 'sub-affiliates/new',
    load: async () => (await import('./pages/sub-affiliates/new-sub-affiliate-page.tsx')).NewSubAffiliatePage,
  },
  {
    path: 'sub-affiliates/$id',
    load: async () => (await import('./pages/sub-affiliates/sub-affiliate-page.tsx')).SubAffiliatePage,
  },
  {
    path: 'commission-plans',
    load: async () => (await import('./pages/commission-plans/commission-plans-page.tsx')).CommissionPlansPage,
  },
  {
    path: 'commission-plans/new',
    load: async () => (await import('./pages/commission-plans/new-commission-plan-page.tsx')).NewCommissionPlanPage,
  },
  {
    path: 'commission-plans/$id',
    load: async () => (await import('./pages/commission-plans/commission-plan-page.tsx')).CommissionPlanPage,
  },
  { path: 'payouts', load: async () => (await import('./pages/payouts/payouts-page.tsx')).PayoutsPage },
  { path: 'payouts/$id', load: async () => (await import('./pages/payouts/payout-page.tsx')).PayoutPage },
  {
    path: 'event-catalog',
    load: async () => (await import('./pages/event-catalog/event-catalog-page.tsx')).EventCatalogPage,
  },
  {
    path: 'event-catalog/$type',
    load: async () => (await import('./pages/event-catalog/event-type-page.tsx')).EventTypePage,
  },
]
