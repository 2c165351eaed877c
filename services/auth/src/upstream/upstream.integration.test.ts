// Signing in at real OpenID providers that the test starts, in a browser that follows redirects by hand.
import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals'
import { type AuthService, type Browser, startAuth } from '../auth-service.fixture.ts'
import { type Provider, readProviders } from '../identities/providers.ts'
import { listenOnLoopback, type OpenIdServer, settingsOf, startOpenIdProvider } from './openid-provider.fixture.ts'
import { answerOf, authUrl, begin, comeBack, idOf, seen, signIn, start } from './upstream-browser.fixture.ts'

const opened: Server[] = []

function listen(server: Server): Promise<string> {
  opened.push(server)
  return listenOnLoopback(server)
}

let [one, two, auth]: [OpenIdServer, OpenIdServer, AuthService] = [] as never
let hangs: Server
const failures: { provider: string; reason: string }[] = []

beforeAll(async () => {
  // The library tells that the provider of this test has its defaults.
  for (const level of ['info', 'warn'] as const) jest.spyOn(console, level).mockImplementation(() => {})
  ;[one, two] = await Promise.all([startOpenIdProvider('one', authUrl), startOpenIdProvider('two', authUrl)])
  hangs = createServer(() => {})
  const garbage = createServer((_, response) => response.end('<html>not json'))
  const flood = createServer((_, response) => response.end(Buffer.alloc(300 * 1024, 32)))
  const elsewhere = createServer((_, response) => response.writeHead(302, { location: one.issuer }).end())
  const rogue = createServer((_, response) => {
    const issuer = entries.find(({ name }) => name === 'rogue')?.issuer
    const endpoints = { authorization_endpoint: `${issuer}/auth`, token_endpoint: `${two.issuer}/token` }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ issuer, ...endpoints, jwks_uri: `${two.issuer}/jwks` }))
  })
  const others = { hangs, garbage, flood, elsewhere, rogue }
  const entries = [one.settings, two.settings]
  for (const [name, server] of Object.entries(others)) entries.push(settingsOf(name, await listen(server)))
  const providers: Provider[] = readProviders(JSON.stringify(entries), { deadlineMs: 1_500 })
  auth = await startAuth({ providers, reportUpstreamFailure: (failure) => void failures.push(failure) })
})
afterAll(async () => {
  await auth?.stop()
  for (const provider of [one, two]) provider?.stop()
  for (const server of opened) {
    server.close()
    server.closeAllConnections()
  }
})

const identitiesOf = async (sub: string) =>
  (await auth.admin.query('select issuer, user_id from auth.identities where subject = $1', [sub])).rows

/** An account of ours linked to a new person at the first provider. */
async function linked(sub: string) {
  const { owner, workspaceId, browser } = await auth.ownedWorkspace()
  one.person = { sub, name: 'Ada', email: 'upstream@example.test' }
  expect(seen(await signIn(browser, 'one', '?link=1'))).toEqual([303, '/sign-in'])
  return { owner, workspaceId, browser }
}

const failed = 'Signing in there did not work'

describe('the way in', () => {
  test('a signed-in person connects an account there, and signs in with it afterwards, going on where it was asked for', async () => {
    const { owner, workspaceId, browser } = await linked('ada')
    expect((await browser.call('/sign-in')).text).toContain('Connected')
    expect(await identitiesOf('ada')).toEqual([{ issuer: one.issuer, user_id: owner.userId }])
    const fresh = auth.browser()
    const page = await fresh.call('/sign-in?return_to=%2Fpassword')
    expect(page.text).toContain('href="/sign-in/upstream/one?return_to=%2Fpassword"')
    expect(seen(await signIn(fresh, 'one', '?return_to=%2Fpassword'))).toEqual([303, '/password'])
    expect([await idOf(fresh), fresh.cookies.has('wds_upstream')]).toEqual([owner.userId, false])
    const { rows } = await auth.admin.query(
      `select action, outcome from auth.audit_log where workspace_id = $1 and action in ('identity_linked', 'sign_in') order by id`,
      [workspaceId],
    )
    expect(rows).toEqual(['identity_linked', 'sign_in'].map((action) => ({ action, outcome: 'done' })))
  })

  test('the request there is code flow with PKCE S256, state and nonce, which no second attempt shares', async () => {
    const requests = await Promise.all(
      [1, 2].map(async () => new URL((await start(auth.browser(), 'one')).headers.get('location') ?? '')),
    )
    const values = requests.map(({ searchParams }) => Object.fromEntries(searchParams))
    for (const value of values) {
      expect(value).toMatchObject({
        response_type: 'code',
        client_id: 'wds',
        code_challenge_method: 'S256',
        redirect_uri: `${authUrl}/sign-in/upstream/one/callback`,
      })
    }
    for (const name of ['state', 'nonce', 'code_challenge']) {
      const [first, second] = values.map((value) => value[name])
      expect(first).toMatch(/^[\w-]{43}$/)
      expect(second).not.toBe(first)
    }
  })

  test('open redirect: an address of others is not gone to', async () => {
    await linked('redirected')
    for (const evil of ['https://evil.test/', '//evil.test/', '/\\evil.test', '/sign-out']) {
      const answer = await signIn(auth.browser(), 'one', `?return_to=${encodeURIComponent(evil)}`)
      expect(seen(answer)).toEqual([303, '/'])
    }
  })

  test('S20: the session is new, and what the browser had before has ended', async () => {
    const { owner } = await linked('fixed')
    const other = await auth.makePerson()
    const browser = await auth.signedIn(other.userId)
    const before = browser.cookies.get('wds_session')
    await signIn(browser, 'one')
    expect([await idOf(browser), browser.cookies.get('wds_session') === before]).toEqual([owner.userId, false])
    const { rowCount } = await auth.admin.query('select from auth.sessions where user_id = $1', [other.userId])
    expect(rowCount).toBe(0)
  })
})

describe('who is let in', () => {
  test('nobody by the mail address: an unknown identity with the address of an account gets no session', async () => {
    const { owner } = await auth.ownedWorkspace()
    one.person = { sub: 'stranger', name: 'Mallory', email: owner.email }
    const browser = auth.browser()
    const answer = await signIn(browser, 'one')
    expect([answer.status, answer.text.includes('is not connected')]).toEqual([422, true])
    // regression: whoever watches the log sees it, as a password that does not fit.
    const requestId = String(answer.headers.get('x-request-id'))
    expect(auth.log.filter((line) => line.includes(requestId)).join()).toContain('"security_event":"sign_in_failed"')
    expect([await idOf(browser), await identitiesOf('stranger')]).toEqual([null, []])
  })

  test('the same subject at another issuer is another person', async () => {
    await linked('same-subject')
    two.person = { sub: 'same-subject', name: 'Eve', email: 'eve@example.test' }
    const browser = auth.browser()
    expect((await signIn(browser, 'two')).status).toBe(422)
    expect(await idOf(browser)).toBeNull()
  })

  test('an account that is disabled is refused, and so is one that is erased', async () => {
    const { owner, workspaceId } = await linked('disabled')
    const second = await auth.makePerson()
    await auth.join(workspaceId, second.userId, 'owner')
    const attempted = async () => {
      const browser = auth.browser()
      const { status } = await signIn(browser, 'one')
      return [status, await idOf(browser)]
    }
    expect(await attempted()).toEqual([303, owner.userId])
    expect((await auth.operate('/internal/people/disable', { body: { email: owner.email } })).status).toBeLessThan(300)
    const usedLast = async () =>
      (await auth.admin.query(`select last_used from auth.identities where subject = 'disabled'`)).rows[0].last_used
    const before = await usedLast()
    expect(await attempted()).toEqual([422, null])
    // regression: whoever is refused has not used it.
    expect(await usedLast()).toEqual(before)
    expect((await auth.operate('/internal/people/erase', { body: { email: owner.email } })).status).toBeLessThan(300)
    expect([await attempted(), await identitiesOf('disabled')]).toEqual([[422, null], []])
  })

  test('an invitation lets a new person in, once, with name and address of the provider and without a password', async () => {
    const { browser: owner, workspaceId } = await auth.ownedWorkspace({ name: 'Northwind' })
    const invited = await owner.write('/v1/members/invitations', { body: { role: 'member' } })
    const path = new URL(invited.json.link).pathname
    const query = `?return_to=${encodeURIComponent(path)}`
    one.person = { sub: 'invited', name: 'Grace', email: 'grace@example.test' }
    const browser = auth.browser()
    expect((await browser.call(path)).text).toContain(`/sign-in/upstream/one${query}`)
    expect(seen(await signIn(browser, 'one', query))).toEqual([303, '/'])
    const { user, workspace, role } = (await browser.call('/v1/session')).json
    expect([user.name, user.email, workspace.id, role]).toEqual(['Grace', 'grace@example.test', workspaceId, 'member'])
    const { rowCount } = await auth.admin.query('select from auth.passwords where user_id = $1', [user.id])
    expect(rowCount).toBe(0)
    const { rows: linked } = await auth.admin.query(
      `select actor, object from auth.audit_log where workspace_id = $1 and action = 'identity_linked'`,
      [workspaceId],
    )
    expect(linked).toEqual([{ actor: `user:${user.id}`, object: one.issuer }])
    one.person = { sub: 'late', name: 'Late', email: 'late@example.test' }
    expect((await signIn(auth.browser(), 'one', query)).status).toBe(404)
    expect(await identitiesOf('late')).toEqual([])
  })

  test('with an invitation, the address of an account leads to no account, and a missing name makes none', async () => {
    const { browser: owner, owner: known } = await auth.ownedWorkspace()
    const invited = await owner.write('/v1/members/invitations', { body: { role: 'member' } })
    const query = `?return_to=${encodeURIComponent(new URL(invited.json.link).pathname)}`
    for (const person of [
      { sub: 'taker', name: 'Taker', email: known.email },
      { sub: 'nameless', email: 'nameless@example.test' },
    ]) {
      one.person = person
      const browser = auth.browser()
      expect((await signIn(browser, 'one', query)).status).toBe(422)
      expect([await idOf(browser), await identitiesOf(person.sub)]).toEqual([null, []])
    }
  })

  test('an identity of somebody else is not taken over by connecting it', async () => {
    const { owner } = await linked('owned')
    const other = await auth.makePerson()
    const browser = await auth.signedIn(other.userId)
    expect((await signIn(browser, 'one', '?link=1')).status).toBe(409)
    expect(await identitiesOf('owned')).toEqual([{ issuer: one.issuer, user_id: owner.userId }])
  })
})

describe('attacks', () => {
  test('regression: a session whose sign-in is more than 10 minutes ago connects no account, which would outlast a new password', async () => {
    const { userId } = await auth.makePerson()
    const browser = await auth.signedIn(userId)
    one.person = { sub: 'thief', name: 'Thief', email: 'thief@example.test' }
    await auth.moveClock(601_000)
    const answer = await start(browser, 'one', '?link=1')
    await auth.moveClock(0)
    expect([answer.status, answer.headers.get('location')]).toEqual([403, null])
    expect((await signIn(browser, 'one', '?link=1')).status).toBe(303)
    expect(await identitiesOf('thief')).toEqual([{ issuer: one.issuer, user_id: userId }])
  })

  test.each([
    ['no cookie', (victim: Browser) => victim.cookies.delete('wds_upstream')],
    ['the cookie of another attempt', async (victim: Browser) => void (await start(victim, 'one'))],
    ['a cookie of no form', (victim: Browser) => victim.cookies.set('wds_upstream', 'x.y')],
  ] as [string, (victim: Browser) => unknown][])('the way back with %s signs nobody in', async (_, change) => {
    await linked(`attacked ${_}`)
    const browser = auth.browser()
    const path = await begin(browser, 'one')
    await change(browser)
    const answer = await comeBack(browser, path)
    expect([answer.status >= 400, answer.text.includes(failed), await idOf(browser)]).toEqual([true, true, null])
  })

  test("login forgery: the attacker's code and state in the victim's browser, and the code with the victim's own state", async () => {
    await linked('attacker')
    const [attacker, victim] = [auth.browser(), auth.browser()]
    const stolen = await begin(attacker, 'one')
    await start(victim, 'one')
    expect((await comeBack(victim, stolen)).status).toBe(502)
    expect(await idOf(victim)).toBeNull()
    const address = new URL((await start(victim, 'one')).headers.get('location') ?? '')
    const mixed = new URL(await begin(attacker, 'one'), authUrl)
    mixed.searchParams.set('state', address.searchParams.get('state') ?? '')
    // The state is the victim's; the verifier and the nonce are not the attacker's.
    expect((await comeBack(victim, `${mixed.pathname}${mixed.search}`)).status).toBe(502)
    expect(await idOf(victim)).toBeNull()
  })

  test('nonce: an id_token of another attempt is refused, though state and verifier fit', async () => {
    await linked('nonce')
    const browser = auth.browser()
    const address = new URL((await start(browser, 'one')).headers.get('location') ?? '')
    address.searchParams.set('nonce', 'of-another-attempt')
    expect((await comeBack(browser, await answerOf(address.href))).status).toBe(502)
    expect([await idOf(browser), failures.at(-1)?.reason]).toEqual([
      null,
      expect.stringMatching(/CLAIM_COMPARISON_FAILED/),
    ])
  })

  test('mix-up: an answer of one issuer is not taken at the address of another, nor with its name', async () => {
    await linked('mixed-up')
    const browser = auth.browser()
    const answer = await begin(browser, 'one')
    const before = two.asked.filter((path) => path === '/token').length
    expect((await comeBack(browser, answer.replace('/upstream/one/', '/upstream/two/'))).status).toBe(422)
    const again = new URL(await begin(browser, 'one'), authUrl)
    expect(again.searchParams.get('iss')).toBe(one.issuer)
    again.searchParams.set('iss', two.issuer)
    expect((await comeBack(browser, `${again.pathname}${again.search}`)).status).toBe(502)
    expect([await idOf(browser), two.asked.filter((path) => path === '/token').length]).toEqual([null, before])
  })

  test('replay: a code and its cookie serve once', async () => {
    await linked('replayed')
    const browser = auth.browser()
    const path = await begin(browser, 'one')
    const cookie = browser.cookies.get('wds_upstream') ?? ''
    expect((await comeBack(browser, path)).status).toBe(303)
    expect((await comeBack(browser, path)).status).toBe(422)
    const thief = auth.browser()
    thief.cookies.set('wds_upstream', cookie)
    expect([(await comeBack(thief, path)).status, await idOf(thief)]).toEqual([502, null])
  })

  test('another site begins nothing: neither a sign-in nor a link', async () => {
    const { browser } = await auth.ownedWorkspace()
    for (const site of ['cross-site', 'same-site', 'none']) {
      for (const query of ['', '?link=1']) {
        const answer = await browser.call(`/sign-in/upstream/one${query}`, { headers: { 'sec-fetch-site': site } })
        expect([seen(answer), browser.cookies.has('wds_upstream')]).toEqual([[303, '/sign-in'], false])
      }
    }
  })

  test('a link is for the session that began it alone', async () => {
    const [{ browser }, other] = [await auth.ownedWorkspace(), await auth.makePerson()]
    one.person = { sub: 'swapped', name: 'Ada', email: 'swapped@example.test' }
    const path = await begin(browser, 'one', '?link=1')
    browser.cookies.set('wds_session', (await auth.signedIn(other.userId)).cookies.get('wds_session') ?? '')
    expect((await comeBack(browser, path)).status).toBe(422)
    expect(await identitiesOf('swapped')).toEqual([])
  })
})

describe('a provider that does not work', () => {
  test.each(['hangs', 'garbage', 'flood', 'elsewhere'])(
    '%s: the page says so, and the service goes on',
    async (name) => {
      const browser = auth.browser()
      const [answer, other] = await Promise.all([start(browser, name), auth.browser().call('/sign-in')])
      expect([answer.status, answer.text.includes(failed), other.status]).toEqual([502, true, 200])
      expect(failures.at(-1)).toMatchObject({ provider: name, reason: expect.stringMatching(/./) })
      expect(browser.cookies.has('wds_upstream')).toBe(false)
    },
  )

  test('an endpoint at an origin that nobody configured is not called', async () => {
    const browser = auth.browser()
    const address = new URL((await start(browser, 'rogue')).headers.get('location') ?? '')
    const before = two.asked.length
    const state = address.searchParams.get('state') ?? ''
    const answer = await comeBack(browser, `/sign-in/upstream/rogue/callback?code=any&state=${state}`)
    expect([answer.status, two.asked.length - before]).toEqual([502, 0])
    expect(failures.at(-1)).toMatchObject({ provider: 'rogue', reason: expect.stringMatching(/not configured/) })
  })

  test.each([
    ['a control character', 'ada\u0000'],
    ['half of a character', 'ada\ud800'],
    ['256 characters', 'x'.repeat(256)],
  ])('regression: a subject of %s is nobody, and the page says that it did not work', async (_, sub) => {
    one.person = { sub, name: 'Ada', email: 'odd@example.test' }
    const { browser } = await auth.ownedWorkspace()
    for (const [who, query] of [[auth.browser(), ''] as const, [browser, '?link=1'] as const]) {
      const answer = await signIn(who, 'one', query)
      expect([answer.status, answer.text.includes(failed)]).toEqual([502, true])
      expect(failures.at(-1)).toMatchObject({ provider: 'one', reason: 'a subject of no form that is kept' })
    }
  })

  test('one that nobody configured is not found', async () => {
    expect((await start(auth.browser(), 'three')).status).toBe(404)
  })
})
