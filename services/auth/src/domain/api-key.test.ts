import { test } from '@jest/globals'
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
}
const created: ApiKeyEvent = { type: 'ApiKeyCreated', data: key }
const revoked: ApiKeyEvent = { type: 'ApiKeyRevoked', data: { key_id: 'key_1', workspace_id: 'wsp_1' } }

test('a key is created', () => {
  given(apiKeyDecider, []).when({ type: 'CreateApiKey', key, liveKeys: 0 }).then([created])
})
test('the last place of the limit may be taken, the one above it not', () => {
  given(apiKeyDecider, [])
    .when({ type: 'CreateApiKey', key, liveKeys: liveKeysMax - 1 })
    .then([created])
  given(apiKeyDecider, []).when({ type: 'CreateApiKey', key, liveKeys: liveKeysMax }).thenRejected('limit_reached')
})
test('a key without scopes is refused', () => {
  given(apiKeyDecider, [])
    .when({ type: 'CreateApiKey', key: { ...key, scopes: [] }, liveKeys: 0 })
    .thenRejected('no_scopes')
})
test('a key id is used once', () => {
  given(apiKeyDecider, [created]).when({ type: 'CreateApiKey', key, liveKeys: 0 }).thenRejected('already_exists')
})
test('a key is revoked once', () => {
  given(apiKeyDecider, [created]).when({ type: 'RevokeApiKey' }).then([revoked])
  given(apiKeyDecider, [created, revoked]).when({ type: 'RevokeApiKey' }).thenRejected('already_revoked')
  given(apiKeyDecider, []).when({ type: 'RevokeApiKey' }).thenRejected('not_found')
})
