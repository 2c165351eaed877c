// Proves that the catalog holds the types of domain.md 5, by name, and what patterns mean (settled-points.md 26).
import { describe, expect, test } from '@jest/globals'
import { eventTypes, isEventPattern, isEventType, matchesEventPattern } from './event-types.ts'
import { isScope } from './scopes.ts'

const table = `
  sync.started sync.completed sync.attempt_failed sync.failed sync.canceled sync.delayed
  integration.created integration.updated integration.broken integration.restored integration.paused
  integration.resumed integration.credentials_expired integration.deleted
  campaign.created campaign.updated campaign.paused campaign.resumed campaign.archived
  stats.daily_ready stats.restated stats.delayed stats.monthly_closed
  anomaly.detected anomaly.acknowledged anomaly.resolved anomaly.dismissed
  invoice.generated invoice.updated invoice.sent invoice.partially_paid invoice.paid invoice.overdue invoice.disputed
  invoice.voided
  sub_affiliate.invited sub_affiliate.joined sub_affiliate.updated sub_affiliate.plan_changed sub_affiliate.suspended
  sub_affiliate.reactivated sub_affiliate.payout_scheduled sub_affiliate.paid sub_affiliate.payout_failed
  sub_affiliate.removed
  automation.created automation.updated automation.enabled automation.disabled automation.fired automation.failed
  automation.deleted
  webhook.disabled webhook.enabled webhook.secret_rotated webhook.delivery_exhausted webhook.tested
  import.completed import.failed
  workspace.updated
`
  .trim()
  .split(/\s+/)

const named = `
  sync.completed sync.failed anomaly.detected integration.created integration.updated integration.broken
  stats.daily_ready invoice.generated invoice.paid invoice.overdue sub_affiliate.joined sub_affiliate.paid automation.fired
`
  .trim()
  .split(/\s+/)

describe('the event catalog', () => {
  test('has exactly the types of the table, in its order', () => {
    expect(eventTypes.map(({ type }) => type)).toEqual(table)
  })

  test('has the 13 types that the specification names', () => {
    expect(named).toHaveLength(13)
    expect(named.filter((type) => !isEventType(type))).toEqual([])
  })

  test('names existing scopes only; webhooks and the workspace need none besides webhooks:manage', () => {
    for (const { type, readScope } of eventTypes) {
      expect(readScope.every((scope) => isScope(scope) && scope.endsWith(':read'))).toBe(true)
      expect([type, readScope.length === 0]).toEqual([type, /^(webhook|workspace)\./.test(type)])
    }
  })

  test('an import event needs the read scope of every import type', () => {
    const scopes = eventTypes.find(({ type }) => type === 'import.failed')?.readScope
    expect(scopes).toEqual(['campaigns:read', 'integrations:read', 'invoices:read'])
  })

  test('says something of each type', () => {
    for (const { meaning, oncePer, since } of eventTypes) {
      expect(meaning).toMatch(/^[A-Z].*\.$/)
      expect(oncePer).not.toBe('')
      expect(new Date(since).toISOString()).toBe(`${since}T00:00:00.000Z`)
    }
  })
})

describe('patterns', () => {
  test.each(['*', 'invoice.*', 'sub_affiliate.*', 'sync.completed'])('a subscription may name %s', (pattern) => {
    expect(isEventPattern(pattern)).toBe(true)
  })

  test.each([
    '',
    '.*',
    '**',
    'inv*',
    'invoice',
    'invoice.',
    'order.*',
    'invoice.pai',
    'INVOICE.*',
    'toString',
    '*.paid',
  ])("a subscription may not name '%s'", (pattern) => expect(isEventPattern(pattern)).toBe(false))

  test('a prefix means all types of that prefix and no others', () => {
    const meant = eventTypes.map(({ type }) => type).filter((type) => matchesEventPattern('sync.*', type))
    expect(meant).toEqual(table.filter((type) => type.startsWith('sync.')))
    expect(matchesEventPattern('invoice.*', 'invoices.paid')).toBe(false)
  })

  test('the star means every type, an exact name itself only', () => {
    expect(table.every((type) => matchesEventPattern('*', type))).toBe(true)
    expect(table.filter((type) => matchesEventPattern('invoice.paid', type))).toEqual(['invoice.paid'])
    expect(matchesEventPattern('.*', 'invoice.paid')).toBe(false)
  })
})
