// Every page of the console, for what holds on each: axe in light and dark, 320 px, screenshots. Who adds a page adds its line.

import { dataPages } from './console-data-pages.ts'
import { moneyPages } from './console-money-pages.ts'
import type { ConsolePage } from './console-page.ts'
import { seedDeadLetters, seedWebhooks } from './console-seed.ts'
import { seedAccess } from './console-settings-seed.ts'

export const consolePages: readonly ConsolePage[] = [
  { name: 'overview', path: '', heading: 'Overview' },
  { name: 'webhooks-empty', path: 'webhooks', heading: 'Webhooks' },
  { name: 'webhooks-new', path: 'webhooks/new', heading: 'Create subscription' },
  { name: 'webhooks', path: async (rig) => (await seedWebhooks(rig)) && 'webhooks', heading: 'Webhooks' },
  { name: 'subscription', path: async (rig) => `webhooks/${(await seedWebhooks(rig)).failing}`, heading: /127/ },
  {
    name: 'subscription-disabled',
    path: async (rig) => `webhooks/${(await seedWebhooks(rig)).disabled}`,
    heading: /127/,
  },
  { name: 'history', path: async (rig) => `webhooks/${(await seedWebhooks(rig)).failing}/history`, heading: /127/ },
  {
    name: 'history-none',
    path: async (rig) => `webhooks/${(await seedWebhooks(rig)).failing}/history?status=delivered`,
    heading: /127/,
  },
  {
    name: 'delivery',
    path: async (rig) => {
      const { failing, delivery } = await seedWebhooks(rig)
      return `webhooks/${failing}/history/${delivery}`
    },
    // A drawer hides the page behind it.
    heading: null,
  },
  {
    // With an answer that has a body.
    name: 'delivery-answered',
    path: async (rig) => {
      const { healthy, answered } = await seedWebhooks(rig)
      return `webhooks/${healthy}/history/${answered}`
    },
    heading: null,
  },
  {
    name: 'subscription-settings',
    path: async (rig) => `webhooks/${(await seedWebhooks(rig)).healthy}/settings`,
    heading: /127/,
  },
  { name: 'dead-letters-empty', path: 'dead-letters', heading: 'Dead letters' },
  {
    name: 'dead-letters',
    path: async (rig) => (await seedDeadLetters(rig)) && 'dead-letters',
    heading: 'Dead letters',
  },
  { name: 'replay', path: async (rig) => `replays/${(await seedDeadLetters(rig)).replay}`, heading: /^Retry of/ },
  { name: 'oauth-apps-empty', path: 'oauth-apps', heading: 'OAuth apps' },
  {
    name: 'oauth-app-new',
    path: 'oauth-apps/new?name=Ledgerline&redirect_url=http://app.example/cb&scopes=stats:read,webhooks:manage',
    heading: 'Register an app',
  },
  { name: 'oauth-apps', path: async (rig) => (await seedAccess(rig)) && 'oauth-apps', heading: 'OAuth apps' },
  { name: 'oauth-app', path: async (rig) => `oauth-apps/${(await seedAccess(rig)).app}`, heading: 'Ledgerline' },
  {
    name: 'oauth-app-errors',
    path: async (rig) => `oauth-apps/${(await seedAccess(rig)).app}/errors`,
    heading: 'Ledgerline',
  },
  {
    name: 'authorise-url',
    path: async (rig) => `oauth-apps/${(await seedAccess(rig)).app}/authorise-url`,
    heading: 'Ledgerline',
  },
  { name: 'api-keys', path: async (rig) => (await seedAccess(rig)) && 'api-keys', heading: 'API keys' },
  { name: 'api-key-new', path: 'api-keys/new', heading: 'Create a key' },
  { name: 'api-key', path: async (rig) => `api-keys/${(await seedAccess(rig)).key}`, heading: 'Nightly export' },
  { name: 'connected-apps-empty', path: 'connected-apps', heading: 'Connected apps' },
  { name: 'members', path: async (rig) => (await seedAccess(rig)) && 'members', heading: 'Members and roles' },
  { name: 'settings', path: 'settings', heading: 'Workspace settings' },
  { name: 'audit-log', path: 'audit-log', heading: 'Audit log' },
  { name: 'audit-log-none', path: 'audit-log?action=nothing_at_all', heading: 'Audit log' },
  ...dataPages,
  ...moneyPages,
  { name: 'not-found', path: 'webhooks/nothing/at/all', heading: 'This page is not here' },
]
