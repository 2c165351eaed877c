// Limits that are constants of the code and no settings: each number is read from the source that holds to it, none is typed (docs.md 2).
import { constantOf, type Place } from './constant-of-code.ts'
import { table } from './markdown.ts'

const api = 'services/api/src'
const auth = 'services/auth/src'
const delivery = 'services/delivery/src'

const ofWorkspace: readonly (readonly [what: string, above: string, ...Place])[] = [
  ['webhook subscriptions', '409 `limit_reached`', `${delivery}/subscriptions/routes.ts`, 'subscriptionsMax'],
  ['API keys that are live', '409 `limit_reached`', `${auth}/api-keys/domain/api-key.ts`, 'liveKeysMax'],
  ['open invitations of members', '409 `limit_reached`', `${auth}/invitations/routes.ts`, 'openMax'],
  ['OAuth apps', '409 `limit_reached`', `${auth}/oauth-apps/domain/oauth-app.ts`, 'appsMax'],
  ['integrations', '409 `limit_reached`', `${api}/integrations/create-integration.ts`, 'integrationsMax'],
  ['campaigns', '409 `limit_reached`', `${api}/campaign-places/store-places.ts`, 'campaignsMax'],
  ['sub-affiliates', '409 `limit_reached`', `${api}/sub-affiliates/store-places.ts`, 'subAffiliatesMax'],
  ['automation rules', '409 `limit_reached`', `${api}/automation-rules/store-rules.ts`, 'rulesMax'],
  ['exports', '409 `limit_reached`', `${api}/exports/create-export.ts`, 'keptMax'],
  ['exports that wait or run', '429 `quota_exceeded`', `${api}/exports/create-export.ts`, 'openMax'],
  ['imports that wait or run', '429 `quota_exceeded`', `${api}/uploads/create-import.ts`, 'openImportsMax'],
  ['test events in a minute', '429 `quota_exceeded`', `${delivery}/test-sends/send-test.ts`, 'testsMax'],
]

const ofOne: readonly (readonly [what: string, ...Place])[] = [
  ['rows of a sync run or an import', `${api}/sources/domain/ingest-limits.ts`, 'recordsMax'],
  ['rejected lines of an import that are kept', `${api}/sources/domain/ingest-limits.ts`, 'rejectsKeptMax'],
  ['days of the window of a sync run', `${api}/integrations/domain/run-window.ts`, 'windowDaysMax'],
  ['groups of an answer of stats', `${api}/stats/store-query.ts`, 'groupsMax'],
  ['rows of an export', `${api}/exports/domain/export-errors.ts`, 'exportRowsMax'],
  ['days of the period of an invoice', `${api}/invoices/domain/invoice-form.ts`, 'periodDaysMax'],
  ['conditions of the filter of a subscription', `${delivery}/subscriptions/domain/payload-filter.ts`, 'conditionsMax'],
  ['custom headers of a subscription', `${delivery}/subscriptions/domain/subscription.ts`, 'headersMax'],
  [
    'signatures of a request, one for each live secret',
    `${delivery}/subscriptions/domain/subscription.ts`,
    'signaturesMax',
  ],
  ['dead letters that are counted by cause', `${delivery}/deliveries/store-dead-letters.ts`, 'countedMax'],
  ['live secrets of an OAuth app', `${auth}/oauth-apps/domain/oauth-app.ts`, 'liveSecretsMax'],
]

/** Sections of the page. Throws where a constant is no more. */
export function boundsOfCode(root: URL): string[] {
  const show = (...place: Place) => constantOf(root, place).toLocaleString('en')
  return [
    `## A workspace\n\n${table(
      ['what', 'at most', 'above it'],
      ofWorkspace.map(([what, above, ...place]) => [what, show(...place), above]),
    )}`,
    `## One of them\n\n${table(
      ['what', 'at most'],
      ofOne.map(([what, ...place]) => [what, show(...place)]),
    )}`,
  ]
}

const dayMs = 86_400_000
const inDays = 1
const kept: readonly (readonly [what: string, unit: number, ...Place])[] = [
  ['events and deliveries, shown and replayed', inDays, `${delivery}/days/domain/shown-days.ts`, 'shownDays'],
  ['the same, stored', inDays, `${delivery}/days/store.ts`, 'retentionDays'],
  ['numbers of deliveries', inDays, `${delivery}/statistics/store.ts`, 'countsKeptDays'],
  ['bulk replays, from their last change', dayMs, `${delivery}/replays/store.ts`, 'replaysKeptMs'],
  ['records of the event log between the services', dayMs, 'packages/event-log/src/kafka-topics.ts', 'keepMs'],
  ['exports and their files, from when they were asked for', dayMs, `${api}/exports/domain/export.ts`, 'exportKeptMs'],
  ['firings of automation rules', dayMs, `${api}/automation-rules/store-firings.ts`, 'firingKeptMs'],
  ['profile of a sub-affiliate, from its removal', dayMs, `${api}/sub-affiliates/resource.ts`, 'erasedAfterMs'],
  ['API keys that were revoked', dayMs, `${auth}/api-keys/aggregate.ts`, 'revokedKeptMs'],
  ['API keys that nobody uses, until they are revoked', inDays, `${auth}/api-keys/store-uses.ts`, 'unusedDaysMax'],
  ['sessions', inDays, `${auth}/sessions/store.ts`, 'sessionDaysMax'],
]

export function keptTimes(root: URL): string {
  const rows = kept.map(([what, unit, ...place]) => [what, `${constantOf(root, place) / unit} days`])
  return `${table(['what', 'for'], rows)}\n\nPersonal data among them: [data protection](../explanation/data-protection.md).`
}

export function guarantees(root: URL, attempts: number): string {
  const days = constantOf(root, [`${delivery}/days/domain/shown-days.ts`, 'shownDays'])
  const failingDays = constantOf(root, [`${delivery}/lanes/store-parked.ts`, 'failingMs']) / dayMs
  return table(
    ['promised', 'to which extent'],
    [
      ['what was answered with 2xx is kept', 'change and event are committed together before the answer'],
      [
        'each event reaches each enabled subscription that matches, [at least once](../explanation/at-least-once.md)',
        `or its delivery ends as \`dead\`, after ${attempts} attempts or with its subscription, and can be replayed for ${days} days`,
      ],
      ['a delivery is known again', 'the same `webhook-id` and the same bytes at each attempt and replay'],
      ['one subscription delays no other', 'each has a lane of its own; lanes take turns'],
      ['`GET /v1/events` misses nothing', `in the order of the log, for ${days} days, by cursor`],
      [
        'a subscription is not given up silently',
        `410, or ${failingDays} days of failures, disable it, and \`webhook.disabled\` tells the others`,
      ],
      [
        '**not** promised',
        'order across retries; exactly once at the receiver; what matched while a subscription was disabled, until it is replayed; survival of the only disk',
      ],
    ],
  )
}
