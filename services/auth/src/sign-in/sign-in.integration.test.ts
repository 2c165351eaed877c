import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { Problem } from '@wds/http-service/problem'
import {
  type Answer,
  type AuthService,
  type Browser,
  hiddenOf,
  type Person,
  startAuth,
} from '../auth-service.fixture.ts'
import { createPasswordHasher, type PasswordHasher } from '../people/password-hash.ts'
import { verifyPassword } from '../people/verify-password.ts'
import { throttled } from '../throttle/throttled.ts'

let auth: AuthService
beforeAll(async () => {
  auth = await startAuth({ trustedProxies: ['127.0.0.1'] })
})
const others: AuthService[] = []
const stopAfterwards = (service: AuthService) => others.push(service)
afterAll(() => Promise.all([auth, ...others].map((one) => one?.stop())))
beforeEach(() => auth.admin.query('truncate auth.sign_in_attempts'))

async function signIn(
  browser: Browser,
  { email, password }: Pick<Person, 'email' | 'password'>,
  o: { returnTo?: string; address?: string } = {},
): Promise<Answer> {
  const query = o.returnTo === undefined ? '' : `?return_to=${encodeURIComponent(o.returnTo)}`
  const fields = { ...hiddenOf(await browser.call(`/sign-in${query}`)), email, password }
  const headers = { 'sec-fetch-site': 'same-origin', 'x-forwarded-for': o.address ?? '203.0.113.1' }
  return browser.call('/sign-in', { body: new URLSearchParams(fields), headers })
}

const sessionsOf = async (userId: string) =>
  (await auth.admin.query('select session_id from auth.sessions where user_id = $1', [userId])).rowCount
const auditOf = async (workspaceId: string) =>
  (
    await auth.admin.query(
      `select actor, action, outcome, address, user_agent, request_id from auth.audit_log where workspace_id = $1 and action = 'sign_in' order by id`,
      [workspaceId],
    )
  ).rows

test('regression: whoever signs in again in a browser goes on in the workspace of before; somebody else there begins in their own', async () => {
  const [one, other] = [await auth.ownedWorkspace(), await auth.ownedWorkspace()]
  await auth.join(other.workspaceId, one.owner.userId, 'member')
  await auth.join(one.workspaceId, other.owner.userId, 'member')
  const { browser } = one
  const signInAgain = async (person: Person) => {
    expect((await signIn(browser, person, { returnTo: '/' })).status).toBe(303)
    return (await browser.call('/v1/session')).json.workspace.id
  }
  const switchTo = (workspace_id: string) => browser.write('/v1/session/switch', { body: { workspace_id } })
  await switchTo(other.workspaceId)
  expect(await signInAgain(one.owner)).toBe(other.workspaceId)
  await switchTo(one.workspaceId)
  expect(await signInAgain(other.owner)).toBe(other.workspaceId)
})

test('a person signs in with mail address and password, sees the account, and signs out', async () => {
  const { owner, workspaceId } = await auth.ownedWorkspace({ name: 'Northwind' })
  const browser = auth.browser()
  const answer = await signIn(browser, { ...owner, email: ` ${owner.email.toUpperCase()}` })
  expect([answer.status, answer.headers.get('location'), answer.headers.get('cache-control')]).toEqual([
    ...[303, '/', 'no-store'],
  ])
  expect(answer.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^wds_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=1209600$/),
    expect.stringMatching(/^wds_browser=/),
  ])
  const account = await browser.call('/sign-in')
  expect(account.text).toContain('Northwind')
  expect(account.text).toContain(owner.name)
  expect(await auditOf(workspaceId)).toEqual([
    {
      actor: `user:${owner.userId}`,
      action: 'sign_in',
      outcome: 'done',
      address: '203.0.113.1',
      user_agent: 'node',
      request_id: answer.headers.get('x-request-id'),
    },
  ])
  const left = await browser.submit('/sign-out', hiddenOf(account))
  expect([left.status, left.headers.get('location')]).toEqual([303, '/sign-in'])
  expect([browser.cookies.has('wds_session'), await sessionsOf(owner.userId)]).toEqual([false, 1])
})

test('over TLS the cookie has the prefix __Host- and is Secure', async () => {
  const secure = await startAuth({ authUrl: 'https://auth.example.test' })
  stopAfterwards(secure)
  const person = await secure.makePerson()
  const answer = await signIn(secure.browser(), person)
  expect(answer.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^__Host-wds_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=1209600$/),
    expect.stringMatching(/^__Host-wds_browser=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=7776000$/),
  ])
})

test('a sign-in goes on where it was asked for; open redirect: an address of others is not gone to', async () => {
  const person = await auth.makePerson()
  const targetOf = async (returnTo: string) =>
    (await signIn(auth.browser(), person, { returnTo })).headers.get('location')
  expect(await targetOf('/oauth/consent/abc?x=1&y=2')).toBe('/oauth/consent/abc?x=1&y=2')
  for (const evil of ['https://evil.test/', '//evil.test/', '/\\evil.test', '/oauth/consent/../../x']) {
    expect(await targetOf(evil)).toBe('/')
  }
  const browser = auth.browser()
  const hidden = hiddenOf(await browser.call('/sign-in'))
  const forged = await browser.submit('/sign-in', { ...hidden, ...person, return_to: 'https://evil.test/' })
  expect(forged.headers.get('location')).toBe('/')
})

test('S20: a planted session is not taken over: the id is new, and what the browser had before has ended', async () => {
  const [attacker, victim] = [await auth.makePerson(), await auth.makePerson()]
  const planted = (await auth.signedIn(attacker.userId)).cookies.get('wds_session') ?? ''
  const browser = auth.browser()
  browser.cookies.set('wds_session', planted)
  expect((await signIn(browser, victim, { returnTo: '/password' })).status).toBe(303)
  expect(browser.cookies.get('wds_session')).not.toBe(planted)
  expect([await sessionsOf(attacker.userId), await sessionsOf(victim.userId)]).toEqual([0, 1])
  const before = browser.cookies.get('wds_session')
  expect((await signIn(browser, victim, { returnTo: '/password' })).status).toBe(303)
  expect([browser.cookies.get('wds_session') === before, await sessionsOf(victim.userId)]).toEqual([false, 1])
  browser.cookies.set('wds_session', 'made-up')
  expect((await signIn(browser, victim)).status).toBe(303)
  expect(browser.cookies.get('wds_session')).not.toBe('made-up')
})

describe('XO11: login forgery: what no page of ours in this browser posted signs nobody in', () => {
  test.each([
    ['another site', { headers: { 'sec-fetch-site': 'cross-site' } }],
    ['another host of the site', { headers: { 'sec-fetch-site': 'same-site' } }],
    ['a browser that does not say from where', { headers: {} }],
    ['no token', { fields: { form_token: '' } }],
    ['a token of another browser', { stranger: true }],
    ['no cookie', { cookies: false }],
  ] as [string, { headers?: Record<string, string>; fields?: object; stranger?: boolean; cookies?: false }][])(
    '%s',
    async (_, how) => {
      const person = await auth.makePerson()
      const browser = auth.browser()
      let hidden = hiddenOf(await browser.call('/sign-in'))
      if (how.stranger) hidden = hiddenOf(await auth.browser().call('/sign-in'))
      if (how.cookies === false) browser.cookies.clear()
      const { headers = { 'sec-fetch-site': 'same-origin' } } = how
      const fields = { ...hidden, email: person.email, password: person.password, ...how.fields }
      const answer = await browser.call('/sign-in', { body: new URLSearchParams(fields), headers })
      expect([answer.status, answer.headers.get('content-type'), await sessionsOf(person.userId)]).toEqual([
        ...[403, 'text/html; charset=utf-8', 0],
      ])
      expect(browser.cookies.has('wds_session')).toBe(false)
    },
  )
  test('nor does it sign anybody out', async () => {
    const person = await auth.makePerson()
    const browser = await auth.signedIn(person.userId)
    const token = hiddenOf(await browser.call('/sign-in'))
    const cross = await browser.call('/sign-out', {
      body: new URLSearchParams(token),
      headers: { 'sec-fetch-site': 'cross-site' },
    })
    const without = await browser.submit('/sign-out', {})
    const other = hiddenOf(await (await auth.signedIn(person.userId)).call('/sign-in'))
    const foreign = await browser.submit('/sign-out', other)
    expect([cross.status, without.status, foreign.status]).toEqual([403, 403, 403])
    expect(await sessionsOf(person.userId)).toBe(2)
  })
})

describe('XO10: enumeration', () => {
  test('an unknown account, one without a password, a disabled one and a wrong password read the same', async () => {
    const [known, upstream, disabled] = [await auth.makePerson(), await auth.makePerson(), await auth.makePerson()]
    await auth.admin.query('delete from auth.passwords where user_id = $1', [upstream.userId])
    await auth.admin.query(`update auth.users set status = 'disabled' where user_id = $1`, [disabled.userId])
    const tried = [
      { ...known, password: 'something else' },
      upstream,
      disabled,
      { email: 'nobody@example.test', password: 'x' },
    ]
    const answers = await Promise.all(tried.map((person) => signIn(auth.browser(), person)))
    const shapes = answers.map(({ status, text, headers }, index) => ({
      status,
      text: text.replaceAll(tried[index]?.email ?? '', '').replaceAll(/name="form_token" value="[^"]*"/g, ''),
      headers: [...headers].filter(([name]) => !['x-request-id', 'date', 'content-length'].includes(name)),
    }))
    expect(shapes[0]?.status).toBe(422)
    expect(shapes[0]?.text).toContain('role="alert"')
    for (const shape of shapes) expect(shape).toEqual(shapes[0])
    for (const { userId } of [known, upstream, disabled]) expect(await sessionsOf(userId)).toBe(0)
  })

  test('the same statements are asked in the same order, and one password is computed', async () => {
    const { owner } = await auth.ownedWorkspace()
    const disabled = await auth.makePerson()
    await auth.admin.query(`update auth.users set status = 'disabled' where user_id = $1`, [disabled.userId])
    const spied = await startAuth()
    const asked: string[] = []
    for (const client of await drain(spied.pool)) watch(client, asked)
    const { userId: _, ...known } = await spied.makePerson()
    stopAfterwards(spied)
    const statementsOf = async (person: { email: string; password: string }) => {
      const browser = spied.browser()
      const hidden = hiddenOf(await browser.call('/sign-in'))
      asked.length = 0
      const { status } = await browser.submit('/sign-in', { ...hidden, ...person })
      // Keys are read in the background.
      return { status, asked: asked.filter((name) => !name.startsWith('access-')) }
    }
    const wrong = await statementsOf({ ...known, password: 'something else' })
    const nobody = await statementsOf({ email: owner.email, password: 'something else' })
    expect(wrong.status).toBe(422)
    expect(wrong.asked).toEqual([
      'begin+set-local+account-by-email+known-browser+password-parameters',
      'attempt-lock+attempt-take',
      'commit',
      'begin+set-local+audit-everywhere',
      'commit',
    ])
    expect(nobody).toEqual(wrong)
  })
})

describe('failure limits', () => {
  const wrong = (person: Person) => ({ ...person, password: 'something else' })

  test('10 failures in 15 minutes of an account at one network are 429 with Retry-After, also for the right password; then it goes on', async () => {
    const person = await auth.makePerson()
    for (let nth = 0; nth < 10; nth += 1) expect((await signIn(auth.browser(), wrong(person))).status).toBe(422)
    const refused = await signIn(auth.browser(), person)
    expect([refused.status, refused.text.includes('role="alert"')]).toEqual([429, true])
    const wait = Number(refused.headers.get('retry-after'))
    expect(wait).toBeGreaterThan(850)
    expect(wait).toBeLessThanOrEqual(900)
    // Others are let in, and so is this person once the window is over.
    expect((await signIn(auth.browser(), await auth.makePerson())).status).toBe(303)
    await auth.moveClock((wait + 1) * 1_000)
    expect((await signIn(auth.browser(), person)).status).toBe(303)
    await auth.moveClock(0)
  })

  /** Uses up what a stranger at this network may try of the account. */
  async function guess(person: Person, address: string): Promise<void> {
    for (let nth = 0; nth < 10; nth += 1) {
      expect((await signIn(auth.browser(), wrong(person), { address })).status).toBe(422)
    }
    expect((await signIn(auth.browser(), wrong(person), { address })).status).toBe(429)
  }

  describe('XO10: no lasting lockout of the owner', () => {
    const [stranger, home] = ['203.0.113.66', '198.51.100.7']

    /** Signs in in a browser whose session is over. */
    const comeBack: typeof signIn = (browser, person, o) => {
      browser.cookies.delete('wds_session')
      return signIn(browser, person, o)
    }

    test('failures of a stranger keep the person out neither of a known browser at the same network nor of a new one elsewhere', async () => {
      const person = await auth.makePerson()
      const known = auth.browser()
      expect((await comeBack(known, person, { address: home })).status).toBe(303)
      await guess(person, stranger)
      expect((await comeBack(known, person, { address: stranger })).status).toBe(303)
      expect((await signIn(auth.browser(), person, { address: home })).status).toBe(303)
      expect((await signIn(auth.browser(), person, { address: stranger })).status).toBe(429)
    })

    test('guessing from many networks ends at 100 failures of the account; known browsers go on, also at a network that has used up its own limit', async () => {
      const person = await auth.makePerson()
      const known = auth.browser()
      expect((await comeBack(known, person)).status).toBe(303)
      for (let network = 1; network <= 10; network += 1) await guess(person, `203.0.113.${network}`)
      const refused = await signIn(auth.browser(), person, { address: home })
      expect([refused.status, Number(refused.headers.get('retry-after')) <= 900]).toEqual([429, true])
      for (let nth = 0; nth < 40; nth += 1) {
        const nobody = { email: `nobody-${nth}@example.test`, password: 'x' }
        expect((await signIn(auth.browser(), nobody, { address: '203.0.113.1' })).status).toBe(422)
      }
      expect((await signIn(auth.browser(), await auth.makePerson(), { address: '203.0.113.1' })).status).toBe(429)
      expect((await comeBack(known, person, { address: '203.0.113.1' })).status).toBe(303)
    })

    test('in a known browser 10 failures are 429 there, and nowhere else', async () => {
      const person = await auth.makePerson()
      const known = auth.browser()
      expect((await comeBack(known, person)).status).toBe(303)
      for (let nth = 0; nth < 10; nth += 1) {
        expect((await comeBack(known, wrong(person), { address: `203.0.113.${nth}` })).status).toBe(422)
      }
      expect((await comeBack(known, person, { address: home })).status).toBe(429)
      expect((await signIn(auth.browser(), person)).status).toBe(303)
    })

    test('a browser is known for the accounts that it signed in to, and for no other', async () => {
      const [attacker, person] = [await auth.makePerson(), await auth.makePerson()]
      const own = auth.browser()
      expect((await comeBack(own, attacker, { address: stranger })).status).toBe(303)
      await guess(person, stranger)
      expect((await comeBack(own, person, { address: stranger })).status).toBe(429)
      expect((await comeBack(own, attacker, { address: stranger })).status).toBe(303)
    })

    test('it is known for 90 days', async () => {
      const person = await auth.makePerson()
      const known = auth.browser()
      const isKnown = async () => {
        await guess(person, stranger)
        const { status } = await comeBack(known, person, { address: stranger })
        await auth.admin.query('truncate auth.sign_in_attempts')
        return status === 303
      }
      await comeBack(known, person)
      expect(await isKnown()).toBe(true)
      await auth.admin.query(`update auth.known_browsers set last_used = last_used - interval '91 days'`)
      expect(await isKnown()).toBe(false)
    })

    test('the cookie of a known browser outlives the session, is not readable by scripts, and opens nothing', async () => {
      const person = await auth.makePerson()
      const browser = auth.browser()
      const line = (await signIn(browser, person)).headers.getSetCookie().find((one) => one.startsWith('wds_browser='))
      expect(line).toMatch(/^wds_browser=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=7776000$/)
      const kept = browser.cookies.get('wds_browser')
      expect((await browser.submit('/sign-out', hiddenOf(await browser.call('/sign-in')))).status).toBe(303)
      expect([browser.cookies.get('wds_browser'), browser.cookies.has('wds_session')]).toEqual([kept, false])
      expect((await browser.call('/v1/session')).status).toBe(401)
      await signIn(browser, await auth.makePerson())
      expect(browser.cookies.get('wds_browser')).toBe(kept)
    })
  })

  test('an unknown account is limited as a known one', async () => {
    const nobody = { email: 'nobody@example.test', password: 'x' }
    for (let nth = 0; nth < 10; nth += 1) expect((await signIn(auth.browser(), nobody)).status).toBe(422)
    expect((await signIn(auth.browser(), nobody)).status).toBe(429)
  })

  test('50 failures per address are 429, whoever is named; an IPv6 address counts with its network', async () => {
    const at = (host: number) => ({ address: `2001:db8::${host.toString(16)}` })
    for (let nth = 0; nth < 50; nth += 1) {
      const nobody = { email: `nobody-${nth}@example.test`, password: 'x' }
      expect((await signIn(auth.browser(), nobody, at(nth + 1))).status).toBe(422)
    }
    const person = await auth.makePerson()
    expect((await signIn(auth.browser(), person, at(999))).status).toBe(429)
    expect((await signIn(auth.browser(), person, { address: '2001:db8:0:1::1' })).status).toBe(303)
  })

  test('who signs in does not count; 40 attempts at once are counted like 40 in a row', async () => {
    const person = await auth.makePerson()
    for (let nth = 0; nth < 12; nth += 1) expect((await signIn(auth.browser(), person)).status).toBe(303)
    const other = wrong(await auth.makePerson())
    const answers = await Promise.all(Array.from({ length: 40 }, () => signIn(auth.browser(), other)))
    const count = (status: number) => answers.filter((answer) => answer.status === status).length
    expect(count(422) + count(503)).toBeLessThanOrEqual(10)
    expect(count(429)).toBeGreaterThanOrEqual(30)
    expect(count(303)).toBe(0)
  })
})

test('a password of weaker parameters is computed anew at sign-in, and still fits', async () => {
  const person = await auth.makePerson()
  const weaker = createPasswordHasher({ parameters: { memoryKib: 32, passes: 1, lanes: 1 } })
  await auth.admin.query('update auth.passwords set hash = $2 where user_id = $1', [
    person.userId,
    await weaker.hash(person.password),
  ])
  const hashOf = async () =>
    (await auth.admin.query('select hash from auth.passwords where user_id = $1', [person.userId])).rows[0].hash
  expect((await signIn(auth.browser(), { ...person, password: 'something else' })).status).toBe(422)
  expect(await hashOf()).toContain('$m=32,')
  expect((await signIn(auth.browser(), person)).status).toBe(303)
  expect(await hashOf()).toContain('$m=64,')
  expect((await signIn(auth.browser(), person)).status).toBe(303)
})

test('a failure stands in the audit log of each workspace of the person, and nowhere else', async () => {
  const { owner, workspaceId } = await auth.ownedWorkspace()
  const second = await auth.makeWorkspace()
  await auth.join(second, owner.userId, 'viewer')
  await signIn(auth.browser(), { ...owner, password: 'something else' })
  for (const id of [workspaceId, second]) {
    expect(await auditOf(id)).toMatchObject([{ actor: `user:${owner.userId}`, outcome: 'refused' }])
  }
})

test('S29, S30: neither password nor cookie nor token of a form stands in the log', async () => {
  const person = await auth.makePerson()
  const browser = auth.browser()
  await signIn(browser, { ...person, password: `wrong ${person.password}` })
  await signIn(browser, person)
  const written = auth.log.join('\n')
  for (const secret of [person.password, ...browser.cookies.values()]) expect(written).not.toContain(secret)
})

test('another method is 405, another content type 415, a doubled field 400, each as a page', async () => {
  const browser = auth.browser()
  const put = await browser.call('/sign-in', { method: 'PUT' })
  expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST'])
  const json = await browser.call('/sign-in', { body: { email: 'x' } })
  const doubled = await browser.call('/sign-in', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams([
      ['email', 'a'],
      ['email', 'b'],
    ]),
  })
  expect([json.status, doubled.status]).toEqual([415, 400])
  expect(doubled.headers.get('content-type')).toContain('text/html')
})

interface Client {
  query: unknown
}

function watch(client: Client, asked: string[]): void {
  const query = (client.query as (...parts: unknown[]) => unknown).bind(client)
  client.query = (...parts: unknown[]) => {
    const [first] = parts as [{ name?: string; text?: string } | string]
    asked.push(typeof first === 'string' ? first : (first.name ?? first.text ?? ''))
    return query(...parts)
  }
}

/** Every connection that the pool has already. */
async function drain(pool: AuthService['pool']): Promise<Client[]> {
  const clients = await Promise.all(Array.from({ length: pool.options.max ?? 1 }, () => pool.connect()))
  for (const client of clients) client.release()
  return clients
}

const hasherOf = (verify: PasswordHasher['verify']): PasswordHasher => ({
  verify,
  hash: async () => '',
  isOutdated: () => false,
})

test('regression: attempts that were not judged, since too many were, are no failures', async () => {
  const credentials = {
    email: 'nobody@example.test',
    password: 'correct horse battery',
    address: '192.0.2.77',
    browser: null,
    userAgent: null,
    requestId: 'req_test',
  }
  const busy = hasherOf(async () => {
    throw new Problem('unavailable')
  })
  const { pool } = auth
  for (let nth = 0; nth < 12; nth += 1)
    await expect(verifyPassword({ pool, hasher: busy }, credentials)).rejects.toThrow('unavailable')
  const judged = await verifyPassword({ pool, hasher: hasherOf(async () => false) }, credentials)
  expect(judged).toEqual({ ok: false, reason: 'wrong' })
})

test('regression: a password that fits is no failure, whatever fails behind it', async () => {
  const { email } = await auth.makePerson()
  const credentials = { email, password: 'x', address: '192.0.2.78', browser: null, userAgent: null, requestId: 'r' }
  const hasher = hasherOf(async () => true)
  for (let nth = 0; nth < 11; nth += 1)
    expect((await verifyPassword({ pool: auth.pool, hasher }, credentials)).ok).toBe(true)
})

test('regression: nor are they where a new person joins', async () => {
  const exchange = { origin: { address: '203.0.113.9' }, requestId: 'req_test' } as Parameters<
    typeof throttled
  >[1]['exchange']
  const given = { emailKey: 'newcomer@example.test', exchange }
  const busy = async () => {
    throw new Problem('unavailable')
  }
  for (let nth = 0; nth < 11; nth += 1) await expect(throttled(auth.pool, given, busy)).rejects.toThrow('unavailable')
  expect(await throttled(auth.pool, given, async () => ({ ok: true }))).toEqual({ ok: true })
})
