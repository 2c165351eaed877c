// What the developers of an app do in the settings, as the token endpoint sees it, and what they see of it.
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { queryOf } from '../oauth/oauth-requests.fixture.ts'
import type { OAuthService } from '../oauth/oauth-service.fixture.ts'
import { type OAuthAndSettings, startOAuthAndSettings } from '../oauth-and-settings.fixture.ts'

const mergePatch = { 'content-type': 'application/merge-patch+json' }

let both: OAuthAndSettings
let oauth: OAuthService
beforeAll(async () => {
  both = await startOAuthAndSettings()
  oauth = both.oauth
})
afterAll(() => both?.stop())

/** An app, its owner at the settings, and tokens that a stranger gave it. */
async function start() {
  const owner = await oauth.makeMember()
  const app = await oauth.makeApp({ workspaceId: owner.workspaceId })
  const call = await both.callAs(owner)
  const tokens = await oauth.tokens(app, await oauth.makeMember())
  const refresh = (secret: string, token: string) =>
    oauth.post('/oauth/token', { ...oauth.refreshing(app, token), client_secret: secret })
  return { app, call, tokens, refresh, one: `/v1/oauth-apps/${app.appId}` }
}

test('T33: a secret that was added in the settings is accepted beside the old one, which is refused once ended', async () => {
  const { app, call, tokens, refresh, one } = await start()
  const { json } = await call(`${one}/secrets`, { body: { overlap_hours: 24 } })
  const first = await refresh(json.client_secret, tokens.refresh_token)
  const second = await refresh(app.secret, first.json.refresh_token)
  expect([first.status, second.status]).toEqual([200, 200])
  await call(`${one}/secrets/${json.secrets[0].id}`, { method: 'DELETE' })
  const refused = await refresh(app.secret, second.json.refresh_token)
  expect([refused.status, refused.json.error]).toEqual([401, 'invalid_client'])
  expect((await refresh(json.client_secret, second.json.refresh_token)).status).toBe(200)
})

test('the minute in which a secret was last accepted is shown', async () => {
  const { call, one } = await start()
  const deadline = performance.now() + 60_000
  const shown = async () => (await call(one)).json.secrets[0].last_used as string | null
  while ((await shown()) === null) if (performance.now() > deadline) throw new Error('no use was noted')
  const lastUsed = (await shown()) ?? ''
  expect(lastUsed).toMatch(/:00\.000Z$/)
  expect(Math.abs(Date.parse(lastUsed) - Date.now())).toBeLessThan(180_000)
})

test('I2: introspection follows scopes that were taken from the app: the token is refused everywhere, the refresh token gives less', async () => {
  const { app, call, tokens, one } = await start()
  const introspect = async (token: string) =>
    (await oauth.post('/oauth/introspect', { token, client_id: app.clientId, client_secret: app.secret })).json
  expect([await introspect(tokens.access_token), await introspect(tokens.refresh_token)]).toMatchObject([
    { active: true, scope: app.scopes.join(' ') },
    { active: true, scope: app.scopes.join(' ') },
  ])
  await call(one, { method: 'PATCH', body: { scopes: ['stats:read'] }, headers: mergePatch })
  expect(await introspect(tokens.access_token)).toEqual({ active: false })
  expect(await introspect(tokens.refresh_token)).toMatchObject({ active: true, scope: 'stats:read' })
})

test('the sign-in page names the app whose authorisation waits, and none once it is over', async () => {
  const app = await oauth.makeApp()
  const { uid } = await oauth.ask(queryOf(app))
  const shown = async (path: string) => (await both.signInPage(path)).includes('to decide what <bdi>Sync</bdi> may do')
  expect([await shown(`/oauth/consent/${uid}`), await shown('/oauth/consent/nothing')]).toEqual([true, false])
  await oauth.moveClock(601_000)
  expect(await shown(`/oauth/consent/${uid}`)).toBe(false)
  await oauth.moveClock(0)
})

test('W27: the true reason of a refusal is shown, which the client was not told', async () => {
  const { app, call, tokens, refresh, one } = await start()
  const next = await refresh(app.secret, tokens.refresh_token)
  const reused = await refresh(app.secret, tokens.refresh_token)
  expect(reused.json.error).toBe('invalid_grant')
  const deadline = performance.now() + 60_000
  let errors = (await call(`${one}/errors`)).json.data
  while (errors.length === 0) {
    if (performance.now() > deadline) throw new Error('no error was kept')
    errors = (await call(`${one}/errors`)).json.data
  }
  expect(errors[0]).toMatchObject({ endpoint: 'token', error: 'invalid_grant' })
  expect(errors[0].reason).not.toBe('')
  expect(reused.text).not.toContain(errors[0].reason)
  const kept = JSON.stringify(errors)
  for (const secret of [app.secret, tokens.refresh_token, next.json.refresh_token]) expect(kept).not.toContain(secret)
  const usage = async (...ids: string[]) => (await call(`/v1/oauth-apps/usage?app_id=${ids.join()}`)).json.data
  // Its one grant ended with the reuse.
  expect(await usage(app.appId)).toEqual([{ app_id: app.appId, people: 0, grants: 0, last_error: errors[0] }])
})

test('how many people use each app is told to its own workspace, wherever they are', async () => {
  const { app, call } = await start()
  const person = await oauth.makeMember()
  for (let nth = 0; nth < 2; nth += 1) await oauth.tokens(app, person)
  const unused = await oauth.makeApp({ workspaceId: app.workspaceId })
  const foreign = await oauth.makeApp()
  const asked = [unused.appId, foreign.appId, app.appId, unused.appId]
  const { json } = await call(`/v1/oauth-apps/usage?app_id=${asked.join()}`)
  expect(json).toEqual({
    object: 'oauth_app_usage',
    data: [
      { app_id: unused.appId, people: 0, grants: 0, last_error: null },
      { app_id: app.appId, people: 2, grants: 3, last_error: null },
    ],
  })
  expect((await call('/v1/oauth-apps/usage')).json.code).toBe('invalid_parameter')
})

test('S9, S10: a scope that is removed is gone from the next token, one that is added is not in it', async () => {
  const { app, call, tokens, refresh, one } = await start()
  const fewer = app.scopes.filter((scope) => scope !== 'webhooks:manage')
  await call(one, { method: 'PATCH', body: { scopes: fewer } })
  const narrowed = await refresh(app.secret, tokens.refresh_token)
  expect([narrowed.status, narrowed.json.scope]).toEqual([200, fewer.join(' ')])

  const small = await oauth.makeApp({ workspaceId: app.workspaceId, scopes: ['stats:read'] })
  const given = await oauth.tokens(small, await oauth.makeMember())
  const path = `/v1/oauth-apps/${small.appId}`
  const widened = await call(path, { method: 'PATCH', body: { scopes: ['stats:read', 'invoices:read'] } })
  expect(widened.json.scopes).toEqual(['stats:read', 'invoices:read'])
  const { json } = await oauth.post('/oauth/token', oauth.refreshing(small, given.refresh_token))
  expect(json.scope).toBe('stats:read')
})
