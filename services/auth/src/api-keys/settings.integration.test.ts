// The settings API of keys over HTTP, as the pages of an owner use it.
import { hash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { apiKeyPattern } from '@wds/access/api-key'
import type { Role } from '@wds/contracts/roles'
import { type AuthService, type Browser, type Call, startAuth } from '../auth-service.fixture.ts'
import { findKeyByDigest } from './store-digests.ts'

let auth: AuthService
beforeAll(async () => {
  auth = await startAuth()
})
afterAll(() => auth?.stop())

const path = '/v1/api-keys'
const newKey = { name: 'importer', scopes: ['stats:read', 'campaigns:write'], expires_in_days: 30 }
const callFrom =
  (browser: Browser) =>
  (at: string, o: Call = {}) =>
    o.method === undefined && o.body === undefined ? browser.call(at, o) : browser.write(at, o)
async function signedIn() {
  const { workspaceId, browser, owner } = await auth.ownedWorkspace()
  return { workspaceId, owner, call: callFrom(browser) }
}
const dayMs = 86_400_000
const isAbout = (instant: string, ms: number) => Math.abs(Date.parse(instant) - ms) < 60_000

describe('a key', () => {
  test('is shown once, and afterwards by its first and last characters alone', async () => {
    const { call, owner } = await signedIn()
    const { status, json, headers } = await call(path, { body: newKey })
    expect([status, headers.get('cache-control'), headers.get('location')]).toEqual([
      201,
      'no-store',
      `${path}/${json.id}`,
    ])
    const { api_key: key, ...shown } = json
    expect(key).toMatch(new RegExp(`^${apiKeyPattern.replaceAll('\\b', '')}$`))
    expect(shown).toMatchObject({
      object: 'api_key',
      name: 'importer',
      scopes: newKey.scopes,
      cidrs: [],
      status: 'live',
      version: 1,
      prefix: key.slice(0, 13),
      last4: key.slice(-4),
      creator: owner.userId,
      previous_ends: null,
    })
    expect(isAbout(shown.expires, Date.now() + 30 * dayMs)).toBe(true)
    expect((await call(`${path}/${shown.id}`)).json).toEqual(shown)
    const { data } = (await call(path)).json
    expect(data.map(({ name }: { name: string }) => name)).toEqual(['importer', 'first'])
    expect(data[1].creator).toBeNull()
    const { rows } = await auth.admin.query<{ text: string }>('select e::text as text from auth.stream_events e')
    expect(rows.filter(({ text }) => text.includes(key)).length + Number(auth.log.join('').includes(key))).toBe(0)
  })

  test('never ends where that is asked for', async () => {
    const { call } = await signedIn()
    expect((await call(path, { body: { ...newKey, expires_in_days: null } })).json.expires).toBeNull()
  })

  test.each([
    ['no name', { name: undefined }, '/name'],
    ['no scopes', { scopes: [] }, '/scopes'],
    ['scopes that nobody chose', { scopes: undefined }, '/scopes'],
    ['an unknown scope', { scopes: ['stats:write'] }, '/scopes/0'],
    ['no end that was chosen', { expires_in_days: undefined }, '/expires_in_days'],
    ['an end after 31 days', { expires_in_days: 31 }, '/expires_in_days'],
    ['what is no range', { cidrs: ['10.0.0.0/8', '10.0.0.0/33'] }, '/cidrs/1'],
    ['a host name', { cidrs: ['example.com'] }, '/cidrs/0'],
    ['21 ranges', { cidrs: Array.from({ length: 21 }, (_, at) => `10.0.${at}.0/24`) }, '/cidrs'],
    ['a range twice', { cidrs: ['::/0', '::/0'] }, '/cidrs'],
    ['an unknown field', { digest: 'x' }, '/digest'],
  ])('with %s is 422 with a pointer', async (_what, change, pointer) => {
    const { call } = await signedIn()
    const { status, json } = await call(path, { body: { ...newKey, ...change } })
    expect([status, json.errors.map((fault: { pointer: string }) => fault.pointer)]).toEqual([422, [pointer]])
  })

  test('takes 20 ranges of both families', async () => {
    const { call } = await signedIn()
    const cidrs = Array.from({ length: 20 }, (_, at) => (at % 2 ? `2001:db8:${at}::/48` : `10.0.${at}.0/24`))
    expect((await call(path, { body: { ...newKey, cidrs } })).json.cidrs).toEqual(cidrs)
  })

  test('changes name, scopes and ranges; what is left out stays', async () => {
    const { call } = await signedIn()
    const { json } = await call(path, { body: { ...newKey, cidrs: ['10.0.0.0/8'] } })
    const one = `${path}/${json.id}`
    const patch = (body: object, headers = {}) => call(one, { method: 'PATCH', body, headers })
    expect((await patch({ scopes: ['stats:read'] })).json).toMatchObject({
      scopes: ['stats:read'],
      name: 'importer',
      cidrs: ['10.0.0.0/8'],
      version: 2,
    })
    expect((await patch({ cidrs: null, name: 'other' })).json).toMatchObject({ cidrs: [], name: 'other', version: 3 })
    expect((await patch({ name: 'other' })).json.version).toBe(3)
    expect((await patch({ name: 'third' }, { 'if-match': '"v1"' })).status).toBe(412)
    expect((await patch({ cidrs: ['x'] })).json.errors[0].pointer).toBe('/cidrs/0')
    for (const body of [{ scopes: [] }, { expires: null }, { prefix: 'x' }])
      expect((await patch(body)).status).toBe(422)
  })

  test('is revoked for good, and shown as revoked', async () => {
    const { call } = await signedIn()
    const { json } = await call(path, { body: newKey })
    const one = `${path}/${json.id}`
    expect((await call(one, { method: 'DELETE' })).status).toBe(204)
    expect((await call(one)).json.status).toBe('revoked')
    for (const o of [{ method: 'DELETE' }, { method: 'PATCH', body: { name: 'x' } }]) {
      const { status, json: problem } = await call(one, o)
      expect([status, problem.code, problem.current_status]).toEqual([409, 'invalid_state', 'revoked'])
    }
    expect((await call(`${one}/rotate`, { method: 'POST' })).json.code).toBe('invalid_state')
  })

  test('is the 50th of its workspace, not the 51st, however many are made at once', async () => {
    const { call } = await signedIn()
    const answers = await Promise.all(Array.from({ length: 52 }, () => call(path, { body: newKey })))
    // One was made with the workspace.
    expect(answers.filter(({ status }) => status === 201).length).toBe(49)
    const refused = answers.filter(({ status }) => status !== 201)
    expect(refused.map(({ status, json }) => [status, json.code])).toEqual(Array(3).fill([409, 'limit_reached']))
    const made = answers.find(({ status }) => status === 201)
    await call(`${path}/${made?.json.id}`, { method: 'DELETE' })
    expect((await call(path, { body: newKey })).status).toBe(201)
  })
})

test('the keys that somebody made are listed by their creator, before that person is removed: they stay', async () => {
  const { workspaceId, call, owner } = await signedIn()
  const admin = await auth.makePerson()
  await auth.join(workspaceId, admin.userId, 'admin')
  const callAsAdmin = callFrom(await auth.signedIn(admin.userId, workspaceId))
  await call(path, { body: newKey })
  const { json: made } = await callAsAdmin(path, { body: newKey })
  const listed = async (creator: string) =>
    (await call(`${path}?creator=${creator}`)).json.data.map(({ id }: { id: string }) => id)
  expect([await listed(admin.userId), (await listed(owner.userId)).length]).toEqual([[made.id], 1])
  expect((await call(`/v1/members/mbr_${admin.userId.slice(4)}`, { method: 'DELETE' })).status).toBe(204)
  expect(await listed(admin.userId)).toEqual([made.id])
  expect((await call(`${path}?creator=somebody`)).status).toBe(400)
})

describe('a rotation', () => {
  test('gives a new text with the same id and rights, and the older one an end', async () => {
    const { call } = await signedIn()
    const { json } = await call(path, { body: newKey })
    const one = `${path}/${json.id}`
    const { status, json: rotated, headers } = await call(`${one}/rotate`, { method: 'POST' })
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(rotated.api_key).not.toBe(json.api_key)
    expect(rotated).toMatchObject({ id: json.id, scopes: json.scopes, expires: json.expires, version: 2 })
    expect(rotated.last4).toBe(rotated.api_key.slice(-4))
    expect(isAbout(rotated.previous_ends, Date.now() + dayMs)).toBe(true)
    const third = await call(`${one}/rotate`, { body: { overlap_hours: 1 } })
    expect([third.status, third.json.code]).toEqual([409, 'limit_reached'])
    // Whichever leaked: none of before is accepted any more.
    const now = await call(`${one}/rotate`, { body: { overlap_hours: 0 } })
    expect([now.status, now.json.previous_ends]).toEqual([200, null])
    const lives = [json, rotated, now.json].map(({ api_key }) =>
      findKeyByDigest(auth.pool, hash('sha256', api_key, 'hex')),
    )
    expect((await Promise.all(lives)).map((found) => found?.key_id ?? null)).toEqual([null, null, json.id])
  })

  test.each([1, 24, 72])('has an overlap of %s h', async (hours) => {
    const { call } = await signedIn()
    const { json } = await call(path, { body: newKey })
    const rotated = await call(`${path}/${json.id}/rotate`, { body: { overlap_hours: hours } })
    expect(isAbout(rotated.json.previous_ends, Date.now() + hours * 3_600_000)).toBe(true)
  })

  test('has no other overlap, and none has no end to show', async () => {
    const { call } = await signedIn()
    const { json } = await call(path, { body: newKey })
    expect((await call(`${path}/${json.id}/rotate`, { body: { overlap_hours: 2 } })).status).toBe(422)
    expect((await call(`${path}/${json.id}/rotate`, { body: { overlap_hours: 0 } })).json.previous_ends).toBeNull()
  })
})

describe('who may', () => {
  test.each<Role>(['member', 'viewer'])('a %s sees no keys and makes none', async (role) => {
    const { workspaceId } = await signedIn()
    const { userId } = await auth.makePerson()
    await auth.join(workspaceId, userId, role)
    const call = callFrom(await auth.signedIn(userId, workspaceId))
    for (const o of [{}, { body: newKey }]) expect((await call(path, o)).json.code).toBe('role_not_allowed')
  })

  test('an admin makes keys', async () => {
    const { workspaceId } = await signedIn()
    const { userId } = await auth.makePerson()
    await auth.join(workspaceId, userId, 'admin')
    const { status, json } = await callFrom(await auth.signedIn(userId, workspaceId))(path, { body: newKey })
    expect([status, json.creator]).toEqual([201, userId])
  })

  test('B9: a key makes no key', async () => {
    const { call } = await signedIn()
    const { json } = await call(path, { body: newKey })
    const headers = { authorization: `Bearer ${json.api_key}` }
    expect((await auth.browser().call(path, { headers })).json.code).toBe('session_required')
  })

  test('XO08: a key of another workspace is 404 on every route', async () => {
    const [mine, other] = [await signedIn(), await signedIn()]
    const { json } = await mine.call(path, { body: newKey })
    const one = `${path}/${json.id}`
    const answers = [
      await other.call(one),
      await other.call(one, { method: 'PATCH', body: { name: 'x' } }),
      await other.call(one, { method: 'DELETE' }),
      await other.call(`${one}/rotate`, { method: 'POST' }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404])
    expect((await mine.call(one)).json).toMatchObject({ status: 'live', version: 1 })
  })
})
