// Whether an address has an account is told neither by an answer nor by the work that it takes (security.md XO10): what is counted is the
// same for a known and an unknown one, so that no clock has to be trusted. Whoever holds an invitation may learn it (decision 36), slowly.
import * as crypto from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals'
import type { AuthService, Browser, Person } from './auth-service.fixture.ts'

/** What each computation of a password cost. */
const costs: string[] = []
jest.unstable_mockModule('node:crypto', () => ({
  ...crypto,
  argon2: (...given: Parameters<typeof crypto.argon2>) => {
    const [, { memory, passes, parallelism }] = given
    costs.push(`${memory} KiB, ${passes} passes, ${parallelism} lanes`)
    return crypto.argon2(...given)
  },
}))
const { cheapHashes, hiddenOf, startAuth } = await import('./auth-service.fixture.ts')
const { createPasswordHasher } = await import('./people/password-hash.ts')

const statements: string[] = []
let auth: AuthService
let workspaceId: string
let owner: Person
let browser: Browser
beforeAll(async () => {
  auth = await startAuth({ trustedProxies: ['127.0.0.1'] })
  ;({ workspaceId, owner, browser } = await auth.ownedWorkspace())
  const clients = await Promise.all(Array.from({ length: auth.pool.options.max ?? 1 }, () => auth.pool.connect()))
  for (const client of clients) {
    spyOn(client)
    client.release()
  }
})
afterAll(() => auth?.stop())
beforeEach(() => auth.admin.query('truncate auth.sign_in_attempts'))

function spyOn(client: { query: unknown }): void {
  const query = (client.query as (...parts: unknown[]) => unknown).bind(client)
  client.query = (...parts: unknown[]) => {
    const [first] = parts as [{ name?: string; text?: string } | string]
    const name = typeof first === 'string' ? first : (first.name ?? first.text ?? '')
    // Keys are read in the background.
    if (!name.startsWith('access-') && !/access_/.test(name)) statements.push(name)
    return query(...parts)
  }
}

/** Status and work of one call. */
async function workOf(call: () => Promise<{ status: number }>) {
  statements.length = 0
  costs.length = 0
  const { status } = await call()
  return { status, hashes: costs.length, costs: [...costs].sort(), statements: [...statements] }
}

let callers = 0
const from = () => {
  callers += 1
  return { 'sec-fetch-site': 'same-origin', 'x-forwarded-for': `198.51.100.${callers}` }
}

async function attempt(email: string, password = 'something else') {
  const visitor = auth.browser()
  const hidden = hiddenOf(await visitor.call('/sign-in'))
  const body = new URLSearchParams({ ...hidden, email, password })
  return workOf(() => visitor.call('/sign-in', { body, headers: from() }))
}

test('XO10: signing in: one password is computed and the same is asked, whether somebody has the address or nobody', async () => {
  const known = await attempt(owner.email)
  expect([known.status, known.hashes]).toEqual([422, 1])
  expect(known.statements.length).toBeGreaterThan(2)
  expect(await attempt('nobody@example.test')).toEqual(known)
})

test('XO10, regression: while a hash has older parameters, an attempt costs the same at it, at a new one and at nobody; a sign-in renews it', async () => {
  const { email, password, userId } = await auth.makePerson()
  const older = createPasswordHasher({ parameters: { ...cheapHashes, passes: 2 } })
  const change = 'update auth.passwords set hash = $2 where user_id = $1'
  await auth.admin.query(change, [userId, await older.hash(password)])
  const [old, present, nobody] = [await attempt(email), await attempt(owner.email), await attempt('no@example.test')]
  expect(old.costs).toEqual(['64 KiB, 1 passes, 1 lanes', '64 KiB, 2 passes, 1 lanes'])
  expect([present, nobody]).toEqual([old, old])
  expect((await attempt(email, password)).status).toBe(303)
  expect((await attempt(email)).costs).toEqual(['64 KiB, 1 passes, 1 lanes'])
})

test('XO10: inviting and looking at an invitation: nobody is looked up, whomever it is for', async () => {
  const invite = async (email: string) => {
    let link = ''
    const made = await workOf(async () => {
      const answer = await browser.write('/v1/members/invitations', { body: { role: 'viewer', email } })
      link = new URL(answer.json.link).pathname
      return answer
    })
    return [made, await workOf(() => auth.browser().call(link))]
  }
  const known = await invite((await auth.makePerson()).email)
  expect(known.map(({ status, hashes }) => [status, hashes])).toEqual([
    [201, 0],
    [200, 0],
  ])
  expect(await invite('nobody-else@example.test')).toEqual(known)
})

test('XO10: accepting an invitation: the password is computed before it is known whether the address is taken', async () => {
  const join = async (email: string) => {
    const { json } = await browser.write('/v1/members/invitations', { body: { role: 'viewer' } })
    const path = new URL(json.link).pathname
    const visitor = auth.browser()
    const password = { new_password: 'a long enough one', new_password_again: 'a long enough one' }
    const fields = { ...hiddenOf(await visitor.call(path)), name: 'Grace', email, ...password }
    return workOf(() => visitor.call(path, { body: new URLSearchParams(fields), headers: from() }))
  }
  const [taken, free] = [await join(owner.email), await join('grace@example.test')]
  expect([taken.status, free.status, taken.hashes, free.hashes]).toEqual([422, 303, 1, 1])
})

test('XO10: a link for a forgotten password: one that is over and one that never was look alike and cost the same', async () => {
  const person = await auth.makePerson()
  await auth.join(workspaceId, person.userId, 'member')
  const path = `/v1/members/${person.userId.replace('usr_', 'mbr_')}/password-link`
  const { json } = await browser.write(path)
  const used = new URL(json.link).pathname
  await auth.admin.query(`update auth.password_links set expires = auth.app_now() - interval '1 second'`)
  const over = await workOf(() => auth.browser().call(used))
  expect([over.status, over.hashes]).toEqual([404, 0])
  expect(await workOf(() => auth.browser().call(`/password/${'x'.repeat(43)}`))).toEqual(over)
})
