// Which paths are pages of the console. The server answers these with the document and everything else with 404, so that a path of another
// service that the edge did not know is no page.

/** First segments of the pages within a workspace (`/w/{slug}/…`); without `/w/…` they open in the current one (ui.md 1). */
export const pageNames = [
  'integrations',
  'syncs',
  'imports',
  'exports',
  'webhooks',
  'dead-letters',
  'replays',
  'event-catalog',
  'oauth-apps',
  'connected-apps',
  'stats',
  'campaigns',
  'anomalies',
  'automation-rules',
  'invoices',
  'sub-affiliates',
  'commission-plans',
  'payouts',
  'api-keys',
  'members',
  'audit-log',
  'settings',
] as const

/** A page behind `/w/{slug}/`, such as `webhooks/new` or `syncs?status=failed`; '' is the overview. */
export type PagePath = '' | `${(typeof pageNames)[number]}${'' | `/${string}` | `?${string}`}`

/** `path`: without query. */
export function isConsolePath(path: string): boolean {
  const [first = '', second = ''] = path.slice(1).split('/')
  if (!path.startsWith('/') || path.includes('//')) return false
  if (first === '') return true
  return first === 'w' ? second !== '' : (pageNames as readonly string[]).includes(first)
}
