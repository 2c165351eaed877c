import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type AuthService, hiddenOf, startAuth } from '../auth-service.fixture.ts'

let auth: AuthService
beforeAll(async () => {
  auth = await startAuth()
})
afterAll(() => auth?.stop())

const operate = (command: string, email: string) => auth.operate(`/internal/people/${command}`, { body: { email } })

async function signIn(email: string, password: string): Promise<number> {
  const browser = auth.browser()
  const page = await browser.call('/sign-in')
  return (await browser.submit('/sign-in', { ...hiddenOf(page), email, password })).status
}

const toldOf = async (userId: string) => {
  const { rows } = await auth.admin.query(
    `select headers ->> 'event_type' as type from auth.outbox where key = $1 order by id`,
    [userId],
  )
  return rows.map(({ type }) => type)
}

test('a disabled person has no session, cannot sign in, and is told of on the log; it can be repeated', async () => {
  const { owner, browser } = await auth.ownedWorkspace()
  for (let round = 0; round < 2; round += 1) {
    expect(await operate('disable', owner.email)).toMatchObject({ status: 200, json: { user_id: owner.userId } })
  }
  expect([(await browser.call('/v1/session')).status, await signIn(owner.email, owner.password)]).toEqual([401, 422])
  expect(await toldOf(owner.userId)).toEqual(['UserRegistered', 'SessionStarted', 'SessionEnded', 'UserDisabled'])
  expect((await operate('password-link', owner.email)).status).toBe(404)
  expect((await operate('disable', 'nobody@example.test')).status).toBe(404)
})

test('an erased person leaves every workspace, and nothing in the tables names the person any more, regression: nor an open invitation; the address is free again', async () => {
  const { browser, workspaceId } = await auth.ownedWorkspace()
  const member = await auth.makePerson({ name: 'Somebody Unmistakable' })
  await auth.join(workspaceId, member.userId, 'admin')
  expect(await signIn(member.email, member.password)).toBe(303)
  const elsewhere = await auth.ownedWorkspace()
  const named = { role: 'member', email: member.email.toUpperCase(), name: member.name }
  expect((await elsewhere.browser.write('/v1/members/invitations', { body: named })).status).toBe(201)
  expect((await operate('erase', member.email)).status).toBe(200)
  const open = (await elsewhere.browser.call('/v1/members/invitations')).json.data
  expect(open).toMatchObject([{ role: 'member', email: null, name: null }])
  const members = (await browser.call('/v1/members')).json.data
  expect(members.map(({ role }: { role: string }) => role)).toEqual(['owner'])
  for (const table of [
    'users',
    'invitations',
    'passwords',
    'identities',
    'sessions',
    'audit_log',
    'memberships',
    'stream_events',
    'outbox',
  ]) {
    const { rows } = await auth.admin.query(`select t::text from auth.${table} t`)
    expect([table, JSON.stringify(rows).includes('Unmistakable')]).toEqual([table, false])
    expect([table, JSON.stringify(rows).includes(member.email)]).toEqual([table, false])
  }
  for (const table of ['passwords', 'known_browsers']) {
    const { rowCount } = await auth.admin.query(`select from auth.${table} where user_id = $1`, [member.userId])
    expect([table, rowCount]).toEqual([table, 0])
  }
  await auth.makePerson({ email: member.email })
})

test('the last owner of a workspace is not erased, and nothing of the person is changed', async () => {
  const { owner, browser, workspaceId } = await auth.ownedWorkspace()
  const second = await auth.makeWorkspace()
  await auth.join(second, owner.userId, 'viewer')
  const refused = await operate('erase', owner.email)
  expect([refused.status, refused.json.code, refused.json.detail]).toEqual([
    409,
    'invalid_state',
    expect.stringContaining(workspaceId),
  ])
  const { json } = await browser.call('/v1/session')
  expect(json).toMatchObject({ role: 'owner', workspaces: [{ id: workspaceId }, { id: second }] })
})

test('the operator gives a link for a forgotten password, whatever workspaces the person is in', async () => {
  const { owner } = await auth.ownedWorkspace()
  await auth.join(await auth.makeWorkspace(), owner.userId, 'owner')
  const made = await operate('password-link', owner.email.toUpperCase())
  const { pathname } = new URL(made.json.link)
  const visitor = auth.browser()
  const fields = { new_password: 'chosen by its owner', new_password_again: 'chosen by its owner' }
  const done = await visitor.submit(pathname, { ...hiddenOf(await visitor.call(pathname)), ...fields })
  expect([made.status, done.status, await signIn(owner.email, 'chosen by its owner')]).toEqual([201, 303, 303])
})
