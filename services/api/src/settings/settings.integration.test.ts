// A workspace's settings through the public door (domain.md 3.1).

import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { idTimeMs } from '@wds/contracts/ids'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { type Fixture, startFixture } from '../api-service.fixture.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture()
})
afterAll(() => fixture?.stop())

const read = (as?: 'b') => fixture.call('GET', '/v1/settings', as ? { as } : {})
const change = (
  json: object,
  o: { as?: 'owner' | 'admin' | 'member' | 'viewer' | 'app' | 'a'; ifMatch?: string } = {},
) =>
  fixture.call(
    'PATCH',
    '/v1/settings',
    withoutUndefined({
      as: o.as ?? 'owner',
      json,
      headers: o.ifMatch === undefined ? undefined : { 'if-match': o.ifMatch },
    }),
  )

test('C40: what nobody has changed is version 1, as old as its workspace, and stays so by a change of nothing', async () => {
  const { body, headers } = await read('b')
  const created = new Date(idTimeMs(fixture.workspaces.b)).toISOString()
  const defaults = { time_zone: 'UTC', base_currency: 'EUR', max_wait_hours: 36, anomaly_detection: true, issuer: null }
  expect(body).toEqual({ object: 'workspace_settings', created, updated: created, version: 1, ...defaults })
  expect(headers.get('etag')).toBe('"v1"')
  expect((await change({ time_zone: 'utc', max_wait_hours: null })).body.version).toBe(1)
  const { rows } = await fixture.adminPool.query('select 1 from api.workspace_settings')
  expect(rows).toEqual([])
})

test('C41: an owner and an admin change them, each by the version that they saw, and everybody is told who did', async () => {
  const first = await change({ time_zone: 'europe/malta', anomaly_detection: false }, { ifMatch: '"v1"' })
  expect([first.status, first.headers.get('etag')]).toEqual([200, '"v2"'])
  expect(first.body).toMatchObject({ time_zone: 'Europe/Malta', anomaly_detection: false, base_currency: 'EUR' })
  const late = await change({ time_zone: 'Asia/Tokyo' }, { as: 'admin', ifMatch: '"v1"' })
  expect([late.status, late.body.code]).toEqual([412, 'precondition_failed'])
  const second = await change({ base_currency: 'JPY', anomaly_detection: null }, { as: 'admin', ifMatch: '"v2"' })
  expect(second.body).toMatchObject({ version: 3, base_currency: 'JPY', anomaly_detection: true })
  expect((await read()).body).toEqual(second.body)
  expect((await read('b')).body.version).toBe(1)

  const { rows } = await fixture.adminPool.query(
    `select payload, (select actor from api.stream_events e where e.event_id = o.event_id) as actor
       from api.outbox o where topic = 'workspace.events' order by event_id`,
  )
  const told = rows.map(({ payload, actor }) => ({ ...JSON.parse(payload.toString()), actor }))
  expect(told.map(({ type, data, actor }) => ({ type, ...data, actor }))).toEqual([
    {
      type: 'workspace.updated',
      actor: 'user:usr_owner',
      changed: ['time_zone', 'anomaly_detection'],
      time_zone: 'Europe/Malta',
      base_currency: 'EUR',
    },
    {
      type: 'workspace.updated',
      actor: 'user:usr_admin',
      changed: ['base_currency', 'anomaly_detection'],
      time_zone: 'Europe/Malta',
      base_currency: 'JPY',
    },
  ])
})

test('auth.md 4.6: each change is an entry for the audit log, from where it came; what changes nothing or is refused is none', async () => {
  const entries = async () => {
    const { rows } = await fixture.adminPool.query(
      `select key, payload from api.outbox where topic = 'audit.entries' order by id`,
    )
    return rows.map(({ key, payload }) => ({ key, ...JSON.parse(payload.toString()).data }))
  }
  const before = (await entries()).length
  const changed = await change({ time_zone: 'Asia/Tokyo', base_currency: 'SEK' })
  expect((await change({ time_zone: 'Asia/Tokyo' })).status).toBe(200)
  expect((await change({ time_zone: 'Europe/Malta' }, { as: 'member' })).status).toBe(403)
  expect((await entries()).slice(before)).toEqual([
    {
      key: fixture.workspaces.a,
      workspace_id: fixture.workspaces.a,
      target: fixture.workspaces.a,
      entry_id: expect.stringMatching(/^aud_/),
      done: expect.stringMatching(/Z$/),
      actor: 'user:usr_owner',
      action: 'workspace_settings_changed',
      request_id: changed.headers.get('x-request-id'),
      address: '127.0.0.1',
      user_agent: 'node',
    },
  ])
})

test.each([
  ['member', 'role_not_allowed'],
  ['viewer', 'role_not_allowed'],
  ['app', 'session_required'],
  ['a', 'session_required'],
] as const)('XS: a token of %s changes nothing, whatever its scopes: %s', async (as, code) => {
  const before = (await read()).body
  const refused = await change({ time_zone: 'Asia/Tokyo' }, { as })
  expect([refused.status, refused.body.code]).toEqual([403, code])
  expect((await read()).body).toEqual(before)
})

test('C05, C11: all that is wrong is told at once, and nothing is changed', async () => {
  const before = (await read()).body
  const refused = await change({ time_zone: 'GMT+2', base_currency: 'EURO' })
  expect([refused.status, refused.body.errors]).toEqual([422, [expect.objectContaining({ pointer: '/base_currency' })]])
  const unknown = await change({ time_zone: 'GMT+2', base_currency: 'XXQ' })
  const codes = (unknown.body.errors as { pointer: string; code: string }[]).map(({ pointer, code }) => [pointer, code])
  expect([unknown.status, codes]).toEqual([
    422,
    [
      ['/time_zone', 'unknown_time_zone'],
      ['/base_currency', 'unknown_currency'],
    ],
  ])
  expect((await change({ max_wait_hours: 11 })).body.code).toBe('out_of_range')
  expect((await change({ plan: 'pro' })).body.code).toBe('unknown_field')
  expect((await read()).body).toEqual(before)
})

test('C41: of two first changes at once by one version, one is made', async () => {
  const patch = (max_wait_hours: number) =>
    fixture.call('PATCH', '/v1/settings', { as: 'owner_b', json: { max_wait_hours }, headers: { 'if-match': '"v1"' } })
  const answers = await Promise.all([20, 30, 40].map(patch))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412])
  expect((await read('b')).body.version).toBe(2)
})
