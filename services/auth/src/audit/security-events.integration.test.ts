// Each security event of auth (security.md 3) is a line of the log under its name, with ids and nothing else.
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type AuthService, hiddenOf, startAuth } from '../auth-service.fixture.ts'
import { type OAuthService, startOAuth } from '../oauth/oauth-service.fixture.ts'

let auth: AuthService
let oauth: OAuthService
beforeAll(async () => {
  ;[auth, oauth] = await Promise.all([startAuth(), startOAuth()])
})
afterAll(() => Promise.all([auth?.stop(), oauth?.stop()]))

/** Names of what happened while `work` was done, sorted; `about`: those of this person, app or workspace. */
async function eventsOf(log: string[], work: () => Promise<unknown>, about?: string): Promise<string[]> {
  const from = log.length
  await work()
  const lines = log.slice(from).filter((line) => about === undefined || line.includes(about))
  const events = lines.map((line) => JSON.parse(line)).filter(({ security_event }) => security_event !== undefined)
  for (const event of events) {
    expect(Object.keys(event).sort()).toEqual([
      'actor',
      'level',
      'msg',
      'object',
      'pid',
      'request_id',
      'security_event',
      'service',
      'time',
      'workspace_id',
    ])
    expect([event.msg, event.request_id]).toEqual(['security event', expect.stringMatching(/^req_/)])
  }
  return events.map(({ security_event }) => security_event).sort()
}

async function signIn(email: string, password: string) {
  const browser = auth.browser()
  await browser.submit('/sign-in', { ...hiddenOf(await browser.call('/sign-in')), email, password })
  return browser
}

test('signing in, failing, of nobody known, and too often', async () => {
  const { email, password } = await auth.makePerson()
  expect(await eventsOf(auth.log, () => signIn(email, password))).toEqual(['sign_in'])
  expect(await eventsOf(auth.log, () => signIn(email, 'wrong'))).toEqual(['sign_in_failed'])
  expect(await eventsOf(auth.log, () => signIn('nobody@example.test', 'wrong'))).toEqual(['sign_in_failed'])
  for (let nth = 0; nth < 9; nth += 1) await signIn(email, 'wrong')
  expect(await eventsOf(auth.log, () => signIn(email, password))).toEqual(['sign_in_throttled'])
  await auth.admin.query('truncate auth.sign_in_attempts')
})

test('a new password, and the end of all sessions', async () => {
  const { owner, browser } = await auth.ownedWorkspace()
  const fields = {
    current_password: owner.password,
    new_password: 'a new one of mine',
    new_password_again: 'a new one of mine',
  }
  const change = async () => browser.submit('/password', { ...hiddenOf(await browser.call('/password')), ...fields })
  expect(await eventsOf(auth.log, change)).toEqual(['password_changed', 'sign_in'])
  const end = () => browser.write('/v1/session/end-all', { method: 'POST' })
  expect(await eventsOf(auth.log, end)).toEqual(['sessions_ended'])
})

test('keys: made, changed, rotated, revoked', async () => {
  const { browser } = await auth.ownedWorkspace()
  const body = { name: 'importer', scopes: ['stats:read'], expires_in_days: 30 }
  let one = ''
  const make = async () => {
    one = `/v1/api-keys/${(await browser.write('/v1/api-keys', { body })).json.id}`
  }
  expect(await eventsOf(auth.log, make)).toEqual(['api_key_created'])
  const patch = () => browser.write(one, { method: 'PATCH', body: { name: 'other' } })
  expect(await eventsOf(auth.log, patch)).toEqual(['api_key_changed'])
  expect(await eventsOf(auth.log, () => browser.write(`${one}/rotate`, { body: {} }))).toEqual(['api_key_rotated'])
  expect(await eventsOf(auth.log, () => browser.write(one, { method: 'DELETE' }))).toEqual(['api_key_revoked'])
})

test('members: invited, added, with another role, removed; people disabled and erased', async () => {
  const { browser, workspaceId } = await auth.ownedWorkspace()
  const { userId, email } = await auth.makePerson()
  const invite = () => browser.write('/v1/members/invitations', { body: { role: 'viewer' } })
  expect(await eventsOf(auth.log, invite)).toEqual(['member_invited'])
  expect(await eventsOf(auth.log, () => auth.join(workspaceId, userId, 'admin'))).toEqual(['member_added'])
  const one = `/v1/members/mbr_${userId.slice(4)}`
  const lower = () => browser.write(one, { method: 'PATCH', body: { role: 'viewer' } })
  expect(await eventsOf(auth.log, lower)).toEqual(['member_role_changed'])
  expect(await eventsOf(auth.log, () => browser.write(one, { method: 'DELETE' }))).toEqual(['member_removed'])
  const end = (what: string) => () => auth.operate(`/internal/people/${what}`, { body: { email } })
  expect(await eventsOf(auth.log, end('disable'))).toEqual(['user_disabled'])
  expect(await eventsOf(auth.log, end('erase'))).toEqual(['user_erased'])
})

test('tokens: a refresh token used twice, revocation of each kind', async () => {
  const app = await oauth.makeApp()
  const person = await oauth.makeMember()
  const [reused, revoked] = [await oauth.tokens(app, person), await oauth.tokens(app, person)]
  const refresh = () => oauth.post('/oauth/token', oauth.refreshing(app, reused.refresh_token))
  // A refresh is no entry of the audit log.
  expect(await eventsOf(oauth.log, refresh)).toEqual([])
  expect(await eventsOf(oauth.log, refresh)).toEqual(['grant_revoked', 'refresh_token_reuse_detected'])
  const revoke = (token: string) => () =>
    oauth.post('/oauth/revoke', { token, client_id: app.clientId, client_secret: app.secret })
  expect(await eventsOf(oauth.log, revoke(revoked.access_token))).toEqual(['access_token_revoked'])
  expect(await eventsOf(oauth.log, revoke(revoked.refresh_token))).toEqual(['grant_revoked'])
})

test('a client that fails to say who it is, and too often', async () => {
  const app = await oauth.makeApp()
  const fields = { ...oauth.refreshing(app, 'x'), client_secret: 'wrong' }
  const fail = () => oauth.post('/oauth/token', fields, { address: '192.0.2.44' })
  expect(await eventsOf(oauth.log, fail, app.clientId)).toEqual(['client_authentication_failed'])
  const names = new Set<string>()
  // A minute may end on the way.
  for (let nth = 0; nth < 22; nth += 1) for (const name of await eventsOf(oauth.log, fail)) names.add(name)
  expect([...names].sort()).toEqual(['client_authentication_failed', 'client_authentication_throttled'])
  const pasted = { ...fields, client_id: 'a secret in the wrong field' }
  await oauth.post('/oauth/token', pasted, { address: '192.0.2.45' })
  expect(oauth.log.join()).not.toContain('a secret in the wrong field')
})
