import { expect, test } from '@jest/globals'
import { roleAllows, roles, scopesOfRole } from '@wds/contracts/roles'
import { scopes } from '@wds/contracts/scopes'
import { fold } from '@wds/decider/decider'
import { given } from '@wds/decider/given-when-then'
import { type ApiKeyEvent, apiKeyDecider, liveKeysMax } from './api-key.ts'

const key = {
  key_id: 'key_1',
  workspace_id: 'wsp_1',
  digest: 'ab'.repeat(32),
  prefix: 'wdk_live_',
  last4: 'abcd',
  name: 'first',
  scopes: ['stats:read' as const],
  cidrs: [],
  expires: null,
  creator: null,
}
const created: ApiKeyEvent = { type: 'ApiKeyCreated', data: key }
const revoked: ApiKeyEvent = { type: 'ApiKeyRevoked', data: { key_id: 'key_1', workspace_id: 'wsp_1' } }

test('a key is created', () => {
  given(apiKeyDecider, []).when({ type: 'create', key, liveKeys: 0 }).then([created])
})
test('the last place of the limit may be taken, the one above it not', () => {
  given(apiKeyDecider, [])
    .when({ type: 'create', key, liveKeys: liveKeysMax - 1 })
    .then([created])
  given(apiKeyDecider, []).when({ type: 'create', key, liveKeys: liveKeysMax }).thenRejected('limit_reached')
})
test('a key without scopes is refused', () => {
  given(apiKeyDecider, [])
    .when({ type: 'create', key: { ...key, scopes: [] }, liveKeys: 0 })
    .thenRejected('no_scopes')
})
test('a key id is used once', () => {
  given(apiKeyDecider, [created]).when({ type: 'create', key, liveKeys: 0 }).thenRejected('already_exists')
})
test('a key is revoked once', () => {
  given(apiKeyDecider, [created]).when({ type: 'revoke' }).then([revoked])
  given(apiKeyDecider, [created, revoked]).when({ type: 'revoke' }).thenRejected('already_revoked')
  given(apiKeyDecider, []).when({ type: 'revoke' }).thenRejected('not_found')
})

const nowMs = Date.parse('2026-03-01T12:00:00.000Z')
const hourMs = 3_600_000
const ids = { key_id: 'key_1', workspace_id: 'wsp_1' }
const text = { digest: 'cd'.repeat(32), prefix: 'wdk_live_', last4: 'wxyz' }
const rotate = (hours: number, atMs = nowMs) =>
  ({ type: 'rotate', text, overlapMs: hours * hourMs, nowMs: atMs }) as const
const rotated = (previous_ends: string): ApiKeyEvent => ({
  type: 'ApiKeyRotated',
  data: { ...ids, ...text, previous_ends },
})

test('regression: a change of a key tells all that may be changed, so that one which is told late takes nothing back; nothing where nothing changed', () => {
  const patch = { name: 'second', scopes: [...key.scopes], cidrs: ['10.0.0.0/8'] }
  given(apiKeyDecider, [created])
    .when({ type: 'update', patch })
    .then([{ type: 'ApiKeyChanged', data: { ...ids, ...patch } }])
  given(apiKeyDecider, [created])
    .when({ type: 'update', patch: { cidrs: patch.cidrs } })
    .then([{ type: 'ApiKeyChanged', data: { ...ids, ...patch, name: key.name } }])
  given(apiKeyDecider, [created])
    .when({ type: 'update', patch: { name: key.name, cidrs: [] } })
    .then([])
  given(apiKeyDecider, [created])
    .when({ type: 'update', patch: { scopes: [] } })
    .thenRejected('no_scopes')
  given(apiKeyDecider, [created, revoked]).when({ type: 'update', patch }).thenRejected('already_revoked')
})

test('a rotated key keeps its id and rights; the text before it ends after the overlap', () => {
  given(apiKeyDecider, [created])
    .when(rotate(24))
    .then([rotated('2026-03-02T12:00:00.000Z')])
  given(apiKeyDecider, [created])
    .when(rotate(0))
    .then([rotated('2026-03-01T12:00:00.000Z')])
  const state = fold(apiKeyDecider, [created, rotated('2026-03-02T12:00:00.000Z')])
  const { digest: _, ...kept } = key
  expect(state).toEqual({ status: 'live', ...kept, last4: 'wxyz', previous_ends: '2026-03-02T12:00:00.000Z' })
})

test('two texts of a key at most are accepted: within an overlap all of before end at once, or the rotation waits', () => {
  const before = [created, rotated('2026-03-02T12:00:00.000Z')]
  given(apiKeyDecider, before).when(rotate(1)).thenRejected('still_rotating')
  given(apiKeyDecider, before)
    .when(rotate(0))
    .then([rotated('2026-03-01T12:00:00.000Z')])
  given(apiKeyDecider, [...before, rotated('2026-03-01T12:00:00.000Z')])
    .when(rotate(1))
    .then([rotated('2026-03-01T13:00:00.000Z')])
  given(apiKeyDecider, before)
    .when(rotate(1, nowMs + 24 * hourMs))
    .then([rotated('2026-03-02T13:00:00.000Z')])
})

test('a key that has ended is not rotated', () => {
  const expires = '2026-03-01T12:00:00.000Z'
  const ending: ApiKeyEvent = { type: 'ApiKeyCreated', data: { ...key, expires } }
  given(apiKeyDecider, [ending]).when(rotate(24)).thenRejected('expired')
  given(apiKeyDecider, [ending])
    .when(rotate(0, nowMs - 1))
    .then([rotated('2026-03-01T11:59:59.999Z')])
  given(apiKeyDecider, [created, revoked]).when(rotate(0)).thenRejected('already_revoked')
})

test('whoever may make keys holds every scope, so that no key is wider than its maker', () => {
  for (const role of roles) if (roleAllows(role, 'manage_keys')) expect(scopesOfRole(role)).toEqual(scopes)
})
