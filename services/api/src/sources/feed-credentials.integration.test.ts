// Credentials of feeds, through the public door: where they are sent, who sees them, and when they end.
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { credentials, type FakeSource, startFakeSource } from '@wds/fake-source/fake-source'
import { createPool, type Pool } from '@wds/postgres/pool'
import type { Answer, Fixture } from '../api-service.fixture.ts'
import { scheduleOnce } from '../schedules/scheduler.ts'
import { workOnce } from '../sync-work/worker.ts'
import { asOfMs, dayMs, type FeedRig, startFeedRig, window } from './feed-rig.fixture.ts'

let rig: FeedRig
let fixture: Fixture
let source: FakeSource
const pools: Pool[] = []
beforeAll(async () => {
  rig = await startFeedRig()
  ;({ fixture, source } = rig)
})
afterEach(() => rig.restore())
afterAll(async () => {
  for (const pool of pools) await pool.end()
  await rig?.stop()
})

describe('credentials', () => {
  const secrets = {
    bearer: { token: credentials.token },
    basic: { username: credentials.username, password: credentials.password },
    header: credentials.header,
  }
  test.each(['bearer', 'basic', 'header'] as const)(
    'of auth %s open the door and are shown to nobody',
    async (auth) => {
      const settings = rig.csvSettings({ url: rig.at('daily.csv', auth), auth })
      const json = { name: 'Secret', brand_slug: 'acme', provider: 'http_csv', schedule: null, settings }
      const headers = { 'idempotency-key': `make-${auth}` }
      const made = await fixture.call('POST', '/v1/integrations', {
        json: { ...json, credentials: secrets[auth] },
        headers,
      })
      expect([made.status, made.body.credentials]).toEqual([
        201,
        { set: true, fingerprint: expect.stringMatching(/^…[0-9a-f]{4}$/), updated: expect.any(String), expires: null },
      ])
      const id = String(made.body.id)
      expect(await rig.run(id)).toMatchObject({ status: 'succeeded', rows_rejected: 0 })
      expect(await rig.totals(id)).toEqual(rig.expected())
      const shown = [made.text, (await fixture.call('GET', `/v1/integrations/${id}`)).text]
      const { rows } = await fixture.adminPool.query(dumpSql)
      for (const text of [...shown, ...rows.map(({ text: one }) => String(one))]) {
        for (const secret of [credentials.token, credentials.password, credentials.header.value]) {
          expect(text.includes(secret)).toBe(false)
          // Bytes are shown in hexadecimal digits.
          expect(text.includes(Buffer.from(secret).toString('hex'))).toBe(false)
        }
      }
    },
  )

  test('that are wrong break the integration and are told of once; others are tried at once', async () => {
    const settings = rig.csvSettings({ url: rig.at('daily.csv', 'bearer'), auth: 'bearer' })
    const id = await rig.feed('http_csv', settings, { credentials: { token: 'wrong' } })
    await rig.run(id)
    await rig.run(id)
    expect(await rig.status(id)).toEqual(['broken', 'invalid_credentials'])
    const events = async () => {
      const { rows } = await fixture.workerPool.query<{ payload: Buffer }>('select payload from outbox order by id')
      return rows
        .map(({ payload }) => JSON.parse(payload.toString()))
        .filter(({ data }) => data.integration_id === id)
        .map(({ type }) => type)
    }
    expect((await events()).filter((type) => type === 'integration.credentials_expired')).toHaveLength(1)
    const before = (await fixture.call('GET', `/v1/integrations/${id}`)).body.credentials as { fingerprint: string }
    const changed = await fixture.call('PATCH', `/v1/integrations/${id}`, {
      json: { credentials: { token: credentials.token } },
    })
    expect(changed.body).toMatchObject({ version: expect.any(Number), credentials: { set: true } })
    expect((changed.body.credentials as { fingerprint: string }).fingerprint).not.toBe(before.fingerprint)
    expect(changed.text).not.toContain(credentials.token)
    while (await scheduleOnce({ ...fixture.worker, attemptsMax: 1 }));
    await rig.work()
    expect(await rig.status(id)).toEqual(['active', null])
    const last = (await events()).slice(-4)
    expect(last).toEqual(['integration.updated', 'sync.started', 'sync.completed', 'integration.restored'])
  })

  test('go to the origin that they were given for, and to no other', async () => {
    const other = await startFakeSource({ asOfMs })
    try {
      const settings = rig.csvSettings({ url: rig.at('daily.csv', 'bearer'), auth: 'bearer' })
      const id = await rig.feed('http_csv', settings, { credentials: { token: credentials.token } })
      const moved = { settings: { url: `${other.url}/bearer/daily.csv?from={from}&to={to}` } }
      const patch = (json: object) => fixture.call('PATCH', `/v1/integrations/${id}`, { json })
      const refused = await patch(moved)
      expect([refused.status, refused.body.errors]).toMatchObject([422, [{ pointer: '/credentials' }]])
      expect((await patch({ settings: { auth: 'basic' } })).status).toBe(422)
      expect((await patch({ credentials: null })).status).toBe(422)
      expect((await patch({ settings: { url: rig.at('linked.csv', 'bearer') } })).status).toBe(200)
      expect((await patch({ ...moved, credentials: { token: credentials.token } })).status).toBe(200)
      expect((await patch({ settings: { auth: 'none' } })).body.credentials).toMatchObject({ set: false })
      const { rows } = await fixture.adminPool.query(
        'select 1 from api.integration_credentials where integration_id = $1',
        [id],
      )
      expect(rows).toEqual([])
      expect(other.requests).toEqual([])
    } finally {
      await other.close()
    }
  })

  test('and address that are corrected while a run waits are those of its next attempt', async () => {
    const settings = rig.csvSettings({ url: rig.at('daily.csv', 'bearer'), auth: 'bearer' })
    const id = await rig.feed('http_csv', settings, { credentials: { token: credentials.token } })
    source.setFault({ mode: 'error' })
    const asked = await fixture.call('POST', `/v1/integrations/${id}/sync-runs`, { json: { window } })
    const o = { ...fixture.worker, retryDelaysMs: [600_000], signal: new AbortController().signal }
    await workOnce(o)
    expect((await fixture.call('GET', `/v1/sync-runs/${asked.body.id}`)).body.status).toBe('retry_wait')
    source.setFault(null)
    const json = { settings: { url: rig.at('daily.csv', 'header'), auth: 'header' }, credentials: credentials.header }
    expect((await fixture.call('PATCH', `/v1/integrations/${id}`, { json })).status).toBe(200)
    await fixture.adminPool.query('update api.due_work set due = now() where integration_id = $1', [id])
    await workOnce(o)
    expect((await fixture.call('GET', `/v1/sync-runs/${asked.body.id}`)).body).toMatchObject({ status: 'succeeded' })
    expect(await rig.totals(id)).toEqual(rig.expected())
  })

  test('that do not fit the authentication are refused at their field', async () => {
    const base = { name: 'One', brand_slug: 'acme', provider: 'http_csv', settings: rig.csvSettings({ auth: 'basic' }) }
    const create = (extra: object) => fixture.call('POST', '/v1/integrations', { json: { ...base, ...extra } })
    const pointers = ({ status: code, body }: Answer) => [
      code,
      ((body.errors ?? []) as { pointer: string }[]).map((one) => one.pointer),
    ]
    expect(pointers(await create({}))).toEqual([422, ['/credentials']])
    expect(pointers(await create({ credentials: { username: 'a' } }))).toEqual([422, ['/credentials/password']])
    expect(pointers(await create({ credentials: { username: 'a', password: 'b', token: 'c' } }))).toEqual([
      422,
      ['/credentials/token'],
    ])
    expect(pointers(await create({ credentials: { username: 'a', password: 'b\r\nHost: evil' } }))).toEqual([
      422,
      ['/credentials/password'],
    ])
    const header = { settings: rig.csvSettings({ auth: 'header' }), credentials: { name: 'Cookie', value: 'x' } }
    expect(pointers(await create(header))).toEqual([422, ['/credentials/name']])
    expect(pointers(await create({ provider: 'demo', settings: {}, credentials: { token: 'x' } }))).toEqual([
      422,
      ['/credentials'],
    ])
  })

  test('that end are told of 7 days before, once', async () => {
    const expires = new Date(Date.now() + 8 * dayMs).toISOString()
    const settings = rig.csvSettings({ url: rig.at('daily.csv', 'bearer'), auth: 'bearer' })
    const given = { credentials: { token: credentials.token, expires }, schedule: { every_minutes: 1440 } }
    const id = await rig.feed('http_csv', settings, given)
    const told = async (offsetMs: number) => {
      const url = `${fixture.workerUrl}?options=-c%20app.clock_offset_ms%3D${offsetMs}`
      const pool = createPool({ connectionString: url, applicationName: 'test-later', max: 4 })
      pools.push(pool)
      while (await scheduleOnce({ ...fixture.worker, pool, attemptsMax: 1 }));
      const { rows } = await fixture.workerPool.query<{ payload: Buffer }>('select payload from outbox order by id')
      const events = rows.map(({ payload }) => JSON.parse(payload.toString()))
      return events.filter(({ type, data }) => type === 'integration.credentials_expired' && data.integration_id === id)
    }
    expect(await told(0)).toEqual([])
    expect(await told(2 * dayMs)).toMatchObject([{ data: { expires, provider: 'http_csv' } }])
    expect(await told(3 * dayMs)).toHaveLength(1)
  })
})

/** Every table of the service as text, what Postgres keeps of statements aside. */
const dumpSql = `select (xpath('/row/c/text()', query_to_xml(format('select string_agg(t::text, '' '') as c from api.%I t', table_name), true, true, '')))[1]::text as text
  from information_schema.tables where table_schema = 'api' and table_type = 'BASE TABLE'`
