import { hash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { type Answer, type AuthService, type Browser, hiddenOf, startAuth } from '../auth-service.fixture.ts'

let auth: AuthService
beforeAll(async () => {
  auth = await startAuth()
})
afterAll(() => auth?.stop())
beforeEach(() => auth.admin.query('truncate auth.sign_in_attempts'))

const chosen = 'a new password of mine'
const fields = { new_password: chosen, new_password_again: chosen }

async function signIn(email: string, password: string): Promise<number> {
  const browser = auth.browser()
  const page = await browser.call('/sign-in')
  return (await browser.submit('/sign-in', { ...hiddenOf(page), email, password })).status
}
/** Digests of the browsers that are known for a person. */
const knownBrowsersOf = async (userId: string) =>
  (
    await auth.admin.query(`select encode(browser, 'hex') as digest from auth.known_browsers where user_id = $1`, [
      userId,
    ])
  ).rows
const digestsOf = (...browsers: Browser[]) =>
  browsers.map(({ cookies }) => ({ digest: hash('sha256', cookies.get('wds_browser') ?? '', 'hex') }))
const isSignedIn = async (browser: Browser) => (await browser.call('/v1/session')).status === 200

describe('a change of password', () => {
  const change = async (browser: Browser, given: Record<string, string>) =>
    browser.submit('/password', { ...hiddenOf(await browser.call('/password')), ...fields, ...given })

  test('needs the present one, ends all sessions, and goes on with a new one in the same workspace', async () => {
    const { owner, browser, workspaceId } = await auth.ownedWorkspace()
    const elsewhere = await auth.signedIn(owner.userId)
    const before = browser.cookies.get('wds_session')
    const wrong = await change(browser, { current_password: 'not my password' })
    expect([wrong.status, wrong.text.includes('aria-invalid="true"'), await isSignedIn(elsewhere)]).toEqual([
      422,
      true,
      true,
    ])
    const done = await change(browser, { current_password: owner.password })
    expect([done.status, done.headers.get('location')]).toEqual([303, '/sign-in'])
    expect(browser.cookies.get('wds_session')).not.toBe(before)
    expect((await browser.call('/v1/session')).json.workspace.id).toBe(workspaceId)
    const stale = auth.browser()
    stale.cookies.set('wds_session', before ?? '')
    expect([await isSignedIn(elsewhere), await isSignedIn(stale)]).toEqual([false, false])
    expect(await knownBrowsersOf(owner.userId)).toEqual(digestsOf(browser))
    expect([await signIn(owner.email, owner.password), await signIn(owner.email, chosen)]).toEqual([422, 303])
    const entries = (await browser.call('/v1/workspace/audit')).json.data.map(
      ({ action }: { action: string }) => action,
    )
    expect(entries).toContain('password_changed')
  })

  test.each([
    ['too short', { new_password: 'short', new_password_again: 'short' }],
    ['one of the commonest', { new_password: 'q1w2e3r4t5y6', new_password_again: 'q1w2e3r4t5y6' }],
    ['not the same twice', { new_password_again: 'another one' }],
  ])('a new one that is %s is refused', async (_, given) => {
    const { owner, browser } = await auth.ownedWorkspace()
    expect((await change(browser, { current_password: owner.password, ...given })).status).toBe(422)
    expect(await signIn(owner.email, owner.password)).toBe(303)
  })

  test('the present one is guessed at no faster than at the sign-in', async () => {
    const { owner, browser } = await auth.ownedWorkspace()
    for (let nth = 0; nth < 10; nth += 1) await change(browser, { current_password: 'wrong' })
    const refused = await change(browser, { current_password: owner.password })
    expect([refused.status, Number(refused.headers.get('retry-after')) > 850]).toEqual([429, true])
    expect(await signIn(owner.email, owner.password)).toBe(429)
  })

  test('XO11: without the token of the session, or from another site, it is 403; signed out, the sign-in comes first', async () => {
    const { owner, browser } = await auth.ownedWorkspace()
    const given = { ...fields, current_password: owner.password }
    expect((await browser.submit('/password', given)).status).toBe(403)
    const hidden = hiddenOf(await browser.call('/password'))
    const cross = { 'sec-fetch-site': 'cross-site' }
    const forged = await browser.call('/password', {
      body: new URLSearchParams({ ...hidden, ...given }),
      headers: cross,
    })
    expect(forged.status).toBe(403)
    expect((await auth.browser().call('/password')).headers.get('location')).toBe('/sign-in?return_to=%2Fpassword')
    expect(await signIn(owner.email, owner.password)).toBe(303)
  })
})

describe('a forgotten password', () => {
  const linkPath = (userId: string) => `/v1/members/mbr_${userId.slice(4)}/password-link`
  const pathOf = ({ json }: Answer) => new URL(json.link).pathname

  async function withMember(role: 'admin' | 'member' | 'owner' = 'member') {
    const made = await auth.ownedWorkspace()
    const member = await auth.makePerson()
    await auth.join(made.workspaceId, member.userId, role)
    return { ...made, member, give: () => made.browser.write(linkPath(member.userId), { method: 'POST' }) }
  }

  test('an owner gives a link; with it the person chooses a new one, once, and all sessions end', async () => {
    const { member, give, workspaceId } = await withMember()
    expect(await signIn(member.email, member.password)).toBe(303)
    expect(await knownBrowsersOf(member.userId)).toHaveLength(1)
    const elsewhere = await auth.signedIn(member.userId, workspaceId)
    const [made, second] = [await give(), await give()]
    expect([made.status, made.headers.get('cache-control')]).toEqual([201, 'no-store'])
    const visitor = auth.browser()
    const page = await visitor.call(pathOf(made))
    expect(page.text).toContain(member.email)
    const done = await visitor.submit(pathOf(made), { ...hiddenOf(page), ...fields })
    expect([done.status, done.headers.get('location'), visitor.cookies.has('wds_session')]).toEqual([
      303,
      '/sign-in',
      false,
    ])
    expect(await isSignedIn(elsewhere)).toBe(false)
    // XO10: a way in while strangers guess, and for no browser of before.
    expect(await knownBrowsersOf(member.userId)).toEqual(digestsOf(visitor))
    expect([await signIn(member.email, member.password), await signIn(member.email, chosen)]).toEqual([422, 303])
    // Neither this link nor another one of before.
    for (const used of [made, second]) expect((await auth.browser().call(pathOf(used))).status).toBe(404)
  })

  test('regression: one that is used withdraws what the person gave and nobody has used: a thief of the former password would come back by an invitation of their own', async () => {
    const { member, workspaceId, give, owner } = await withMember('owner')
    const thief = await auth.signedIn(member.userId, workspaceId)
    const invitation = { method: 'POST', body: { role: 'owner', email: 'thief@example.test' } }
    const invited = pathOf(await thief.write('/v1/members/invitations', invitation))
    const forOwner = pathOf(await thief.write(linkPath(owner.userId), { method: 'POST' }))
    const statuses = async () =>
      Promise.all([invited, forOwner].map(async (path) => (await auth.browser().call(path)).status))
    expect(await statuses()).toEqual([200, 200])
    const at = pathOf(await give())
    const visitor = auth.browser()
    const page = await visitor.call(at)
    expect((await visitor.submit(at, { ...hiddenOf(page), ...fields })).status).toBe(303)
    expect(await statuses()).toEqual([404, 404])
    const again = await auth.signedIn(member.userId, workspaceId)
    const entries = (await again.call('/v1/workspace/audit')).json.data as { action: string; actor: string }[]
    expect(entries.filter(({ action }) => action === 'invitation_revoked')).toHaveLength(1)
  })

  test('a link ends after 24 hours; of 10 uses at once one counts', async () => {
    const { member, give } = await withMember()
    const old = await give()
    await auth.moveClock(24 * 3_600_000 + 1_000)
    expect((await auth.browser().call(pathOf(old))).status).toBe(404)
    await auth.moveClock(0)
    const at = pathOf(await give())
    const visitor = auth.browser()
    const hidden = hiddenOf(await visitor.call(at))
    const answers = await Promise.all(Array.from({ length: 10 }, () => visitor.submit(at, { ...hidden, ...fields })))
    expect(answers.map(({ status }) => status).filter((status) => status === 303)).toHaveLength(1)
    expect(await signIn(member.email, chosen)).toBe(303)
  })

  test('only an owner gives one', async () => {
    const { member, workspaceId, owner } = await withMember('admin')
    const asAdmin = await auth.signedIn(member.userId, workspaceId)
    expect((await asAdmin.write(linkPath(owner.userId), { method: 'POST' })).json.code).toBe('role_not_allowed')
  })

  test('regression: it needs a sign-in of the last 10 minutes: a stolen session would choose a password by it, an owner’s own or another’s', async () => {
    const { owner, browser, give } = await withMember()
    const giveOwn = () => browser.write(linkPath(owner.userId), { method: 'POST' })
    await auth.moveClock(601_000)
    const [own, another] = [await giveOwn(), await give()]
    await auth.moveClock(0)
    for (const { status, json } of [own, another]) expect([status, json.code]).toEqual([403, 'recent_sign_in_required'])
    expect((await giveOwn()).status).toBe(201)
  })

  test('an owner cannot enter other workspaces by it: for a member of another one it is 409, and a link given before is worth nothing', async () => {
    const { member, give } = await withMember()
    const before = await give()
    const other = await auth.ownedWorkspace()
    await auth.join(other.workspaceId, member.userId, 'owner')
    const refused = await give()
    expect([refused.status, refused.json.code]).toEqual([409, 'invalid_state'])
    expect((await auth.browser().call(pathOf(before))).status).toBe(404)
    expect((await other.browser.write(linkPath(member.userId), { method: 'POST' })).status).toBe(409)
    expect((await auth.ownedWorkspace()).browser).toBeDefined()
    const stranger = await auth.ownedWorkspace()
    expect((await stranger.browser.write(linkPath(member.userId), { method: 'POST' })).status).toBe(404)
  })

  test('regression: a link is worth nothing once its giver is no owner any more, or the person no member', async () => {
    const { member, owner, workspaceId, give, browser } = await withMember('owner')
    const before = pathOf(await give())
    const visitor = auth.browser()
    const hidden = hiddenOf(await visitor.call(before))
    const asMember = await auth.signedIn(member.userId, workspaceId)
    const lowered = { method: 'PATCH', body: { role: 'admin' } }
    expect((await asMember.write(`/v1/members/mbr_${owner.userId.slice(4)}`, lowered)).status).toBe(200)
    expect((await auth.browser().call(before)).status).toBe(404)
    expect((await visitor.submit(before, { ...hidden, ...fields })).status).toBe(404)
    await auth.join(workspaceId, owner.userId, 'owner')
    const again = pathOf(await give())
    expect((await auth.browser().call(again)).status).toBe(200)
    const removed = { method: 'DELETE' }
    expect((await browser.write(`/v1/members/mbr_${member.userId.slice(4)}`, removed)).status).toBe(204)
    expect([(await auth.browser().call(again)).status, (await give()).status]).toEqual([404, 404])
    expect(await signIn(member.email, member.password)).toBe(303)
  })

  test('XO11, S33: another site posts nothing with it, and its token is neither stored nor logged', async () => {
    const { give, member } = await withMember()
    const at = pathOf(await give())
    const visitor = auth.browser()
    const body = new URLSearchParams({ ...hiddenOf(await visitor.call(at)), ...fields })
    expect((await visitor.call(at, { body, headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403)
    expect((await auth.browser().submit(at, Object.fromEntries(body))).status).toBe(403)
    expect(await signIn(member.email, member.password)).toBe(303)
    const token = at.slice('/password/'.length)
    const { rows } = await auth.admin.query('select l::text from auth.password_links l')
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows) + auth.log.join()).not.toContain(token)
  })
})
