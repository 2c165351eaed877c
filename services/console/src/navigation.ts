// The pages in the order of the navigation, and who sees them (ui.md 2). A page that the role cannot use is left out; the API refuses all the same.
import { type Right, type Role, roleAllows, rolesWith, scopesOfRole } from '@wds/contracts/roles'
import type { Scope } from '@wds/contracts/scopes'
import type { IconName } from './components/icon.tsx'
import { texts } from './texts.ts'
import type { PagePath } from './view-models/console-paths.ts'

export interface NavigationEntry {
  /** Path behind `/w/{slug}`; '' is the overview. */
  path: PagePath
  label: string
  icon: IconName
  group: keyof typeof texts.nav.groups | null
  /** What the role must have: a right of the settings API, or a scope of the console token. */
  needs: { right: Right } | { scope: Scope }
}

const { nav } = texts

export const navigation: readonly NavigationEntry[] = [
  { path: '', label: nav.overview, icon: 'dashboard', group: null, needs: { scope: 'stats:read' } },
  { path: 'stats', label: nav.stats, icon: 'list', group: 'data', needs: { scope: 'stats:read' } },
  { path: 'campaigns', label: nav.campaigns, icon: 'campaign', group: 'data', needs: { scope: 'campaigns:read' } },
  { path: 'integrations', label: nav.integrations, icon: 'plug', group: 'data', needs: { scope: 'integrations:read' } },
  { path: 'syncs', label: nav.syncs, icon: 'refresh', group: 'data', needs: { scope: 'integrations:read' } },
  { path: 'imports', label: nav.imports, icon: 'inbox', group: 'data', needs: { scope: 'integrations:read' } },
  { path: 'exports', label: nav.exports, icon: 'download', group: 'data', needs: { scope: 'stats:read' } },
  { path: 'anomalies', label: nav.anomalies, icon: 'alert', group: 'data', needs: { scope: 'stats:read' } },
  {
    path: 'automation-rules',
    label: nav.automationRules,
    icon: 'tool',
    group: 'data',
    needs: { scope: 'campaigns:read' },
  },
  { path: 'invoices', label: nav.invoices, icon: 'receipt', group: 'data', needs: { scope: 'invoices:read' } },
  {
    path: 'sub-affiliates',
    label: nav.subAffiliates,
    icon: 'handshake',
    group: 'data',
    needs: { scope: 'invoices:read' },
  },
  {
    path: 'commission-plans',
    label: nav.commissionPlans,
    icon: 'percent',
    group: 'data',
    needs: { scope: 'invoices:read' },
  },
  { path: 'payouts', label: nav.payouts, icon: 'cash', group: 'data', needs: { scope: 'invoices:read' } },
  { path: 'webhooks', label: nav.webhooks, icon: 'webhook', group: 'events', needs: { scope: 'webhooks:manage' } },
  { path: 'dead-letters', label: nav.deadLetters, icon: 'skull', group: 'events', needs: { scope: 'webhooks:manage' } },
  { path: 'event-catalog', label: nav.eventCatalog, icon: 'book', group: 'events', needs: { right: 'be_member' } },
  { path: 'oauth-apps', label: nav.oauthApps, icon: 'apps', group: 'access', needs: { right: 'manage_apps' } },
  { path: 'connected-apps', label: nav.connectedApps, icon: 'link', group: 'access', needs: { right: 'be_member' } },
  { path: 'api-keys', label: nav.apiKeys, icon: 'key', group: 'access', needs: { right: 'manage_keys' } },
  { path: 'members', label: nav.members, icon: 'users', group: 'workspace', needs: { right: 'manage_members' } },
  { path: 'audit-log', label: nav.auditLog, icon: 'list', group: 'workspace', needs: { right: 'manage_workspace' } },
  { path: 'settings', label: nav.settings, icon: 'settings', group: 'workspace', needs: { right: 'manage_workspace' } },
]

const everyRole: readonly Role[] = rolesWith('be_member')

/** Pages that ask for more than their entry. */
const ownNeeds = new Map<string, NavigationEntry['needs']>([
  ['integrations/new', { scope: 'integrations:write' }],
  ['imports/new', { scope: 'integrations:write' }],
  ['invoices/new', { scope: 'invoices:write' }],
  ['sub-affiliates/new', { scope: 'invoices:write' }],
  ['commission-plans/new', { scope: 'invoices:write' }],
  ['automation-rules/new', { scope: 'campaigns:write' }],
])

/** What the page of a path behind `/w/{slug}/` asks for; null: it is none. */
export function needsOf(path: string): NavigationEntry['needs'] | null {
  return ownNeeds.get(path.replace(/\/$/, '')) ?? entryOf(path)?.needs ?? null
}

/** The roles that may use the page, the strongest first. */
export function rolesFor(needs: NavigationEntry['needs']): readonly Role[] {
  if ('right' in needs) return everyRole.filter((role) => roleAllows(role, needs.right))
  return everyRole.filter((role) => scopesOfRole(role).includes(needs.scope))
}

/** The entry that a path behind `/w/{slug}/` belongs to; null: none. */
export function entryOf(path: string): NavigationEntry | null {
  const [first = ''] = path.split('/')
  const page = first === 'replays' ? 'dead-letters' : first
  return navigation.find((entry) => entry.path === page) ?? null
}
