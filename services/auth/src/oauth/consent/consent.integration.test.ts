// The consent page and its form, row by row of auth.md 3.1, by raw requests.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Scope } from '@wds/contracts/scopes'
import { whileHeld } from '../../auth-database.fixture.ts'
import { expectPage, expectRedirect, openConsent } from '../authorize-answers.fixture.ts'
import type { App, Member } from '../oauth-people.fixture.ts'
import { formIn, queryOf, redirectUrl } from '../oauth-requests.fixture.ts'
import { type OAuthService, startOAuth } from '../oauth-service.fixture.ts'

let oauth: OAuthService
let app: App
let person: Member
beforeAll(async () => {
  oauth = await startOAuth()
  app = await oauth.makeApp({ scopes: ['stats:read', 'campaigns:read', 'campaigns:write', 'webhooks:manage'] })
  person = await oauth.makeMember()
})
afterAll(() => oauth?.stop())

const opened = (of = app, who = person, changes: Record<string, string> = {}) => openConsent(oauth, of, who, changes)

test('A27: its headers', async () => {
  const { page } = await opened()
  expect(page.status).toBe(200)
  expect(page.headers).toMatchObject({
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'content-security-policy': `default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'self' ${new URL(redirectUrl).origin}`,
  })
  expect(page.text).not.toMatch(/<script|(?:src|href|action)="(?:https?:)?\/\//)
})

test('shows who asks, for whom and for what, and that webhooks bring the data of every event', async () => {
  const { page } = await opened()
  for (const text of ['Sync', 'Acme Media', 'app.example.test', 'Ada', 'data of every event'])
    expect(page.text).toContain(text)
  const quiet = await opened(app, person, { scope: 'stats:read' })
  expect(quiet.page.text).not.toContain('data of every event')
})

test('A28, W3: is shown again for the same request, although the app is allowed already', async () => {
  await oauth.authorize(app, person)
  const { uid, page } = await opened()
  expect([uid === null, page.status]).toEqual([false, 200])
})

test.each(['member', 'viewer'] as const)(
  'A29: a %s is offered no Allow, a forged one is 403, Cancel goes back',
  async (role) => {
    const member = await oauth.makeMember(role)
    const { cookie, page } = await opened(app, member)
    expect(page.text).not.toContain('value="allow"')
    const forged = await oauth.decide(page, cookie)
    expect(forged.status).toBe(403)
    expect(await oauth.announced(member.workspaceId)).toEqual([])
    const cancelled = await oauth.decide(page, cookie, { decision: 'cancel' })
    expectRedirect(await oauth.raw({ path: cancelled.headers.location ?? '', headers: { cookie } }), 'access_denied')
  },
)

test('A29: a role that shrank between page and decision', async () => {
  const member = await oauth.makeMember('admin')
  const { cookie, page } = await opened(app, member)
  await oauth.setRole(member, 'viewer')
  expect((await oauth.decide(page, cookie)).status).toBe(403)
  expect(await oauth.announced(member.workspaceId)).toEqual([])
})

test('A32: older than 10 minutes, without its cookie, or decided already: a page, no redirect', async () => {
  const { uid, own, cookie, page } = await opened()
  const session = cookie.slice(own.length + 2)
  expectPage(await oauth.raw({ path: `/oauth/consent/${uid}`, headers: { cookie: session } }))
  expectPage(await oauth.raw({ path: `/oauth/authorize/${uid}`, headers: { cookie: session } }))
  expectPage(await oauth.raw({ path: '/oauth/authorize/unknown', headers: { cookie: session } }))
  expect((await oauth.decide(page, cookie)).status).toBe(303)
  expectPage(await oauth.decide(page, cookie))
  const old = await opened()
  await oauth.moveClock(601_000)
  const late = [
    await oauth.raw({ path: `/oauth/consent/${old.uid}`, headers: { cookie: old.cookie } }),
    await oauth.decide(old.page, old.cookie),
    await oauth.raw({ path: `/oauth/authorize/${old.uid}`, headers: { cookie: old.cookie } }),
  ]
  await oauth.moveClock(0)
  for (const answer of late) expectPage(answer)
})

test('regression: what is allowed outlives the session, so one of an older sign-in is sent to sign in again, on the way to the page and with its form', async () => {
  const member = await oauth.makeMember()
  await oauth.moveClock(-300_000)
  const session = await oauth.signIn(member)
  await oauth.moveClock(0)
  const { uid, cookie: own } = await oauth.ask(queryOf(app))
  const [path, cookie] = [`/oauth/consent/${uid}`, `${own}; ${session}`]
  const page = await oauth.raw({ path, headers: { cookie } })
  expect(page.status).toBe(200)
  await oauth.moveClock(301_000)
  const answers = [await oauth.raw({ path, headers: { cookie } }), await oauth.decide(page, cookie)]
  await oauth.moveClock(0)
  const signIn = `/sign-in?return_to=${encodeURIComponent(path)}`
  expect(answers.map(({ status, headers }) => [status, headers.location])).toEqual(answers.map(() => [303, signIn]))
  expect(await oauth.announced(member.workspaceId)).toEqual([])
})

test('regression: nor is anything allowed by a session that a new password ends at the moment', async () => {
  const member = await oauth.makeMember()
  const { uid, cookie, page } = await opened(app, member)
  const meanwhile = 'delete from auth.sessions where user_id = $1'
  const answer = await whileHeld(oauth.admin, { userId: member.userId, meanwhile }, () => oauth.decide(page, cookie))
  expect(answer.headers.location).toContain(`/sign-in?return_to=${encodeURIComponent(`/oauth/consent/${uid}`)}`)
  expect(await oauth.announced(member.workspaceId)).toEqual([])
})

test('S17, S26, XO11: a form of another site, without the signed token or with anything changed, grants nothing', async () => {
  const other = await oauth.makeMember()
  const member = await oauth.makeMember()
  const { cookie, page } = await opened(app, member)
  const { fields } = formIn(page)
  const forged: [string, object][] = [
    ['cross-site', { headers: { 'sec-fetch-site': 'cross-site' } }],
    ['same-site', { headers: { 'sec-fetch-site': 'same-site' } }],
    ['no token', { fields: { form_token: '' } }],
    ['another token', { fields: { form_token: randomBytes(32).toString('base64url') } }],
    ['another workspace', { fields: { workspace_id: other.workspaceId } }],
    ['more scopes', { fields: { scopes: `${fields.scopes} invoices:write` } }],
    ['fewer scopes', { fields: { scopes: 'stats:read' } }],
    ['no decision', { fields: { decision: 'maybe' } }],
  ]
  for (const [name, o] of forged) {
    const answer = await oauth.decide(page, cookie, o)
    expect([name, answer.status, answer.headers.location]).toEqual([name, 403, undefined])
  }
  expect((await oauth.decide(page, cookie, { headers: { 'content-type': 'text/plain' } })).status).toBe(415)
  expect(await oauth.announced(member.workspaceId)).toEqual([])
  expect((await oauth.decide(page, cookie)).status).toBe(303)
})

test.each(['allow', 'cancel'])(
  'S12, W29, regression: a redirect URL that the app has given up meanwhile is not gone to: %s',
  async (decision) => {
    const other = 'https://other.example.test/cb'
    const moved = await oauth.makeApp({ redirectUrls: [redirectUrl, other] })
    const { uid, cookie, page } = await opened(moved)
    await oauth.commandApp(moved, { type: 'update', patch: { redirect_urls: [other] } })
    expectPage(await oauth.decide(page, cookie, { decision }))
    expectPage(await oauth.raw({ path: `/oauth/consent/${uid}`, headers: { cookie } }))
  },
)

test.each(['allow', 'cancel'])(
  'S12, W29, regression: nor is one that the app gave up between the decision and the way back: %s',
  async (decision) => {
    const other = 'https://other.example.test/cb'
    const moved = await oauth.makeApp({ redirectUrls: [redirectUrl, other] })
    const { uid, cookie, page } = await opened(moved)
    expect((await oauth.decide(page, cookie, { decision })).status).toBe(303)
    await oauth.commandApp(moved, { type: 'update', patch: { redirect_urls: [other] } })
    expectPage(await oauth.raw({ path: `/oauth/authorize/${uid}`, headers: { cookie } }))
  },
)

test('S19: a link to somebody else’s interaction is no use without its cookie', async () => {
  const attacker = await opened()
  const victim = await oauth.signIn(await oauth.makeMember())
  expectPage(await oauth.raw({ path: `/oauth/consent/${attacker.uid}`, headers: { cookie: victim } }))
})

test('S21: another person who signs in in this browser must see the page first; the token is the present person’s', async () => {
  const [first, second] = [await oauth.makeMember(), await oauth.makeMember()]
  const { uid, own, page } = await opened(app, first)
  const cookie = `${own}; ${await oauth.signIn(second)}`
  expect((await oauth.decide(page, cookie)).status).toBe(403)
  const again = await oauth.raw({ path: `/oauth/consent/${uid}`, headers: { cookie } })
  expect((await oauth.decide(again, cookie)).status).toBe(303)
  expect([await oauth.announced(first.workspaceId), (await oauth.announced(second.workspaceId)).length]).toEqual([
    [],
    1,
  ])
})

test('S22: of several workspaces the one that was shown is granted, whatever another tab shows', async () => {
  const member = await oauth.makeMember()
  const second = await oauth.makeWorkspace()
  await oauth.join(second, member.userId, 'admin')
  const { uid, cookie, page } = await opened(app, member)
  const other = await oauth.raw({ path: `/oauth/consent/${uid}?workspace=${second}`, headers: { cookie } })
  expect([formIn(page).fields.workspace_id, formIn(other).fields.workspace_id]).toEqual([member.workspaceId, second])
  expect((await oauth.decide(page, cookie)).status).toBe(303)
  expect([(await oauth.announced(member.workspaceId)).length, await oauth.announced(second)]).toEqual([1, []])
})

test('an app in development is allowed by its own workspace alone', async () => {
  const own = await oauth.makeApp({ state: 'development' })
  const stranger = await opened(own)
  expect(stranger.page.text).not.toContain('value="allow"')
  expect((await oauth.decide(stranger.page, stranger.cookie)).status).toBe(403)
  const maker = await oauth.makeMember('owner', own.workspaceId)
  expect((await oauth.authorize(own, maker)).code).toMatch(/^wdcode_/)
})

test('S10: what a person allowed is what the token has, and the audit log says who allowed it', async () => {
  const member = await oauth.makeMember()
  const scopes: Scope[] = ['stats:read']
  const tokens = await oauth.tokens(app, member, { scopes })
  expect(tokens.scope).toBe('stats:read')
  expect(await oauth.announced(member.workspaceId)).toMatchObject([
    { type: 'AppAuthorized', data: { user_id: member.userId, app_id: app.appId, scopes, member_rev: 1 } },
  ])
  const { rows } = await oauth.admin.query(
    `select actor, action, address, request_id from auth.audit_log where workspace_id = $1 and action = 'app_authorized'`,
    [member.workspaceId],
  )
  expect(rows).toEqual([
    {
      actor: `user:${member.userId}`,
      action: 'app_authorized',
      address: '203.0.113.1',
      request_id: expect.stringMatching(/^req_/),
    },
  ])
})
