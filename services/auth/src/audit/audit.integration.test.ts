import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { newId } from '@wds/aggregate/new-id'
import { PoisonRecord } from '@wds/event-log/consumer'
import { withTransaction } from '@wds/postgres/transaction'
import { type AuthService, type Browser, startAuth } from '../auth-service.fixture.ts'
import { snakeCase } from './audit.ts'
import { consumeAuditEntries } from './consume-entries.ts'

let auth: AuthService
beforeAll(async () => {
  auth = await startAuth()
})
afterAll(() => auth?.stop())

const read = async (browser: Browser, query = '') => (await browser.call(`/v1/workspace/audit${query}`)).json

test('an entry says when, who, what, on which thing, with which outcome, from where, and in which request', async () => {
  const { workspaceId, owner, browser } = await auth.ownedWorkspace()
  const changed = await browser.write('/v1/workspace', {
    method: 'PATCH',
    body: { name: 'After' },
    headers: { 'user-agent': 'a browser' },
  })
  const [entry] = (await read(browser)).data
  expect(entry).toEqual({
    object: 'audit_entry',
    id: expect.stringMatching(/^aud_/),
    created: expect.stringMatching(/Z$/),
    actor: `user:${owner.userId}`,
    action: 'workspace_changed',
    target: workspaceId,
    outcome: 'done',
    address: '127.0.0.1',
    user_agent: 'a browser',
    request_id: changed.headers.get('x-request-id'),
  })
})

test('it is read by pages, newest first, by owners and admins of the workspace alone', async () => {
  const { workspaceId, browser } = await auth.ownedWorkspace()
  const other = await auth.ownedWorkspace()
  for (let nth = 0; nth < 5; nth += 1)
    await browser.write('/v1/workspace', { method: 'PATCH', body: { name: `name ${nth}` } })
  const all = (await read(browser, '?limit=100')).data
  const paged = []
  for (let cursor = ''; ; ) {
    const page = await read(browser, `?limit=2${cursor}`)
    paged.push(...page.data)
    if (!page.has_more) break
    cursor = `&cursor=${page.next_cursor}`
  }
  expect(paged).toEqual(all)
  expect(all.map(({ created }: { created: string }) => created)).toEqual(
    all
      .map(({ created }: { created: string }) => created)
      .sort()
      .reverse(),
  )
  const ids = new Set(all.map(({ id }: { id: string }) => id))
  expect((await read(other.browser)).data.some(({ id }: { id: string }) => ids.has(id))).toBe(false)
  for (const [role, status] of [
    ['admin', 200],
    ['member', 403],
    ['viewer', 403],
  ] as const) {
    const { userId } = await auth.makePerson()
    await auth.join(workspaceId, userId, role)
    expect([role, (await (await auth.signedIn(userId, workspaceId)).call('/v1/workspace/audit')).status]).toEqual([
      role,
      status,
    ])
  }
})

test('regression: that a person ended all sessions is told in every workspace of the person, as each sign-in is', async () => {
  const { owner, browser } = await auth.ownedWorkspace()
  const other = await auth.ownedWorkspace()
  await auth.join(other.workspaceId, owner.userId, 'viewer')
  expect((await browser.write('/v1/session/end-all', { method: 'POST' })).status).toBe(204)
  const { data } = await read(other.browser, '?action=sessions_ended')
  expect(data).toMatchObject([{ actor: `user:${owner.userId}`, target: owner.userId, outcome: 'done' }])
})

test('C51, C55: it is filtered by who, what, on which thing and when; a cursor goes with its filters', async () => {
  const { owner, browser, workspaceId } = await auth.ownedWorkspace()
  const [admin, other] = [await auth.makePerson(), await auth.makePerson()]
  for (const { userId } of [admin, other]) await auth.join(workspaceId, userId, 'admin')
  const second = await auth.signedIn(admin.userId, workspaceId)
  for (const [of, name] of [
    [browser, 'a'],
    [second, 'b'],
    [browser, 'c'],
  ] as const)
    await of.write('/v1/workspace', { method: 'PATCH', body: { name } })
  const all: { actor: string; action: string; target: string; created: string; id: string }[] = (await read(browser))
    .data
  const [actor, target] = [`user:${owner.userId}`, `mbr_${other.userId.slice(4)}`]
  const middle = all[Math.floor(all.length / 2)]?.created ?? ''
  for (const [query, holds] of [
    [`actor=${actor}`, (one: (typeof all)[number]) => one.actor === actor],
    ['action=workspace_changed', (one) => one.action === 'workspace_changed'],
    [`target=${target}`, (one) => one.target === target],
    [`actor=${actor}&action=workspace_changed`, (one) => one.actor === actor && one.action === 'workspace_changed'],
    [`created[gte]=${middle}`, (one) => one.created >= middle],
    [`created[lt]=${middle}`, (one) => one.created < middle],
    ['action=nothing', () => false],
  ] as [string, (one: (typeof all)[number]) => boolean][]) {
    const found = (await read(browser, `?${query}`)).data
    expect([query, found]).toEqual([query, all.filter(holds)])
  }
  const page = await read(browser, '?action=workspace_changed&limit=2')
  expect([page.data.length, page.has_more]).toEqual([2, true])
  const rest = await read(browser, `?action=workspace_changed&limit=2&cursor=${page.next_cursor}`)
  expect([...page.data, ...rest.data].map(({ action }) => action)).toEqual([
    'workspace_changed',
    'workspace_changed',
    'workspace_changed',
  ])
  expect((await read(browser, `?actor=${actor}&cursor=${page.next_cursor}`)).code).toBe('invalid_cursor')
})

test('what another service tells is an entry of its workspace, once, and what is no entry is poison', async () => {
  const { workspaceId, owner, browser } = await auth.ownedWorkspace()
  const other = await auth.ownedWorkspace()
  const take = (data: unknown) => {
    const payload = Buffer.from(JSON.stringify({ id: 'evt_1', type: 'AuditEntryMade', data }))
    const place = { topic: 'audit.entries', partition: 0, offset: 0n, key: workspaceId, eventId: 'evt_1', headers: {} }
    const record = { ...place, payload }
    return withTransaction(auth.worker, { workspaceId: null }, (tx) => consumeAuditEntries(tx, [record, record]))
  }
  const entry = {
    entry_id: newId('aud', Date.now()),
    workspace_id: workspaceId,
    done: '2026-11-01T10:00:00.000Z',
    actor: `user:${owner.userId}`,
    action: 'workspace_settings_changed',
    target: workspaceId,
    address: '203.0.113.7',
    user_agent: null,
    request_id: 'req_1',
  }
  await take(entry)
  await take(entry)
  const { target, done, entry_id: id, workspace_id: _, ...same } = entry
  expect((await read(browser, '?action=workspace_settings_changed')).data).toEqual([
    { object: 'audit_entry', id, created: done, target, outcome: 'done', ...same },
  ])
  expect((await read(other.browser, '?action=workspace_settings_changed')).data).toEqual([])
  for (const bad of [null, {}, { ...entry, actor: '' }, { ...entry, done: 'soon' }, { ...entry, address: 7 }])
    await expect(take(bad)).rejects.toThrow(PoisonRecord)
})

test.each([
  ['MemberAdded', 'member_added'],
  ['OAuthAppRegistered', 'oauth_app_registered'],
  ['ApiKeyCreated', 'api_key_created'],
])('the event %s is the action %s', (type, action) => expect(snakeCase(type)).toBe(action))
