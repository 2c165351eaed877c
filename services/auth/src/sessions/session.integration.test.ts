import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { withTransaction } from '@wds/postgres/transaction'
import { type AuthService, type Browser, hiddenOf, type Person, startAuth } from '../auth-service.fixture.ts'
import { createCookies } from '../web/cookies.ts'
import { createSessionJudge, endSession, endSessionsOf, findSession, startSession } from './session.ts'
import { pruneSessions } from './store.ts'

let auth: AuthService
beforeAll(async () => {
  auth = await startAuth()
})
afterAll(() => auth?.stop())

const cookies = createCookies('http://localhost')
const find = (secret: string) => findSession({ pool: auth.pool, cookies }, `wds_session=${secret}`)
const start = (userId: string, workspaceId: string | null = null) =>
  withTransaction(auth.pool, { workspaceId: null }, (tx) =>
    startSession(tx, { userId, workspaceId, requestId: 'r', address: null, userAgent: null }),
  )

const hourMs = 3_600_000
const dayMs = 24 * hourMs

test('a session is found by its cookie, with the person, the current workspace and all others', async () => {
  const person = await auth.makePerson()
  const [first, second] = [await auth.makeWorkspace({ name: 'First' }), await auth.makeWorkspace({ name: 'Second' })]
  await auth.join(first, person.userId, 'viewer')
  await auth.join(second, person.userId, 'owner')
  const { sessionId, secret } = await start(person.userId, second)
  expect(await find(secret)).toMatchObject({
    sessionId,
    userId: person.userId,
    userName: person.name,
    email: person.email,
    workspace: { id: second, name: 'Second', slug: 'second', plan: 'business', role: 'owner', rev: 1 },
    workspaces: [{ id: first, role: 'viewer' }, { id: second }],
  })
})

test('the CSRF token is bound to the session and to its workspace', async () => {
  const person = await auth.makePerson()
  const [one, two] = [await auth.makeWorkspace(), await auth.makeWorkspace()]
  await auth.join(one, person.userId, 'owner')
  await auth.join(two, person.userId, 'owner')
  const [a, b] = [await start(person.userId, one), await start(person.userId, one)]
  const tokenOf = async (secret: string) => (await find(secret))?.csrf
  const first = await tokenOf(a.secret)
  expect(await tokenOf(a.secret)).toBe(first)
  expect(await tokenOf(b.secret)).not.toBe(first)
  await auth.admin.query('update auth.sessions set workspace_id = $1 where session_id = $2', [two, a.sessionId])
  expect(await tokenOf(a.secret)).not.toBe(first)
})

test.each([
  ['12 h without a request', 12 * hourMs, []],
  ['14 days, however busy', 14 * dayMs, Array.from({ length: 28 * 2 - 1 }, (_, i) => (i + 1) * 6 * hourMs)],
])('a session ends after %s', async (_, endsMs, requests) => {
  const { userId } = await auth.makePerson()
  const { secret } = await start(userId)
  for (const atMs of requests) {
    await auth.moveClock(atMs)
    expect(await find(secret)).not.toBeNull()
  }
  await auth.moveClock(endsMs - 60_000)
  const before = await auth.admin.query('select last_seen from auth.sessions where user_id = $1', [userId])
  expect(before.rowCount).toBe(1)
  await auth.moveClock(endsMs + 1_000)
  expect(await find(secret)).toBeNull()
  await pruneSessions(auth.worker)
  expect((await auth.admin.query('select from auth.sessions where user_id = $1', [userId])).rowCount).toBe(0)
  await auth.moveClock(0)
})

test('a request moves the end, at most once a minute', async () => {
  const { userId } = await auth.makePerson()
  const { secret } = await start(userId)
  const lastSeen = async () =>
    (await auth.admin.query('select last_seen from auth.sessions where user_id = $1', [userId])).rows[0].last_seen
  const first = await lastSeen()
  await find(secret)
  expect(await lastSeen()).toEqual(first)
  await auth.moveClock(61_000)
  await find(secret)
  expect((await lastSeen()).getTime()).toBeGreaterThan(first.getTime() + 60_000)
  await auth.moveClock(0)
})

test('an ended session is found no more, its person is told of on the log, and others go on', async () => {
  const { userId } = await auth.makePerson()
  const [a, b, c] = [await start(userId), await start(userId), await start(userId)]
  await withTransaction(auth.pool, { workspaceId: null }, (tx) =>
    endSession(tx, { secret: a.secret, reason: 'signed_out', requestId: 'r' }),
  )
  expect([await find(a.secret), (await find(b.secret))?.sessionId]).toEqual([null, b.sessionId])
  await withTransaction(auth.pool, { workspaceId: null }, (tx) =>
    endSessionsOf(tx, { userId, reason: 'password_changed', requestId: 'r' }),
  )
  expect([await find(b.secret), await find(c.secret)]).toEqual([null, null])
  const { rows } = await auth.admin.query<{ headers: { event_type: string }; payload: Buffer }>(
    `select headers, payload from auth.outbox where key = $1 and headers ->> 'event_type' = 'SessionEnded' order by id`,
    [userId],
  )
  const told = rows.map(({ payload }) => JSON.parse(String(payload)).data)
  expect(told[0]).toEqual({ session_id: a.sessionId, user_id: userId, reason: 'signed_out' })
  expect(
    told
      .slice(1)
      .map(({ session_id }) => session_id)
      .sort(),
  ).toEqual([b.sessionId, c.sessionId].sort())
})

test('POST /v1/session/end ends this session alone, and tells so; without the CSRF token it ends none', async () => {
  const { workspaceId, owner, browser } = await auth.ownedWorkspace()
  const other = await auth.signedIn(owner.userId, workspaceId)
  const statusOf = async (one: typeof browser) => (await one.call('/v1/session')).status
  const headers = { 'sec-fetch-site': 'same-origin' }
  const forged = await browser.call('/v1/session/end', { method: 'POST', headers })
  expect([forged.status, forged.json.code, await statusOf(browser)]).toEqual([403, 'csrf_failed', 200])
  const ended = await browser.write('/v1/session/end')
  expect([ended.status, ended.text, await statusOf(browser), await statusOf(other)]).toEqual([204, '', 401, 200])
  const { rows } = await auth.admin.query<{ payload: Buffer }>(
    `select payload from auth.outbox where key = $1 and headers ->> 'event_type' = 'SessionEnded'`,
    [owner.userId],
  )
  expect(rows.map(({ payload }) => JSON.parse(String(payload)).data)).toEqual([
    { session_id: expect.stringMatching(/^ses_/), user_id: owner.userId, reason: 'signed_out' },
  ])
  // regression: signing out was in no audit log.
  const audit = await auth.admin.query(
    `select actor, action, object from auth.audit_log where workspace_id = $1 and action like 'sign%'`,
    [workspaceId],
  )
  const [{ payload }] = rows as [{ payload: Buffer }]
  const { session_id: object } = JSON.parse(String(payload)).data
  expect(audit.rows).toEqual([{ actor: `user:${owner.userId}`, action: 'sign_out', object }])
  // Once more by the same page: nobody is signed in.
  expect((await browser.write('/v1/session/end')).status).toBe(401)
})

describe('sessions of one’s own', () => {
  const path = '/v1/account/sessions'
  const endOthers = `${path}/end-others`
  const listed = async (browser: Browser) => (await browser.call(path)).json.data
  const isSignedIn = async (browser: Browser) => (await browser.call('/v1/session')).status === 200
  async function signIn({ email, password }: Person, browser = auth.browser()): Promise<Browser> {
    const fields = { ...hiddenOf(await browser.call('/sign-in?return_to=%2F')), email, password }
    expect((await browser.submit('/sign-in', fields)).status).toBe(303)
    return browser
  }
  async function withTwo() {
    const { owner, workspaceId } = await auth.ownedWorkspace()
    const mine = await signIn(owner)
    return { owner, workspaceId, mine, other: await signIn(owner) }
  }
  const idOf = async (browser: Browser) =>
    (await listed(browser)).find(({ is_current }: { is_current: boolean }) => is_current).id

  test('are listed, used last first, with what the sign-in said of the browser; of nobody else, and none that has ended', async () => {
    const { mine, other } = await withTwo()
    await withTwo()
    const shown = await listed(mine)
    const [id, otherId] = [await idOf(mine), await idOf(other)]
    expect(shown.slice(0, 2)).toEqual(
      [otherId, id].map((one) => ({
        object: 'account_session',
        id: one,
        is_current: one === id,
        address: '127.0.0.1',
        user_agent: 'node',
        created: expect.any(String),
        last_used: expect.any(String),
      })),
    )
    // That of the fixture says nothing of itself.
    expect(shown.slice(2)).toMatchObject([{ address: null, user_agent: null }])
    await auth.moveClock(12 * hourMs - 60_000)
    await other.call('/v1/session')
    await auth.moveClock(12 * hourMs + 60_000)
    expect(await listed(other)).toMatchObject([{ id: otherId }])
    await auth.moveClock(0)
  })

  test('one ends: its browser is signed out, the log and the audit log say so, others go on', async () => {
    const { owner, workspaceId, mine, other } = await withTwo()
    const id = await idOf(other)
    expect((await mine.write(`${path}/${id}`, { method: 'DELETE' })).status).toBe(204)
    expect([await isSignedIn(mine), await isSignedIn(other)]).toEqual([true, false])
    expect((await mine.write(`${path}/${id}`, { method: 'DELETE' })).status).toBe(404)
    const { rows } = await auth.admin.query<{ payload: Buffer }>(
      `select payload from auth.outbox where key = $1 and headers ->> 'event_type' = 'SessionEnded'`,
      [owner.userId],
    )
    expect(rows.map(({ payload }) => JSON.parse(String(payload)).data)).toEqual([
      { session_id: id, user_id: owner.userId, reason: 'ended_by_user' },
    ])
    const audit = await auth.admin.query(
      `select actor, object from auth.audit_log where workspace_id = $1 and action = 'session_ended'`,
      [workspaceId],
    )
    expect(audit.rows).toEqual([{ actor: `user:${owner.userId}`, object: id }])
  })

  test('all others end at once, this one goes on', async () => {
    const { mine, other } = await withTwo()
    expect((await mine.write(endOthers)).status).toBe(204)
    expect([await isSignedIn(mine), await isSignedIn(other), (await listed(mine)).length]).toEqual([true, false, 1])
  })

  test('end by a sign-in of the last 10 minutes alone: a stolen cookie does not sign out the person; it ends itself', async () => {
    const { mine, other } = await withTwo()
    const [id, otherId] = [await idOf(mine), await idOf(other)]
    await auth.moveClock(601_000)
    const answers = [await mine.write(`${path}/${otherId}`, { method: 'DELETE' }), await mine.write(endOthers)]
    expect(answers.map(({ status, json }) => [status, json.code])).toEqual(
      answers.map(() => [403, 'recent_sign_in_required']),
    )
    expect(await isSignedIn(other)).toBe(true)
    expect((await mine.write(`${path}/${id}`, { method: 'DELETE' })).status).toBe(204)
    expect(await isSignedIn(mine)).toBe(false)
    await auth.moveClock(0)
  })

  test('regression: who signs out, or is signed out by another person in that browser, is in the audit log; whom time has ended is not', async () => {
    const [one, other] = [await auth.ownedWorkspace(), await auth.ownedWorkspace()]
    const deedsIn = async (workspaceId: string) =>
      (
        await auth.admin.query(
          `select actor, action, object from auth.audit_log where workspace_id = $1 and action like 'sign%' order by id`,
          [workspaceId],
        )
      ).rows
    const browser = await signIn(one.owner)
    await signIn(other.owner, browser)
    await browser.submit('/sign-out', hiddenOf(await browser.call('/sign-in')))
    for (const { workspaceId, owner } of [one, other]) {
      const deeds = await deedsIn(workspaceId)
      const deed = { actor: `user:${owner.userId}`, object: deeds[0]?.object }
      expect(deeds).toEqual(['sign_in', 'sign_out'].map((action) => ({ ...deed, action })))
    }
    await signIn(one.owner, browser)
    await auth.moveClock(13 * hourMs)
    await signIn(other.owner, browser)
    await auth.moveClock(0)
    expect((await deedsIn(one.workspaceId)).map(({ action }) => action)).toEqual(['sign_in', 'sign_out', 'sign_in'])
  })

  test('are nobody else’s to end', async () => {
    const [one, two] = [await withTwo(), await withTwo()]
    const id = await idOf(one.mine)
    expect((await two.mine.write(`${path}/${id}`, { method: 'DELETE' })).status).toBe(404)
    expect((await two.mine.write(endOthers)).status).toBe(204)
    expect([await isSignedIn(one.mine), await isSignedIn(one.other)]).toEqual([true, true])
  })

  test('stand on the page of the account, whose forms end one, and all others', async () => {
    const { mine, other } = await withTwo()
    const third = await auth.signedIn((await mine.call('/v1/session')).json.user.id)
    const id = await idOf(other)
    const formOf = (text: string, action: string) =>
      new RegExp(`action="${action}">\\s*<input type="hidden" name="form_token" value="([^"]+)">`).exec(text)?.[1] ?? ''
    const page = (await mine.call('/sign-in')).text
    expect(page).toContain('this browser')
    const end = `/sign-in/sessions/${id}/end`
    const token = { form_token: formOf(page, end) }
    const foreign = [
      await mine.submit(`/sign-in/sessions/${await idOf(third)}/end`, token),
      await third.submit(end, token),
    ]
    expect([foreign.map(({ status }) => status), await isSignedIn(other)]).toEqual([[403, 403], true])
    const done = await mine.submit(end, token)
    expect([done.status, done.headers.get('location'), await isSignedIn(other)]).toEqual([303, '/sign-in', false])
    const others = '/sign-in/sessions/end-others'
    expect((await mine.submit(others, { form_token: formOf(page, others) })).status).toBe(303)
    expect([await isSignedIn(mine), await isSignedIn(third)]).toEqual([true, false])
    expect((await mine.call('/sign-in')).text).not.toContain('Sign out everywhere else')
  })
})

test('a disabled person has no session, and neither cookie nor digest of another form finds one', async () => {
  const { userId } = await auth.makePerson()
  const { secret } = await start(userId)
  const twice = `wds_session=${secret}; wds_session=${secret}`
  expect(await findSession({ pool: auth.pool, cookies }, twice)).toBeNull()
  expect(await findSession({ pool: auth.pool, cookies }, `__Host-wds_session=${secret}`)).toBeNull()
  expect(await find(`${secret}x`)).toBeNull()
  await auth.admin.query(`update auth.users set status = 'disabled' where user_id = $1`, [userId])
  expect(await find(secret)).toBeNull()
})

test('regression: a session tells the role of the moment in which it writes, and none once it ended or its person was removed or disabled', async () => {
  const { workspaceId, owner } = await auth.ownedWorkspace()
  const { userId } = await auth.makePerson()
  await auth.join(workspaceId, userId, 'admin')
  const judge = createSessionJudge({ pool: auth.pool, cookies })
  /** What a request that was let in before sees after each of the changes. */
  const seen = async (change: (sessionId: string) => Promise<unknown>) => {
    const { secret, sessionId } = await start(userId, workspaceId)
    const client = (await judge(`wds_session=${secret}`))?.client
    if (!client) throw new Error('nobody is signed in')
    const roleNow = () => withTransaction(auth.pool, { workspaceId }, client.roleNow)
    const before = await roleNow()
    await change(sessionId)
    return [before, await roleNow()]
  }
  const boss = await auth.signedIn(owner.userId, workspaceId)
  const member = `/v1/members/mbr_${userId.slice(4)}`
  const patch = { method: 'PATCH', headers: { 'content-type': 'application/merge-patch+json' } }
  const end = (id: string) => auth.admin.query('delete from auth.sessions where session_id = $1', [id])
  const setStatus = (status: string) =>
    auth.admin.query('update auth.users set status = $2 where user_id = $1', [userId, status])
  expect(await seen(end)).toEqual(['admin', null])
  expect(await seen(() => setStatus('disabled'))).toEqual(['admin', null])
  await setStatus('active')
  expect(await seen(() => boss.write(member, { ...patch, body: { role: 'viewer' } }))).toEqual(['admin', 'viewer'])
  expect(await seen(() => boss.write(member, { method: 'DELETE' }))).toEqual(['viewer', null])
})

test('S33: the cookie is stored nowhere', async () => {
  const { userId } = await auth.makePerson()
  const { secret } = await start(userId)
  const { rows } = await auth.admin.query('select s::text from auth.sessions s where user_id = $1', [userId])
  expect(rows).toHaveLength(1)
  expect(JSON.stringify(rows)).not.toContain(secret)
  expect(JSON.stringify(rows)).not.toContain(Buffer.from(secret).toString('hex'))
})
