import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type AuthService, hiddenOf, startAuth } from '../auth-service.fixture.ts'

let auth: AuthService
beforeAll(async () => {
  auth = await startAuth()
})
afterAll(() => auth?.stop())

const operate = (path: string, body: object) => auth.operate(path, { body })

async function signIn(email: string, password: string) {
  const browser = auth.browser()
  const page = await browser.call('/sign-in')
  const answer = await browser.submit('/sign-in', { ...hiddenOf(page), email, password })
  return { browser, status: answer.status }
}

const told = async (workspaceId: string, type: string) => {
  const { rows } = await auth.admin.query(
    `select payload from auth.outbox where workspace_id = $1 and headers ->> 'event_type' = $2`,
    [workspaceId, type],
  )
  return rows.map(({ payload }) => JSON.parse(String(payload)).data)
}

describe('the workspace', () => {
  test('an owner or admin changes name, slug and strict_event_scopes; members see it; the log tells what changed', async () => {
    const { workspaceId, browser } = await auth.ownedWorkspace({ name: 'Before' })
    const patch = { name: 'After', slug: 'after-1', strict_event_scopes: true }
    const changed = await browser.write('/v1/workspace', { method: 'PATCH', body: patch })
    expect([changed.status, changed.json, changed.headers.get('etag')]).toEqual([
      ...[200, expect.objectContaining({ ...patch, id: workspaceId, version: 2 }), '"v2"'],
    ])
    expect(await told(workspaceId, 'WorkspaceChanged')).toEqual([{ workspace_id: workspaceId, ...patch }])
    const viewer = await auth.makePerson()
    await auth.join(workspaceId, viewer.userId, 'viewer')
    const asViewer = await auth.signedIn(viewer.userId, workspaceId)
    expect((await asViewer.call('/v1/workspace')).json).toMatchObject(patch)
    const refused = await asViewer.write('/v1/workspace', { method: 'PATCH', body: { name: 'x' } })
    expect([refused.status, refused.json.code]).toEqual([403, 'role_not_allowed'])
    expect(refused.json.detail).toMatch(/^This needs the role owner or admin\. Your role is viewer\.$/)
    const stale = await browser.write('/v1/workspace', {
      method: 'PATCH',
      body: { name: 'x' },
      headers: { 'if-match': '"v1"' },
    })
    expect(stale.status).toBe(412)
    const slug = await browser.write('/v1/workspace', { method: 'PATCH', body: { slug: 'Not A Slug' } })
    expect([slug.status, slug.json.errors]).toEqual([
      422,
      [
        expect.objectContaining({
          pointer: '/slug',
          detail: expect.stringContaining('small letters, digits and hyphens'),
        }),
      ],
    ])
    for (const field of ['plan', 'id', 'version']) {
      const set = await browser.write('/v1/workspace', { method: 'PATCH', body: { [field]: 'enterprise' } })
      expect([set.status, set.json.code]).toEqual([422, 'unknown_field'])
    }
  })

  test('only an owner deletes it; then nobody finds it, and the log tells of its end', async () => {
    const { workspaceId, browser } = await auth.ownedWorkspace()
    const admin = await auth.makePerson()
    await auth.join(workspaceId, admin.userId, 'admin')
    const asAdmin = await auth.signedIn(admin.userId, workspaceId)
    expect((await asAdmin.write('/v1/workspace', { method: 'DELETE' })).json.code).toBe('role_not_allowed')
    expect((await browser.write('/v1/workspace', { method: 'DELETE' })).status).toBe(204)
    expect(await told(workspaceId, 'WorkspaceDeleted')).toEqual([{ workspace_id: workspaceId }])
    for (const person of [browser, asAdmin])
      expect((await person.call('/v1/session')).json.code).toBe('role_not_allowed')
    expect((await operate(`/internal/workspaces/${workspaceId}/plan`, { plan: 'free' })).status).toBe(404)
  })
})

describe('the operator', () => {
  test('makes a workspace with an owner who signs in with the password', async () => {
    const owner = { email: 'first@example.test', name: 'First', password: 'a password of first' }
    const made = await operate('/internal/workspaces', { name: 'Acme', owner })
    expect([made.status, made.json]).toEqual([
      201,
      expect.objectContaining({ user_id: expect.stringMatching(/^usr_/) }),
    ])
    const { browser, status } = await signIn(owner.email, owner.password)
    expect(status).toBe(303)
    expect((await browser.call('/v1/session')).json).toMatchObject({
      role: 'owner',
      user: { name: 'First' },
      workspace: { id: made.json.workspace_id },
    })
  })

  test('without a password it is an invitation, whose page begins with the owner', async () => {
    const made = await operate('/internal/workspaces', { name: 'Acme', owner: { email: 'second@example.test' } })
    const { pathname } = new URL(made.json.invitation_link)
    const visitor = auth.browser()
    const page = await visitor.call(pathname)
    expect(page.text).toContain('second@example.test')
    const password = 'a password of second'
    const fields = {
      name: 'Second',
      email: 'second@example.test',
      new_password: password,
      new_password_again: password,
    }
    expect((await visitor.submit(pathname, { ...hiddenOf(page), ...fields })).status).toBe(303)
    expect((await visitor.call('/v1/session')).json).toMatchObject({
      role: 'owner',
      workspace: { id: made.json.workspace_id },
    })
  })

  test('regression: whoever has taken an address is not made an owner by it', async () => {
    const taker = await auth.makePerson({ email: 'chief@victim.test' })
    const made = await operate('/internal/workspaces', { name: 'Victim', owner: { email: taker.email, name: 'Chief' } })
    expect([made.status, made.json.user_id]).toEqual([201, undefined])
    expect(new URL(made.json.invitation_link).pathname).toMatch(/^\/invitations\//)
    expect((await (await auth.signedIn(taker.userId)).call('/v1/session')).json.code).toBe('role_not_allowed')
  })

  test('gives a further owner: who has an account keeps the password and joins by a link; it can be repeated', async () => {
    const { workspaceId } = await auth.ownedWorkspace()
    const person = await auth.makePerson()
    const path = `/internal/workspaces/${workspaceId}/owners`
    const given = { email: person.email, password: 'another password' }
    const made = await operate(path, given)
    expect([made.status, made.json]).toEqual([202, { invitation_link: expect.any(String) }])
    const before = await (await auth.signedIn(person.userId)).call('/v1/session')
    expect(before.json.code).toBe('role_not_allowed')
    const { pathname } = new URL(made.json.invitation_link)
    const signedIn = await auth.signedIn(person.userId)
    expect((await signedIn.submit(pathname, hiddenOf(await signedIn.call(pathname)))).status).toBe(303)
    expect(await operate(path, given)).toMatchObject({ status: 200, json: { user_id: person.userId } })
    expect((await signedIn.call('/v1/session')).json).toMatchObject({ role: 'owner', workspace: { id: workspaceId } })
    expect([
      (await signIn(person.email, given.password)).status,
      (await signIn(person.email, person.password)).status,
    ]).toEqual([422, 303])
    expect((await operate(`/internal/workspaces/wsp_${'0'.repeat(26)}/owners`, given)).status).toBe(404)
  })

  test('regression: a member of a weaker role is not told to be an owner, and is one once the link was used', async () => {
    const { workspaceId } = await auth.ownedWorkspace()
    const person = await auth.makePerson()
    await auth.join(workspaceId, person.userId, 'viewer')
    const made = await operate(`/internal/workspaces/${workspaceId}/owners`, { email: person.email })
    expect([made.status, Object.keys(made.json)]).toEqual([202, ['invitation_link']])
    const signedIn = await auth.signedIn(person.userId, workspaceId)
    expect((await signedIn.call('/v1/session')).json.role).toBe('viewer')
    const { pathname } = new URL(made.json.invitation_link)
    const page = await signedIn.call(pathname)
    expect((await signedIn.submit(pathname, hiddenOf(page))).status).toBe(303)
    expect((await signedIn.call('/v1/session')).json.role).toBe('owner')
    expect(await told(workspaceId, 'MemberRoleChanged')).toEqual([
      { workspace_id: workspaceId, user_id: person.userId, member_rev: 2, role: 'owner' },
    ])
  })

  test.each([
    [{ email: 'no address' }],
    [{ email: 'a@example.test', password: 'short' }],
    [{ email: 'a@example.test', password: '1qaz2wsx3edc' }],
    [{ email: 'a@example.test', name: 'a\u202eb' }],
    [{}],
  ])('makes nothing with the owner %j', async (owner) => {
    const { rows } = await auth.admin.query('select count(*)::int as n from auth.workspaces')
    expect((await operate('/internal/workspaces', { name: 'Acme', owner })).status).toBe(422)
    expect((await auth.admin.query('select count(*)::int as n from auth.workspaces')).rows).toEqual(rows)
  })

  test('sets the plan, which no member can', async () => {
    const { workspaceId, browser } = await auth.ownedWorkspace({ plan: 'free' })
    const changed = await operate(`/internal/workspaces/${workspaceId}/plan`, { plan: 'business' })
    expect([changed.status, changed.json.plan]).toEqual([200, 'business'])
    expect((await browser.call('/v1/workspace')).json.plan).toBe('business')
    expect(await told(workspaceId, 'WorkspacePlanChanged')).toEqual([{ workspace_id: workspaceId, plan: 'business' }])
    expect((await browser.call(`/internal/workspaces/${workspaceId}/plan`, { body: { plan: 'free' } })).status).toBe(
      404,
    )
  })
})
