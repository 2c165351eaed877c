// Properties under attack (auth.md 6) and traps of the engine (2.3) that no row of the contract shows by itself, by raw requests.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { openConsent } from './authorize-answers.fixture.ts'
import type { App, Member } from './oauth-people.fixture.ts'
import { queryOf, redirectUrl } from './oauth-requests.fixture.ts'
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

const refresh = (token: string, of = app) => oauth.post('/oauth/token', oauth.refreshing(of, token))

test('W2: tokens outlive the session of the browser that allowed them, and the engine’s own', async () => {
  const { refresh_token: token } = await oauth.tokens(app, person)
  await oauth.admin.query('delete from auth.sessions where user_id = $1', [person.userId])
  await oauth.admin.query("delete from auth.engine_records where kind in ('Session', 'Interaction')")
  await oauth.moveClock(15 * 86_400_000)
  const answer = await refresh(token)
  await oauth.moveClock(0)
  expect([answer.status, answer.json.scope]).toEqual([200, app.scopes.join(' ')])
})

test('W23: a grant of fewer scopes than were asked for is a grant: the page does not come again', async () => {
  const own = await oauth.makeApp({ scopes: ['stats:read', 'campaigns:read'] })
  const verifier = randomBytes(32).toString('base64url')
  const { cookie, page } = await openConsent(oauth, own, person, queryOf(own, { verifier }))
  await oauth.commandApp(own, { type: 'update', patch: { scopes: ['stats:read'] } })
  const decided = await oauth.decide(page, cookie)
  const back = await oauth.raw({ path: decided.headers.location ?? '/none', headers: { cookie } })
  expect([back.status, back.headers.location?.startsWith(`${redirectUrl}?code=`)]).toEqual([303, true])
  const code = new URL(back.headers.location ?? '').searchParams.get('code') ?? ''
  const { status, json } = await oauth.post('/oauth/token', oauth.redemption(own, { code, verifier }))
  expect([status, json.scope]).toEqual([200, 'stats:read'])
})

describe('S46: no credential passes for one of another kind', () => {
  test('at the token endpoint, introspection and revocation', async () => {
    const authorization = await oauth.authorize(app, person)
    const { access_token, refresh_token } = await oauth.tokens(app, person)
    const client = { client_id: app.clientId, client_secret: app.secret }
    const asRefreshToken = await Promise.all(
      [access_token, authorization.code, app.secret, authorization.verifier].map((text) => refresh(text)),
    )
    const asCode = await Promise.all(
      [access_token, refresh_token, app.secret].map((code) =>
        oauth.post('/oauth/token', oauth.redemption(app, { ...authorization, code })),
      ),
    )
    for (const { status, json } of [...asRefreshToken, ...asCode]) {
      expect([status, json.error]).toEqual([400, 'invalid_grant'])
    }
    const asSecret = await oauth.post('/oauth/token', {
      ...oauth.refreshing(app, refresh_token),
      client_secret: refresh_token,
    })
    expect([asSecret.status, asSecret.json.error]).toEqual([401, 'invalid_client'])
    for (const token of [app.secret, authorization.verifier, authorization.uid]) {
      expect((await oauth.post('/oauth/introspect', { ...client, token })).json).toEqual({ active: false })
      expect((await oauth.post('/oauth/revoke', { ...client, token })).status).toBe(200)
    }
    expect((await refresh(refresh_token)).status).toBe(200)
    expect((await oauth.post('/oauth/token', oauth.redemption(app, authorization))).status).toBe(200)
  })
})
