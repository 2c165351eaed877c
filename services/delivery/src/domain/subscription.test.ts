// The subscription aggregate in given, when, then (domain.md 3.13, decisions.md 7, 26).
import { describe, expect, test } from '@jest/globals'
import { fold } from '@wds/decider/decider'
import { given } from '@wds/decider/given-when-then'
import {
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
  rate_limit: null,
  max_in_flight: 8,
}
const owner = { type: 'api_key' as const, id: 'key_1' }
const secret = { hint: 'abcd', version: 1 }
const created: SubscriptionEvent = { type: 'SubscriptionCreated', data: { ...fields, owner, secret } }
const failing = { failing_since: '2026-01-31T12:00:00.000Z', failed_deliveries: 3 }
const disabled: SubscriptionEvent = { type: 'SubscriptionDisabled', data: { reason: 'gone', ...failing } }
const enabled: SubscriptionEvent = { type: 'SubscriptionEnabled', data: {} }
const deleted: SubscriptionEvent = { type: 'SubscriptionDeleted', data: {} }
const create = { type: 'CreateSubscription' as const, fields, owner, secret }

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
      .when({ type: 'ChangeSubscription', fields: { events: ['sync'] } })
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
      .when({ type: 'ChangeSubscription', fields: { headers: good } })
      .then([{ type: 'SubscriptionChanged', data: { headers: good } }])
  })

  test('a change holds what differs; a change of nothing emits nothing', () => {
    given(subscription, [created])
      .when({ type: 'ChangeSubscription', fields: { url: 'https://b.acme.io/', events: ['sync.*'] } })
      .then([{ type: 'SubscriptionChanged', data: { url: 'https://b.acme.io/' } }])
    given(subscription, [created]).when({ type: 'ChangeSubscription', fields }).then([])
  })

  test('is disabled once and enabled once; eight 410s in flight disable once', () => {
    given(subscription, [created]).when({ type: 'DisableSubscription', reason: 'gone', failing }).then([disabled])
    given(subscription, [created, disabled])
      .when({ type: 'DisableSubscription', reason: 'gone', failing })
      .thenRejected({ code: 'invalid_state', current_status: 'disabled', allowed: ['enabled'] })
    given(subscription, [created, disabled]).when({ type: 'EnableSubscription', isEnding: false }).then([enabled])
    given(subscription, [created, disabled])
      .when({ type: 'EnableSubscription', isEnding: true })
      .thenRejected({ code: 'invalid_state', current_status: 'disabled', allowed: [] })
    given(subscription, [created])
      .when({ type: 'EnableSubscription', isEnding: false })
      .thenRejected({ code: 'invalid_state', current_status: 'enabled', allowed: ['disabled'] })
    expect(fold(subscription, [created, disabled, enabled])).toMatchObject({ status: 'enabled', disabledReason: null })
  })

  test('a deleted one is found by no command', () => {
    given(subscription, [created]).when({ type: 'DeleteSubscription' }).then([deleted])
    for (const command of [
      { type: 'DeleteSubscription' },
      { type: 'EnableSubscription', isEnding: false },
    ] satisfies SubscriptionCommand[]) {
      given(subscription, [created, deleted]).when(command).thenRejected({ code: 'not_found' })
      given(subscription, []).when(command).thenRejected({ code: 'not_found' })
    }
  })

  test('no event holds a secret', () => {
    expect(JSON.stringify([created, disabled, enabled, deleted])).not.toMatch(/whsec_|ciphertext/)
  })
})
