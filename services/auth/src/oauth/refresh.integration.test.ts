// The refresh of tokens, row by row of auth.md 3.2, by raw requests.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { withTransaction } from '@wds/postgres/transaction'
import { decodeJwt } from 'jose'
import { makeClientSecret } from '../oauth-apps/client-secret.ts'
import { insertSecret } from '../oauth-apps/store.ts'
import type { App, Member } from './oauth-people.fixture.ts'
import { type Fields, outcomeOf } from './oauth-requests.fixture.ts'
import { type OAuthService, startOAuth } from './oauth-service.fixture.ts'

let oauth: OAuthService
let app: App
let person: Member
beforeAll(async () => {
  oauth = await startOAuth()
  app = await oauth.makeApp()
  person = await oauth.makeMember()
})
afterAll(() => oauth?.stop())

const token = (fields: Fields, o: object = {}) => oauth.postFromNewAddress('/oauth/token', fields, o)
const refreshToken = async () => (await oauth.tokens(app, person)).refresh_token

describe('refresh', () => {
  test('T20: gives new tokens, and whose they are again', async () => {
    const first = await oauth.tokens(app, person)
    const answer = await token(oauth.refreshing(app, first.refresh_token))
    expect([answer.status, answer.json]).toEqual([
      200,
      {
        access_token: expect.any(String),
        token_type: 'Bearer',
        expires_in: 3600,
        refresh_token: expect.stringMatching(/^wdr_[0-9A-Za-z]{38}$/),
        scope: app.scopes.join(' '),
        user_context: first.user_context,
      },
    ])
    expect(answer.json.refresh_token).not.toBe(first.refresh_token)
    const { rows } = await oauth.admin.query<{ days: number }>(
      `select extract(epoch from max(expires_at) - now())::float8 / 86400 as days from auth.engine_records where kind = 'RefreshToken'`,
    )
    expect(rows[0]?.days).toBeCloseTo(30, 2)
  })

  test('T21, S7, XO05: a refresh token used twice ends its family, however long ago, and that is told', async () => {
    const member = await oauth.makeMember()
    const first = await oauth.tokens(app, member)
    const second = await token(oauth.refreshing(app, first.refresh_token))
    const third = await token(oauth.refreshing(app, second.json.refresh_token))
    expect(outcomeOf(await token(oauth.refreshing(app, first.refresh_token)))).toEqual([400, 'invalid_grant'])
    for (const { json } of [second, third]) {
      expect(outcomeOf(await token(oauth.refreshing(app, json.refresh_token)))).toEqual([400, 'invalid_grant'])
    }
    expect((await oauth.announced(member.workspaceId)).map(({ type, data }) => [type, data.reason])).toEqual([
      ['AppAuthorized', undefined],
      ['RefreshTokenReuseDetected', undefined],
      ['GrantRevoked', 'refresh_token_reused'],
    ])
  })

  test('regression: the audit log says from where a refresh token came a second time, and its grant was ended', async () => {
    const member = await oauth.makeMember()
    const { refresh_token } = await oauth.tokens(app, member)
    await token(oauth.refreshing(app, refresh_token))
    const from = { address: '203.0.113.77', headers: { 'user-agent': 'a copy of the app' } }
    await oauth.post('/oauth/token', oauth.refreshing(app, refresh_token), from)
    const { rows } = await oauth.admin.query(
      `select action, actor, address, user_agent from auth.audit_log
        where workspace_id = $1 and actor like 'client:%' order by action`,
      [member.workspaceId],
    )
    const told = { actor: `client:${app.clientId}`, address: '203.0.113.77', user_agent: 'a copy of the app' }
    expect(rows).toEqual([
      { action: 'grant_revoked', ...told },
      { action: 'refresh_token_reuse_detected', ...told },
    ])
  })

  test('T23: a refresh token of another client, and its owner is unharmed', async () => {
    const [mine, other] = [await refreshToken(), await oauth.makeApp()]
    expect(outcomeOf(await token(oauth.refreshing(other, mine)))).toEqual([400, 'invalid_grant'])
    expect((await token(oauth.refreshing(app, mine))).status).toBe(200)
  })

  test('T24, T25, S9, XO06: fewer scopes for one token; more are refused, and the token is not consumed', async () => {
    const first = await oauth.tokens(app, person, { scopes: ['stats:read', 'campaigns:read'] })
    const fewer = await token({ ...oauth.refreshing(app, first.refresh_token), scope: 'stats:read' })
    expect([fewer.status, fewer.json.scope, decodeJwt(fewer.json.access_token).scope]).toEqual([
      200,
      'stats:read',
      'stats:read',
    ])
    const next = oauth.refreshing(app, fewer.json.refresh_token)
    expect(outcomeOf(await token({ ...next, scope: 'stats:read invoices:read' }))).toEqual([400, 'invalid_scope'])
    const full = await token(next)
    expect([full.status, full.json.scope]).toEqual([200, 'stats:read campaigns:read'])
  })

  test('T26, S42: good for 30 days from its issue; a chain refreshed every 29 days lives on past 400 days', async () => {
    const dayMs = 86_400_000
    let current = await refreshToken()
    const late = await refreshToken()
    for (let day = 29; day <= 29 * 14; day += 29) {
      await oauth.moveClock(day * dayMs)
      const answer = await token(oauth.refreshing(app, current))
      expect([day, answer.status]).toEqual([day, 200])
      current = answer.json.refresh_token
    }
    await oauth.moveClock(30 * dayMs + 1_000)
    const over = await token(oauth.refreshing(app, late))
    await oauth.moveClock(0)
    expect(outcomeOf(over)).toEqual([400, 'invalid_grant'])
  })

  test('T28: goes on after the plan of the app’s workspace fell', async () => {
    const own = await oauth.makeApp()
    const first = await oauth.tokens(own, person)
    await oauth.admin.query(
      `update auth.workspaces set state = jsonb_set(state, '{plan}', '"free"') where workspace_id = $1`,
      [own.workspaceId],
    )
    expect((await token(oauth.refreshing(own, first.refresh_token))).status).toBe(200)
  })
})

test('W16, regression: a refresh that the database cuts short consumes nothing: it may be tried again, as the answer says', async () => {
  const member = await oauth.makeMember()
  const first = await oauth.tokens(app, member)
  const mend = await oauth.breakWrites('RefreshToken')
  const cut = await token(oauth.refreshing(app, first.refresh_token))
  await mend()
  expect(outcomeOf(cut)).toEqual([503, 'temporarily_unavailable'])
  const again = await token(oauth.refreshing(app, first.refresh_token))
  expect(again.status).toBe(200)
  expect((await token(oauth.refreshing(app, again.json.refresh_token))).status).toBe(200)
  expect((await oauth.announced(member.workspaceId)).map(({ type }) => type)).toEqual(['AppAuthorized'])
})

test('A30: a suspended app is 401 at once, and works again when it is reinstated', async () => {
  const own = await oauth.makeApp()
  const first = await oauth.tokens(own, person)
  await oauth.commandApp(own, { type: 'suspend' })
  expect(outcomeOf(await token(oauth.refreshing(own, first.refresh_token)))).toEqual([401, 'invalid_client'])
  await oauth.commandApp(own, { type: 'reinstate' })
  expect((await token(oauth.refreshing(own, first.refresh_token))).status).toBe(200)
})

test('T33, S43, W8: both secrets work after a rotation until the old one ends', async () => {
  const own = await oauth.makeApp()
  const first = await oauth.tokens(own, person)
  const { secret, digest } = makeClientSecret()
  const { workspaceId, appId } = own
  await oauth.commandApp(own, { type: 'add_secret', secretId: 'sec_2', overlapMs: 3_600_000, nowMs: Date.now() })
  await withTransaction(oauth.pool, { workspaceId }, (tx) =>
    insertSecret(tx, { workspaceId, appId, secretId: 'sec_2', digest }),
  )
  const second = await token(oauth.refreshing(own, first.refresh_token))
  const third = await token(oauth.refreshing({ ...own, secret }, second.json.refresh_token))
  expect([second.status, third.status]).toEqual([200, 200])
  await oauth.moveClock(3_601_000)
  const old = await token(oauth.refreshing(own, third.json.refresh_token))
  const current = await token(oauth.refreshing({ ...own, secret }, third.json.refresh_token))
  await oauth.moveClock(0)
  expect([outcomeOf(old), current.status]).toEqual([[401, 'invalid_client'], 200])
})
