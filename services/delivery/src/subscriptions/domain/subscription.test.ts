// The subscription aggregate in given, when, then (domain.md 3.13, settled-points.md 7, 26).
import { describe, expect, test } from '@jest/globals'
import type { Scope } from '@wds/contracts/scopes'
import { fold } from '@wds/decider/decider'
import { given } from '@wds/decider/given-when-then'
import {
  publicEvent,
  type SubscriptionCommand,
  type SubscriptionEvent,
  type SubscriptionFields,
  subscription,
} from './subscription.ts'

const fields: SubscriptionFields = {
  url: 'https://hooks.acme.io/',
  events: ['sync.*'],
  description: null,
  headers: { 'x-team': 'a' },
  filter: null,
  rate_limit: null,
  max_in_flight: 8,
}
const owner = { type: 'api_key' as const, id: 'key_1' }
const secret = { hint: 'abcd', version: 1 }
const scopes: Scope[] = ['integrations:read', 'webhooks:manage']
const created: SubscriptionEvent = { type: 'SubscriptionCreated', data: { ...fields, owner, secret, scopes } }
const failing = { failing_since: '2026-01-31T12:00:00.000Z', failed_deliveries: 3 }
const disabled: SubscriptionEvent = { type: 'SubscriptionDisabled', data: { reason: 'gone', ...failing } }
const enabled: SubscriptionEvent = { type: 'SubscriptionEnabled', data: {} }
const deleted: SubscriptionEvent = { type: 'SubscriptionDeleted', data: {} }
const create = { type: 'create' as const, fields, owner, secret, scopes }

describe('subscription', () => {
  test('is created once, enabled', () => {
    given(subscription, []).when(create).then([created])
    given(subscription, [created]).when(create).thenRejected({ code: 'already_exists' })
    expect(fold(subscription, [created])).toMatchObject({ status: 'enabled', fields, owner, secrets: [secret] })
  })

  test('names known event types only, 1 to 100 patterns', () => {
    const events = (list: string[]) => ({ ...create, fields: { ...fields, events: list } })
    given(subscription, [])
      .when(events(['*', 'no.such']))
      .thenRejected({ code: 'unknown_event_type', at: 1 })
    given(subscription, []).when(events([])).thenRejected({ code: 'out_of_range', field: 'events' })
    given(subscription, [])
      .when(events(Array(101).fill('*')))
      .thenRejected({ code: 'out_of_range', field: 'events' })
    given(subscription, [created])
      .when({ type: 'update', fields: { events: ['sync'] }, scopes })
      .thenRejected({ code: 'unknown_event_type', at: 0 })
  })

  test('custom headers come from an allow-list and cannot break out of their line', () => {
    for (const name of [
      'host',
      'content-type',
      'webhook-id',
      'x-service-signature',
      'X-Upper',
      'cookie',
      'traceparent',
      'x-forwarded-for',
    ]) {
      given(subscription, [])
        .when({ ...create, fields: { ...fields, headers: { [name]: 'v' } } })
        .thenRejected({ code: 'header_not_allowed', name })
    }
    for (const value of ['a\r\nb: c', 'a\u0000', '\u00fc', 'v'.repeat(1_001)]) {
      given(subscription, [])
        .when({ ...create, fields: { ...fields, headers: { 'x-a': value } } })
        .thenRejected({ code: 'header_not_allowed', name: 'x-a' })
    }
    const good = { authorization: 'Bearer x', 'x-api-key': '1' }
    given(subscription, [created])
      .when({ type: 'update', fields: { headers: good }, scopes })
      .then([{ type: 'SubscriptionChanged', data: { headers: good } }])
  })

  test('a change holds what differs; a change of nothing emits nothing', () => {
    given(subscription, [created])
      .when({ type: 'update', fields: { url: 'https://b.acme.io/', events: ['sync.*'] }, scopes })
      .then([{ type: 'SubscriptionChanged', data: { url: 'https://b.acme.io/' } }])
    given(subscription, [created]).when({ type: 'update', fields, scopes }).then([])
  })

  test('a filter that cannot be judged is refused', () => {
    const filter = { all: [{ pointer: 'amount', op: 'gt' as const, value: 1 }] }
    given(subscription, [])
      .when({ ...create, fields: { ...fields, filter } })
      .thenRejected({ code: 'invalid_filter', at: '/all/0/pointer' })
  })

  test('a change says what its saver may read, where that is another than before', () => {
    const narrower: Scope[] = ['webhooks:manage']
    given(subscription, [created])
      .when({ type: 'update', fields: { description: 'new' }, scopes: narrower })
      .then([{ type: 'SubscriptionChanged', data: { description: 'new', scopes: narrower } }])
    const changed: SubscriptionEvent = { type: 'SubscriptionChanged', data: { description: 'new', scopes: narrower } }
    expect(fold(subscription, [created, changed])).toMatchObject({
      scopes: narrower,
      fields: { ...fields, description: 'new' },
    })
    expect(fold(subscription, [created, changed]).fields).not.toHaveProperty('scopes')
  })

  test('a secret is rotated, enabled or disabled; the newest is told first', () => {
    const next = { hint: 'efgh', version: 2 }
    const until = '2026-02-01T00:00:00.000Z'
    const rotated: SubscriptionEvent = { type: 'SecretRotated', data: { secret: next, previous_expires: until } }
    const rotate = { type: 'rotate_secret' as const, secret: next, previousExpires: until }
    given(subscription, [created]).when(rotate).then([rotated])
    given(subscription, [created, disabled]).when(rotate).then([rotated])
    given(subscription, [created, deleted]).when(rotate).thenRejected({ code: 'not_found' })
    expect(fold(subscription, [created, rotated]).secrets).toEqual([next, secret])
    expect(publicEvent('whk_1', rotated)).toEqual({
      type: 'webhook.secret_rotated',
      onceKey: null,
      data: { webhook_id: 'whk_1', previous_expires: until },
    })
  })

  test('a test is sent while it is enabled, and told without what was sent', () => {
    const event = { event_id: 'evt_1', event_type: 'sync.completed' as const, requested_by: 'api_key' as const }
    const tested: SubscriptionEvent = { type: 'SubscriptionTested', data: event }
    const command = {
      type: 'test' as const,
      eventId: 'evt_1',
      eventType: 'sync.completed' as const,
      requestedBy: 'api_key' as const,
    }
    given(subscription, [created]).when(command).then([tested])
    given(subscription, [created, disabled]).when(command).thenRejected({ code: 'webhook_disabled' })
    expect(publicEvent('whk_1', tested)).toEqual({
      type: 'webhook.tested',
      onceKey: null,
      data: { webhook_id: 'whk_1', requested_by: 'api_key' },
    })
  })

  test('is disabled once and enabled once; eight 410s in flight disable once', () => {
    given(subscription, [created]).when({ type: 'disable', reason: 'gone', failing }).then([disabled])
    given(subscription, [created, disabled])
      .when({ type: 'disable', reason: 'gone', failing })
      .thenRejected({ code: 'invalid_state', current_status: 'disabled', allowed: ['enable'] })
    given(subscription, [created, disabled]).when({ type: 'enable', isEnding: false }).then([enabled])
    given(subscription, [created, disabled])
      .when({ type: 'enable', isEnding: true })
      .thenRejected({ code: 'invalid_state', current_status: 'disabled', allowed: [] })
    given(subscription, [created])
      .when({ type: 'enable', isEnding: false })
      .thenRejected({ code: 'invalid_state', current_status: 'enabled', allowed: ['disable'] })
    expect(fold(subscription, [created, disabled, enabled])).toMatchObject({ status: 'enabled', disabledReason: null })
  })

  test('a deleted one is found by no command', () => {
    given(subscription, [created]).when({ type: 'delete' }).then([deleted])
    for (const command of [{ type: 'delete' }, { type: 'enable', isEnding: false }] satisfies SubscriptionCommand[]) {
      given(subscription, [created, deleted]).when(command).thenRejected({ code: 'not_found' })
      given(subscription, []).when(command).thenRejected({ code: 'not_found' })
    }
  })

  test('no event holds a secret', () => {
    expect(JSON.stringify([created, disabled, enabled, deleted])).not.toMatch(/whsec_|ciphertext/)
  })
})
