import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Role, scopesOfRole } from '@wds/contracts/roles'
import { type AuthService, type Browser, startAuth } from '../auth-service.fixture.ts'

let auth: AuthService
beforeAll(async () => {
  auth = await startAuth()
})
afterAll(() => auth?.stop())

interface Shown {
  id: string
  role: Role
  version: number
  user: { id: string; name: string; email: string }
}
const membersOf = async (browser: Browser): Promise<Shown[]> => (await browser.call('/v1/members?limit=100')).json.data
const idOf = (userId: string) => `mbr_${userId.slice(4)}`
const at = (userId: string) => `/v1/members/${idOf(userId)}`

async function withMembers(...given: Role[]) {
  const made = await auth.ownedWorkspace()
  const people = await Promise.all(
    given.map(async (role) => {
      const person = await auth.makePerson()
      await auth.join(made.workspaceId, person.userId, role)
      return { ...person, browser: await auth.signedIn(person.userId, made.workspaceId) }
    }),
  )
  return { ...made, people }
}

const change = (browser: Browser, userId: string, role: Role, headers = {}) =>
  browser.write(at(userId), { method: 'PATCH', body: { role }, headers })
const remove = (browser: Browser, userId: string) => browser.write(at(userId), { method: 'DELETE' })

test('every member sees the members with their names and roles, by pages', async () => {
  const { owner, people } = await withMembers('viewer', 'admin')
  const [viewer] = people
  const shown = await membersOf((viewer as (typeof people)[number]).browser)
  expect(new Map(shown.map(({ user, role }) => [user.email, role]))).toEqual(
    new Map([
      [owner.email, 'owner'],
      [people[0]?.email, 'viewer'],
      [people[1]?.email, 'admin'],
    ]),
  )
  const first = (await viewer?.browser.call('/v1/members?limit=2'))?.json
  const second = (await viewer?.browser.call(`/v1/members?limit=2&cursor=${first.next_cursor}`))?.json
  expect([first.data, second.data].flat()).toEqual(shown)
  const one = await viewer?.browser.call(at(owner.userId))
  expect([one?.json.user.name, one?.headers.get('etag')]).toEqual([owner.name, '"v1"'])
})

test('an owner changes a role; the next request of the member is judged by it; the version and the log tell of it', async () => {
  const { browser, workspaceId, people } = await withMembers('admin')
  const [admin] = people as [(typeof people)[number]]
  expect((await admin.browser.write('/v1/members/invitations', { body: { role: 'viewer' } })).status).toBe(201)
  const changed = await change(browser, admin.userId, 'viewer', { 'if-match': '"v1"' })
  expect([changed.status, changed.json]).toEqual([200, expect.objectContaining({ role: 'viewer', version: 2 })])
  const refused = await admin.browser.write('/v1/members/invitations', { body: { role: 'viewer' } })
  expect([refused.status, refused.json.code]).toEqual([403, 'role_not_allowed'])
  const { rows } = await auth.admin.query(
    `select payload from auth.outbox where workspace_id = $1 and headers ->> 'event_type' = 'MemberRoleChanged'`,
    [workspaceId],
  )
  expect(rows.map(({ payload }) => JSON.parse(String(payload)).data)).toEqual([
    { workspace_id: workspaceId, user_id: admin.userId, role: 'viewer', member_rev: 2 },
  ])
  expect((await change(browser, admin.userId, 'member', { 'if-match': '"v1"' })).status).toBe(412)
})

describe('auth.md 1.2 over the API', () => {
  test('an admin manages all but owners; members and viewers nobody', async () => {
    const { owner, people } = await withMembers('admin', 'member', 'viewer')
    const [admin, member, viewer] = people as [
      (typeof people)[number],
      (typeof people)[number],
      (typeof people)[number],
    ]
    const codes = await Promise.all([
      change(admin.browser, owner.userId, 'viewer'),
      change(admin.browser, viewer.userId, 'owner'),
      remove(admin.browser, owner.userId),
      change(member.browser, viewer.userId, 'member'),
      change(viewer.browser, viewer.userId, 'admin'),
      remove(viewer.browser, member.userId),
    ])
    expect(codes.map(({ status, json }) => [status, json.code])).toEqual(codes.map(() => [403, 'role_not_allowed']))
    expect((await change(admin.browser, viewer.userId, 'member')).status).toBe(200)
    expect((await remove(admin.browser, member.userId)).status).toBe(204)
  })

  test('a removed member has no session in the workspace any more, and is not listed', async () => {
    const { browser, people } = await withMembers('member')
    const [member] = people as [(typeof people)[number]]
    expect((await member.browser.call('/v1/session')).status).toBe(200)
    expect((await remove(browser, member.userId)).status).toBe(204)
    const refused = await member.browser.call('/v1/session')
    expect([refused.status, refused.json.code]).toEqual([403, 'role_not_allowed'])
    expect((await membersOf(browser)).map(({ user }) => user.id)).not.toContain(member.userId)
    expect([(await browser.call(at(member.userId))).status, (await remove(browser, member.userId)).status]).toEqual([
      404, 404,
    ])
  })

  test('the last owner can neither leave nor be lowered: 409 invalid_state; of two owners who leave at once one stays', async () => {
    const { browser, owner, people, workspaceId } = await withMembers('owner', 'viewer')
    const [second, viewer] = people as [(typeof people)[number], (typeof people)[number]]
    const answers = await Promise.all([remove(browser, owner.userId), remove(second.browser, second.userId)])
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409])
    const { rows } = await auth.admin.query(
      `select user_id from auth.memberships where workspace_id = $1 and role = 'owner' and status = 'active'`,
      [workspaceId],
    )
    expect(rows).toHaveLength(1)
    const last = rows[0].user_id === owner.userId ? { ...owner, browser } : second
    for (const refused of [await remove(last.browser, last.userId), await change(last.browser, last.userId, 'admin')]) {
      expect([refused.status, refused.json]).toEqual([
        409,
        expect.objectContaining({
          code: 'invalid_state',
          current_status: 'last_owner',
          allowed: [],
          detail: expect.stringContaining('Make another member an owner first'),
        }),
      ])
    }
    expect((await remove(viewer.browser, viewer.userId)).status).toBe(204)
  })
})

test('XT01: a member of another workspace is as one that does not exist', async () => {
  const [mine, other] = [await auth.ownedWorkspace(), await auth.ownedWorkspace()]
  const missing = `/v1/members/mbr_${'0'.repeat(26)}`
  for (const path of [at(other.owner.userId), missing]) {
    const read = await mine.browser.call(path)
    const patched = await mine.browser.write(path, { method: 'PATCH', body: { role: 'viewer' } })
    const removed = await mine.browser.write(path, { method: 'DELETE' })
    expect([read, patched, removed].map(({ status }) => status)).toEqual([404, 404, 404])
  }
  expect((await membersOf(other.browser)).map(({ role }) => role)).toEqual(['owner'])
})

describe('the session', () => {
  test('shows the person, the role, all workspaces and the CSRF token; it is not kept by anybody', async () => {
    const { owner, workspaceId, browser } = await auth.ownedWorkspace({ name: 'Northwind', plan: 'pro' })
    const { status, json, headers } = await browser.call('/v1/session')
    const workspace = { id: workspaceId, name: 'Northwind', slug: 'northwind', plan: 'pro', role: 'owner' }
    expect([status, headers.get('cache-control'), json]).toEqual([
      ...[200, 'no-store'],
      {
        object: 'session',
        role: 'owner',
        workspace,
        workspaces: [workspace],
        user: { id: owner.userId, name: owner.name, email: owner.email },
        csrf_token: expect.stringMatching(/^[\w-]{43}$/),
      },
    ])
  })

  test('switches to another workspace of the person, with another CSRF token, and to no other', async () => {
    const { owner, browser, workspaceId } = await auth.ownedWorkspace()
    const other = await auth.ownedWorkspace()
    const before = (await browser.call('/v1/session')).json
    const to = (id: string, headers = {}) =>
      browser.write('/v1/session/switch', { body: { workspace_id: id }, headers })
    expect((await to(other.workspaceId)).status).toBe(404)
    await auth.join(other.workspaceId, owner.userId, 'viewer')
    expect((await to(other.workspaceId)).status).toBe(204)
    const after = (await browser.call('/v1/session')).json
    expect([after.workspace.id, after.role, after.csrf_token === before.csrf_token]).toEqual([
      ...[other.workspaceId, 'viewer', false],
    ])
    // A page of the former workspace changes nothing.
    const stale = await to(workspaceId, { 'x-csrf-token': before.csrf_token })
    expect([stale.status, stale.json.code]).toEqual([403, 'csrf_failed'])
  })

  test('regression: does not switch to a deleted workspace: what follows would be done in another one', async () => {
    const { owner, browser, workspaceId } = await auth.ownedWorkspace()
    const other = await auth.ownedWorkspace()
    await auth.join(other.workspaceId, owner.userId, 'owner')
    expect((await other.browser.write('/v1/workspace', { method: 'DELETE' })).status).toBe(204)
    const { status, json } = await browser.write('/v1/session/switch', { body: { workspace_id: other.workspaceId } })
    expect([status, json.code]).toEqual([404, 'not_found'])
    expect((await browser.call('/v1/session')).json.workspace.id).toBe(workspaceId)
  })

  test('gives a token of five minutes with the scopes of the role, which names the session as its grant', async () => {
    const { browser, workspaceId, people } = await withMembers('viewer')
    const [viewer] = people as [(typeof people)[number]]
    expect((await change(browser, viewer.userId, 'member')).status).toBe(200)
    const made = await viewer.browser.write('/v1/session/token', { method: 'POST' })
    const scope = scopesOfRole('member').join(' ')
    expect([made.status, made.headers.get('cache-control'), made.json]).toEqual([
      ...[200, 'no-store'],
      { access_token: expect.any(String), token_type: 'Bearer', expires_in: 300, scope },
    ])
    const [head, claims] = made.json.access_token
      .split('.', 2)
      .map((part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()))
    const { rows } = await auth.admin.query('select session_id from auth.sessions where user_id = $1', [viewer.userId])
    expect([head.alg, head.typ, claims.exp - claims.iat]).toEqual(['ES256', 'at+jwt', 300])
    expect(claims).toMatchObject({
      sub: viewer.userId,
      client_id: 'console',
      scope,
      workspace_id: workspaceId,
      member_rev: 2,
      grant_id: rows[0].session_id,
    })
  })

  test('all sessions of the person end at once', async () => {
    const { owner, browser } = await auth.ownedWorkspace()
    const second = await auth.signedIn(owner.userId)
    expect((await browser.write('/v1/session/end-all', { method: 'POST' })).status).toBe(204)
    for (const ended of [browser, second]) expect((await ended.call('/v1/session')).status).toBe(401)
  })
})
