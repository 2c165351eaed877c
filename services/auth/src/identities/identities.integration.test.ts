// Connected accounts, as their person sees and ends them (decision 87): by the settings API, by the page of the account, by a password link.
import { createHash, createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals'
import { whileHeld } from '../auth-database.fixture.ts'
import {
  type Answer,
  type AuthService,
  type Browser,
  hiddenOf,
  type Person,
  startAuth,
} from '../auth-service.fixture.ts'
import { type OpenIdServer, startOpenIdProvider } from '../upstream/openid-provider.fixture.ts'
import { answerOf, authUrl, begin, comeBack, idOf, signIn, start } from '../upstream/upstream-browser.fixture.ts'
import { readProviders } from './providers.ts'

let [one, two, auth]: [OpenIdServer, OpenIdServer, AuthService] = [] as never
beforeAll(async () => {
  // The library tells that the provider of this test has its defaults.
  for (const level of ['info', 'warn'] as const) jest.spyOn(console, level).mockImplementation(() => {})
  ;[one, two] = await Promise.all([startOpenIdProvider('one', authUrl), startOpenIdProvider('two', authUrl)])
  auth = await startAuth({ providers: readProviders(JSON.stringify([one.settings, two.settings])) })
})
afterAll(async () => {
  await auth?.stop()
  for (const provider of [one, two]) provider?.stop()
})

const path = '/v1/account/identities'
const read = async (browser: Browser) => (await browser.call(path)).json.data
const disconnect = (browser: Browser, id: string) => browser.write(`${path}/${id}`, { method: 'DELETE' })
const isSignedIn = async (browser: Browser) => (await idOf(browser)) !== null

let people = 0
/** Connects an account of a new person at the provider; its subject. */
async function connect(browser: Browser, provider: OpenIdServer = one): Promise<string> {
  people += 1
  const sub = `person ${people}`
  provider.person = { sub, name: 'Ada', email: `${people}@upstream.test`, email_verified: true }
  expect((await signIn(browser, provider.settings.name, '?link=1')).status).toBe(303)
  return sub
}
async function statusOfSignIn(sub: string, provider: OpenIdServer = one): Promise<number> {
  provider.person = { sub }
  return (await signIn(auth.browser(), provider.settings.name)).status
}
const forgetPassword = (userId: string) => auth.admin.query('delete from auth.passwords where user_id = $1', [userId])
const auditOf = async (workspaceId: string) =>
  (
    await auth.admin.query(
      `select actor, action, object from auth.audit_log where workspace_id = $1 and outcome = 'done'
          and action in ('identity_linked', 'identity_unlinked', 'sessions_ended') order by action`,
      [workspaceId],
    )
  ).rows

describe('the list', () => {
  test('has the accounts of the person alone, with provider, when it was connected and when it was last used', async () => {
    const { browser } = await auth.ownedWorkspace()
    const other = await auth.ownedWorkspace()
    await connect(other.browser)
    expect(await read(browser)).toEqual([])
    const sub = await connect(browser)
    const shown = {
      object: 'identity',
      id: expect.stringMatching(/^idn_/),
      issuer: one.issuer,
      provider: 'one',
      title: 'Provider one',
      account: `${people}@upstream.test`,
      created: expect.any(String),
      last_used: null,
    }
    expect(await read(browser)).toEqual([shown])
    one.person = { sub, email: shown.account, email_verified: true }
    expect((await signIn(auth.browser(), 'one')).status).toBe(303)
    expect(await read(browser)).toEqual([{ ...shown, last_used: expect.any(String) }])
  })

  test('keeps an account at a provider that is not offered any more, named by its host', async () => {
    const { owner, browser } = await auth.ownedWorkspace()
    await auth.admin.query(`insert into auth.identities (issuer, subject, user_id) values ($1, 'gone', $2)`, [
      ...['https://gone.example.test/realm', owner.userId],
    ])
    const [only] = await read(browser)
    expect(only).toMatchObject({
      provider: null,
      account: 'gone',
      title: 'gone.example.test',
      issuer: 'https://gone.example.test/realm',
    })
    expect((await disconnect(browser, only.id)).status).toBe(204)
    expect(await read(browser)).toEqual([])
  })

  test('regression: tells two accounts of one provider apart, as it calls them now, or by the subject', async () => {
    const { browser } = await auth.ownedWorkspace()
    const sub = await connect(browser)
    one.person = { sub: 'without an address', name: 'Ada' }
    await signIn(browser, 'one', '?link=1')
    const accounts = async () => (await read(browser)).map(({ account }: { account: string }) => account)
    expect(await accounts()).toEqual(['without an address', `${people}@upstream.test`])
    const page = (await browser.call('/sign-in')).text
    for (const text of [...(await accounts()), `at ${new URL(one.issuer).host}`]) expect(page).toContain(text)
    one.person = { sub, email: 'renamed@upstream.test', email_verified: true }
    await signIn(auth.browser(), 'one')
    expect(await accounts()).toEqual(['without an address', 'renamed@upstream.test'])
  })

  test('regression: an account is called by no mail address that its provider has not verified, which may be somebody else’s', async () => {
    const { browser } = await auth.ownedWorkspace()
    const sub = await connect(browser)
    const called = async (email_verified: unknown) => {
      one.person = { sub, name: 'Ada', email: 'ceo@example.test', email_verified }
      expect((await signIn(auth.browser(), 'one')).status).toBe(303)
      return (await read(browser))[0].account
    }
    for (const unverified of [false, undefined, 'false', 1]) expect(await called(unverified)).toBe(sub)
    expect(await called(true)).toBe('ceo@example.test')
  })
})

describe('the end of a connection', () => {
  test('regression: nobody signs in with the account any more; every other session ends; the audit log says so and names the issuer', async () => {
    const { owner, workspaceId, browser } = await auth.ownedWorkspace()
    const sub = await connect(browser)
    const thief = auth.browser()
    one.person = { sub }
    await signIn(thief, 'one')
    expect(await isSignedIn(thief)).toBe(true)
    const [{ id }] = await read(browser)
    expect((await disconnect(browser, id)).status).toBe(204)
    expect([await isSignedIn(browser), await isSignedIn(thief), await statusOfSignIn(sub)]).toEqual([true, false, 422])
    const actor = `user:${owner.userId}`
    expect(await auditOf(workspaceId)).toEqual([
      { actor, action: 'identity_linked', object: one.issuer },
      { actor, action: 'identity_unlinked', object: one.issuer },
      { actor, action: 'sessions_ended', object: owner.userId },
    ])
    expect([(await disconnect(browser, id)).status, await read(browser)]).toEqual([404, []])
  })

  test('needs a sign-in of the last 10 minutes, by the API and on the page, which leads to one', async () => {
    const { browser } = await auth.ownedWorkspace()
    await connect(browser)
    const [{ id }] = await read(browser)
    const page = await browser.call('/sign-in')
    await auth.moveClock(601_000)
    const [byApi, byPage] = [await disconnect(browser, id), await submitDisconnect(browser, page)]
    await auth.moveClock(0)
    expect([byApi.status, byApi.json.code]).toEqual([403, 'recent_sign_in_required'])
    expect([byPage.status, byPage.text.includes('href="/sign-in?return_to=%2Fsign-in"')]).toEqual([403, true])
    expect(await read(browser)).toHaveLength(1)
  })

  test('of the only way in is refused; with another account, a provider of which is still offered, it is not', async () => {
    const { owner, browser } = await auth.ownedWorkspace()
    await connect(browser)
    await forgetPassword(owner.userId)
    await auth.admin.query(
      `insert into auth.identities (issuer, subject, user_id) values ('https://gone.test', $1, $1)`,
      [owner.userId],
    )
    const { id } = (await read(browser)).find(({ provider }: { provider: string | null }) => provider === 'one')
    const refused = await disconnect(browser, id)
    expect([refused.status, refused.json]).toMatchObject([
      409,
      { code: 'invalid_state', current_status: 'only_way_in', allowed: [] },
    ])
    expect((await browser.call('/sign-in')).text).toContain('Your only way to sign in')
    await connect(browser, two)
    expect((await disconnect(browser, id)).status).toBe(204)
  })

  test('of both of two ways in at once ends one', async () => {
    const { owner, browser } = await auth.ownedWorkspace()
    await connect(browser)
    await connect(browser, two)
    await forgetPassword(owner.userId)
    const answers = await Promise.all((await read(browser)).map(({ id }: { id: string }) => disconnect(browser, id)))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409])
    expect(await read(browser)).toHaveLength(1)
  })

  test("is nobody else's", async () => {
    const [mine, other] = [await auth.ownedWorkspace(), await auth.ownedWorkspace()]
    await connect(mine.browser)
    const [{ id }] = await read(mine.browser)
    expect((await disconnect(other.browser, id)).status).toBe(404)
    expect(await read(mine.browser)).toHaveLength(1)
  })

  test('a sign-in with it that began before gets no session', async () => {
    const { owner, browser } = await auth.ownedWorkspace()
    const sub = await connect(browser)
    const late = auth.browser()
    one.person = { sub }
    const back = await begin(late, 'one')
    const meanwhile = 'delete from auth.identities where user_id = $1'
    const answer = await whileHeld(auth.admin, { userId: owner.userId, meanwhile }, () => comeBack(late, back))
    expect([answer.status, await idOf(late)]).toEqual([422, null])
  })
})

describe('the page of the account', () => {
  test('shows what is connected, and disconnects it by a form of that account and session alone', async () => {
    const { owner, browser } = await auth.ownedWorkspace()
    await connect(browser)
    const page = await browser.call('/sign-in')
    expect(page.text).toMatch(/Provider one.*Connected since.*Never used yet.*Disconnect Provider one/s)
    const elsewhere = await auth.signedIn(owner.userId)
    expect((await submitDisconnect(elsewhere, page)).status).toBe(403)
    const { action, fields } = disconnectFormOf(page)
    expect((await browser.submit(action.replace(/idn_\w+/, 'idn_x'), fields)).status).toBe(403)
    expect(await read(browser)).toHaveLength(1)
    const done = await submitDisconnect(browser, page)
    expect([done.status, done.headers.get('location'), await read(browser)]).toEqual([303, '/sign-in', []])
    expect((await browser.call('/sign-in')).text).toContain('Sign in with Provider one too')
    expect((await auth.browser().submit(action, fields)).headers.get('location')).toBe('/sign-in')
  })
})

describe('a new password', () => {
  const chosen = { new_password: 'a new password of mine', new_password_again: 'a new password of mine' }
  const linkFor = async ({ email }: Person) =>
    new URL((await auth.operate('/internal/people/password-link', { body: { email } })).json.link).pathname

  test('regression: chosen by a link, it ends what was connected, by whomever, and the page says so before', async () => {
    const { owner, workspaceId, browser } = await auth.ownedWorkspace()
    const sub = await connect(browser)
    const [visitor, at] = [auth.browser(), await linkFor(owner)]
    const page = await visitor.call(at)
    expect(page.text).toContain('Signing in with Provider one ends')
    expect((await visitor.submit(at, { ...hiddenOf(page), ...chosen })).status).toBe(303)
    expect(await statusOfSignIn(sub)).toBe(422)
    const ended = (await auditOf(workspaceId)).filter(({ action }) => action === 'identity_unlinked')
    expect(ended).toMatchObject([{ object: one.issuer }])
  })

  test('regression: an account that is on its way to be connected by a session of before is not connected behind it', async () => {
    const { owner, browser } = await auth.ownedWorkspace()
    one.person = { sub: 'behind', name: 'Thief', email: 'behind@upstream.test' }
    const back = await begin(browser, 'one', '?link=1')
    const meanwhile = 'delete from auth.sessions where user_id = $1'
    const answer = await whileHeld(auth.admin, { userId: owner.userId, meanwhile }, () => comeBack(browser, back))
    expect([answer.status, await statusOfSignIn('behind')]).toEqual([422, 422])
  })

  test('regression: nor one whose attempt the thief of an older session made by hand: the cookie of an attempt proves no recent sign-in', async () => {
    const { owner, browser } = await auth.ownedWorkspace()
    one.person = { sub: 'by hand', name: 'Thief', email: 'by-hand@upstream.test' }
    const { rows } = await auth.admin.query('select session_id from auth.sessions where user_id = $1', [owner.userId])
    const [secret, payload] = [
      's'.repeat(43),
      Buffer.from(JSON.stringify(['one', null, rows[0].session_id])).toString('base64url'),
    ]
    const made = (use: string) =>
      createHmac('sha256', secret).update(`upstream.1\n${use}\n${payload}`).digest('base64url')
    const way = new URL((await start(auth.browser(), 'one')).headers.get('location') ?? '')
    way.searchParams.set('state', made('state'))
    way.searchParams.set('nonce', made('nonce'))
    way.searchParams.set('code_challenge', createHash('sha256').update(made('verifier')).digest('base64url'))
    const back = await answerOf(way.href)
    browser.cookies.set('wds_upstream', `${secret}.${payload}`)
    await auth.moveClock(601_000)
    const answer = await comeBack(browser, back)
    await auth.moveClock(0)
    expect([answer.status, await statusOfSignIn('by hand')]).toEqual([403, 422])
    expect(answer.text).toContain('Sign in again first')
  })

  test('changed by who knows the present one, it leaves what is connected, and the page names it', async () => {
    const { owner, browser } = await auth.ownedWorkspace()
    const sub = await connect(browser)
    const page = await browser.call('/password')
    expect(page.text).toContain('You can sign in with Provider one as before')
    const changed = await browser.submit('/password', {
      ...hiddenOf(page),
      ...chosen,
      current_password: owner.password,
    })
    expect([changed.status, await statusOfSignIn(sub)]).toEqual([303, 303])
  })
})

function disconnectFormOf({ text }: Answer) {
  const [, action = '', token = ''] =
    /action="(\/sign-in\/identities\/\w+\/disconnect)">\s*<input type="hidden" name="form_token" value="([^"]+)">/.exec(
      text,
    ) ?? []
  return { action, fields: { form_token: token } }
}
function submitDisconnect(browser: Browser, page: Answer): Promise<Answer> {
  const { action, fields } = disconnectFormOf(page)
  return browser.submit(action, fields)
}
