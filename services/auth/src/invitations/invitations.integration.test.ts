import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { whileHeld } from '../auth-database.fixture.ts'
import { type Answer, type AuthService, type Browser, hiddenOf, startAuth } from '../auth-service.fixture.ts'

let auth: AuthService
beforeAll(async () => {
  auth = await startAuth()
})
afterAll(() => auth?.stop())
beforeEach(() => auth.admin.query('truncate auth.sign_in_attempts'))

const path = '/v1/members/invitations'
const invite = (browser: Browser, body: object) => browser.write(path, { body })
const pathOf = ({ json }: Answer) => new URL(json.link).pathname
const password = 'correct horse battery'

function join(browser: Browser, page: Answer, at: string, fields: Record<string, string> = {}): Promise<Answer> {
  const hidden = hiddenOf(page)
  const own = { name: 'Ada', email: 'ada@example.test', new_password: password, new_password_again: password }
  return browser.submit(at, { ...hidden, ...own, ...fields })
}

const rolesOf = async (workspaceId: string) =>
  (
    await auth.admin.query(
      `select u.email, m.role from auth.memberships m join auth.users u using (user_id) where workspace_id = $1 and m.status = 'active' order by m.created`,
      [workspaceId],
    )
  ).rows
const mail = () => `${Math.random().toString(36).slice(2)}@example.test`

test('an owner invites; a new person makes an account with the link, is a member and signed in there', async () => {
  const { workspaceId, owner, browser } = await auth.ownedWorkspace({ name: 'Northwind' })
  const made = await invite(browser, { role: 'member', email: 'suggested@example.test', name: 'Ada L' })
  expect([made.status, made.headers.get('cache-control'), made.json]).toEqual([
    ...[201, 'no-store'],
    {
      object: 'invitation',
      id: expect.stringMatching(/^ivt_/),
      role: 'member',
      inviter: owner.userId,
      email: 'suggested@example.test',
      name: 'Ada L',
      created: expect.any(String),
      expires: expect.any(String),
      link: expect.stringMatching(/^http:\/\/localhost\/invitations\/[\w-]{43}$/),
    },
  ])
  expect(Date.parse(made.json.expires) - Date.parse(made.json.created)).toBe(7 * 86_400_000)
  const visitor = auth.browser()
  const page = await visitor.call(pathOf(made))
  expect(page.text).toContain('Northwind')
  expect(page.text).toContain(owner.name)
  expect(page.text).toContain('suggested@example.test')
  const email = mail()
  const joined = await join(visitor, page, pathOf(made), { email })
  expect([joined.status, joined.headers.get('location')]).toEqual([303, '/'])
  expect((await visitor.call('/v1/session')).json).toMatchObject({
    user: { name: 'Ada', email },
    role: 'member',
    workspace: { id: workspaceId, name: 'Northwind' },
  })
  expect(await rolesOf(workspaceId)).toEqual([
    { email: owner.email, role: 'owner' },
    { email, role: 'member' },
  ])
  const { rows } = await auth.admin.query(
    'select action, actor from auth.audit_log where workspace_id = $1 order by created, id',
    [workspaceId],
  )
  expect(rows.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['member_invited', 'member_added', 'sign_in', 'workspace_created']),
  )
})

test('somebody signed in joins with the account there is, and the workspace becomes the current one', async () => {
  const { workspaceId, browser } = await auth.ownedWorkspace()
  const other = await auth.ownedWorkspace()
  const at = pathOf(await invite(browser, { role: 'admin' }))
  const page = await other.browser.call(at)
  expect(page.text).toContain(other.owner.email)
  expect((await other.browser.submit(at, hiddenOf(page))).status).toBe(303)
  expect((await other.browser.call('/v1/session')).json).toMatchObject({
    role: 'admin',
    workspace: { id: workspaceId },
  })
})

test('regression: nobody joins by a session that ends on the way, so whoever is erased leaves no membership behind', async () => {
  const [{ browser, workspaceId }, person] = [await auth.ownedWorkspace(), await auth.makePerson()]
  const at = pathOf(await invite(browser, { role: 'admin' }))
  const joining = await auth.signedIn(person.userId)
  const hidden = hiddenOf(await joining.call(at))
  const meanwhile = 'delete from auth.sessions where user_id = $1'
  const answer = await whileHeld(auth.admin, { userId: person.userId, meanwhile }, () => joining.submit(at, hidden))
  expect([answer.status, answer.headers.get('location'), (await rolesOf(workspaceId)).length]).toEqual([303, at, 1])
  expect((await auth.browser().call(at)).status).toBe(200)
})

test('a link is used once: of 20 at the same time one joins', async () => {
  const { workspaceId, browser } = await auth.ownedWorkspace()
  const at = pathOf(await invite(browser, { role: 'viewer' }))
  const people = await Promise.all(
    Array.from({ length: 20 }, async () => auth.signedIn((await auth.makePerson()).userId)),
  )
  const pages = await Promise.all(people.map((one) => one.call(at)))
  const answers = await Promise.all(people.map((one, nth) => one.submit(at, hiddenOf(pages[nth] as Answer))))
  expect(answers.map(({ status }) => status).sort()).toEqual([303, ...Array.from({ length: 19 }, () => 404)])
  expect(await rolesOf(workspaceId)).toHaveLength(2)
  expect((await auth.browser().call(at)).status).toBe(404)
})

test('a link ends after 7 days, or when it is taken back; an unknown one is the same page', async () => {
  const { browser } = await auth.ownedWorkspace()
  const [first, second] = [await invite(browser, { role: 'viewer' }), await invite(browser, { role: 'viewer' })]
  const statusOf = async (answer: Answer) => (await auth.browser().call(pathOf(answer))).status
  expect((await browser.call(path)).json.data.map(({ id }: { id: string }) => id)).toEqual([
    second.json.id,
    first.json.id,
  ])
  await auth.moveClock(7 * 86_400_000 - 10_000)
  expect(await statusOf(first)).toBe(200)
  await auth.moveClock(7 * 86_400_000 + 10_000)
  expect([await statusOf(first), (await auth.browser().call('/invitations/unknown')).status]).toEqual([404, 404])
  await auth.moveClock(0)
  expect((await browser.write(`${path}/${second.json.id}`, { method: 'DELETE' })).status).toBe(204)
  expect([await statusOf(second), await statusOf(first)]).toEqual([404, 200])
  expect((await browser.write(`${path}/${second.json.id}`, { method: 'DELETE' })).status).toBe(404)
})

test('auth.md 1.2: admins invite all but owners, members and viewers nobody; an invitation is worth what its inviter may give', async () => {
  const { workspaceId, browser: ofOwner } = await auth.ownedWorkspace()
  const browserAs = async (role: 'admin' | 'member' | 'viewer') => {
    const { userId } = await auth.makePerson()
    await auth.join(workspaceId, userId, role)
    return { userId, browser: await auth.signedIn(userId, workspaceId) }
  }
  const admin = await browserAs('admin')
  const refused = await invite(admin.browser, { role: 'owner' })
  expect([refused.status, refused.json.code]).toEqual([403, 'role_not_allowed'])
  for (const role of ['member', 'viewer'] as const) {
    expect((await invite((await browserAs(role)).browser, { role: 'viewer' })).json.code).toBe('role_not_allowed')
  }
  const given = await invite(admin.browser, { role: 'admin' })
  const members = (await ofOwner.call('/v1/members')).json.data
  const { id } = members.find((one: { user: { id: string } }) => one.user.id === admin.userId)
  expect((await auth.browser().call(pathOf(given))).status).toBe(200)
  expect((await ofOwner.write(`/v1/members/${id}`, { method: 'PATCH', body: { role: 'member' } })).status).toBe(200)
  expect((await auth.browser().call(pathOf(given))).status).toBe(404)
})

test('regression: an invitation is worth nothing once the account of its inviter is disabled', async () => {
  const { workspaceId, browser } = await auth.ownedWorkspace()
  const admin = await auth.makePerson()
  await auth.join(workspaceId, admin.userId, 'admin')
  const given = await invite(await auth.signedIn(admin.userId, workspaceId), { role: 'admin' })
  const [visitor, at] = [auth.browser(), pathOf(given)]
  const page = await visitor.call(at)
  expect((await auth.operate('/internal/people/disable', { body: { email: admin.email } })).status).toBe(200)
  expect([(await visitor.call(at)).status, (await join(visitor, page, at, { email: mail() })).status]).toEqual([
    404, 404,
  ])
  expect((await auth.browser().call(pathOf(await invite(browser, { role: 'admin' })))).status).toBe(200)
})

describe('the form of a new person', () => {
  const opened = async () => {
    const { browser, workspaceId } = await auth.ownedWorkspace()
    const at = pathOf(await invite(browser, { role: 'viewer' }))
    const visitor = auth.browser()
    return { workspaceId, at, visitor, page: await visitor.call(at) }
  }
  test.each([
    ['a password that is too short', { new_password: 'short', new_password_again: 'short' }],
    ['one of the commonest', { new_password: '1qaz2wsx3edc', new_password_again: '1qaz2wsx3edc' }],
    [
      'the own address',
      { email: 'own@example.test', new_password: 'own@example.test', new_password_again: 'own@example.test' },
    ],
    [
      'the own address of short words',
      { email: ' jo@my.big.de', new_password: 'Jo@my.big.de', new_password_again: 'Jo@my.big.de' },
    ],
    ['two passwords', { new_password_again: `${password} ` }],
    ['no name', { name: ' ' }],
    ['a name with a change of direction', { name: 'Ada \u202e' }],
    ['no mail address', { email: 'ada' }],
  ])('%s is shown at its field, nothing is made and the link stays', async (_, fields) => {
    const { workspaceId, at, visitor, page } = await opened()
    const answer = await join(visitor, page, at, { email: mail(), ...fields })
    expect([answer.status, answer.text.includes('aria-invalid="true"')]).toEqual([422, true])
    expect(await rolesOf(workspaceId)).toHaveLength(1)
    expect((await visitor.call(at)).status).toBe(200)
  })

  test('an address that somebody has makes no second account, and leaves the link', async () => {
    const { workspaceId, at, visitor, page } = await opened()
    const { email } = await auth.makePerson()
    const answer = await join(visitor, page, at, { email: email.toUpperCase() })
    expect([answer.status, answer.text.includes('There is an account')]).toEqual([422, true])
    expect([(await rolesOf(workspaceId)).length, visitor.cookies.has('wds_session')]).toEqual([1, false])
    expect((await visitor.call(at)).status).toBe(200)
  })

  test('XO10: addresses cannot be tried without end', async () => {
    const { at, visitor, page } = await opened()
    const { email } = await auth.makePerson()
    const answers = []
    for (let nth = 0; nth < 11; nth += 1) answers.push((await join(visitor, page, at, { email })).status)
    expect(answers).toEqual([...Array.from({ length: 10 }, () => 422), 429])
  })

  test('XO11, S21: what another site or another person in this browser had posted joins nobody', async () => {
    const { workspaceId, at, visitor, page } = await opened()
    const fields = new URLSearchParams({
      ...hiddenOf(page),
      name: 'Ada',
      email: mail(),
      new_password: password,
      new_password_again: password,
    })
    const cross = await visitor.call(at, { body: fields, headers: { 'sec-fetch-site': 'cross-site' } })
    expect(cross.status).toBe(403)
    // Somebody signed in meanwhile: the page showed the form of a new person.
    const other = await auth.signedIn((await auth.makePerson()).userId)
    visitor.cookies.set('wds_session', other.cookies.get('wds_session') ?? '')
    expect((await visitor.submit(at, Object.fromEntries(fields))).status).toBe(403)
    expect(await rolesOf(workspaceId)).toHaveLength(1)
  })
})

test('S33: neither the token of a link nor a password is stored or logged', async () => {
  const { browser } = await auth.ownedWorkspace()
  const made = await invite(browser, { role: 'viewer' })
  const token = pathOf(made).slice('/invitations/'.length)
  const visitor = auth.browser()
  await visitor.call(pathOf(made))
  const { rows } = await auth.admin.query('select i::text from auth.invitations i')
  expect(rows.length).toBeGreaterThan(0)
  expect(JSON.stringify(rows)).not.toContain(token)
  expect(auth.log.join()).not.toContain(token)
})
