// What each scope lets an app do, in words for the person who decides.
import { type Scope, scopes } from './scopes.ts'

/** What an app may do with one resource: a line for reading, then one for changing. */
type ScopeGroup = { resource: string; lines: Partial<Record<Scope, string>> }

/** In the order in which they are shown. */
export const scopeGroups: readonly ScopeGroup[] = [
  {
    resource: 'Statistics',
    lines: { 'stats:read': 'See clicks, sign-ups, deposits, commission and anomalies' },
  },
  {
    resource: 'Campaigns',
    lines: {
      'campaigns:read': 'See campaigns and automation rules',
      'campaigns:write': 'Create, change and delete campaigns and automation rules',
    },
  },
  {
    resource: 'Integrations',
    lines: {
      'integrations:read': 'See connected sources and their syncs',
      'integrations:write': 'Connect, change and remove sources, import data and start syncs',
    },
  },
  {
    resource: 'Invoices',
    lines: {
      'invoices:read': 'See invoices, sub-affiliates and payouts',
      'invoices:write': 'Create and change invoices, sub-affiliates and payouts',
    },
  },
  {
    resource: 'Webhooks',
    lines: { 'webhooks:manage': 'Choose addresses that events are sent to, and see everything that was sent' },
  },
]

/** What a scope brings with it that its line does not say (settled-points.md 20). */
export const consequences: Partial<Record<Scope, string>> = {
  'webhooks:manage':
    'The app will receive the data of every event it subscribes to, also about things that are not in this list.',
}

/** The groups of these scopes, each with its lines; groups without any are left out. */
export function inWords(asked: readonly Scope[]): { resource: string; lines: { scope: Scope; text: string }[] }[] {
  return scopeGroups
    .map(({ resource, lines }) => ({
      resource,
      lines: scopes.flatMap((scope) => {
        const text = lines[scope]
        return text !== undefined && asked.includes(scope) ? [{ scope, text }] : []
      }),
    }))
    .filter(({ lines }) => lines.length > 0)
}
