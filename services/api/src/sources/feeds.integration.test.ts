// Feeds of a network that behaves as networks do, through the public door: what is read, what is not believed, what ends within bounds.
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { credentials, type FakeSource, startFakeSource } from '@wds/fake-source/fake-source'
import { networkRows } from '@wds/fake-source/network'
import { createPool, type Pool } from '@wds/postgres/pool'
import { holdsLoopAtMost } from '@wds/telemetry/event-loop'
import { type Answer, type Fixture, startFixture } from '../api-service.fixture.ts'
import { scheduleOnce } from '../schedules/scheduler.ts'
import { workOnce } from '../sync-work/worker.ts'
import type { FeedLimits } from './domain/ingest-limits.ts'
import { addressOf, jsonMapping, csvSettings as settingsOfCsv, jsonSettings as settingsOfJson } from './feed.fixture.ts'

const dayMs = 86_400_000
const day = (ago: number) => new Date(Date.parse('2026-01-25') - ago * dayMs).toISOString().slice(0, 10)
/** The last of these days ended long before the network is asked, so that nothing changes by itself. */
const window = { from: day(20), to: day(14) }
const asOfMs = Date.parse(day(0))

let fixture: Fixture
let source: FakeSource
const pools: Pool[] = []
beforeAll(async () => {
  fixture = await startFixture()
  // Of this seed rows are taken out again between the two instants that are asked at.
  source = await startFakeSource({ asOfMs, seed: 10 })
})
afterEach(() => {
  source.setFault(null)
  source.setAsOf(asOfMs)
})
afterAll(async () => {
  for (const pool of pools) await pool.end()
  await source?.close()
  await fixture?.stop()
})

const at = (report: string, door?: string) => addressOf(source, report, door)
const csvSettings = (extra?: object) => settingsOfCsv(source, extra)
const jsonSettings = (extra?: object) => settingsOfJson(source, extra)

/** An integration without a schedule, whose runs are asked for. */
function feed(provider: 'http_csv' | 'http_json', settings: object, extra: object = {}): Promise<string> {
  return fixture.createIntegration({ name: 'Feed', provider, schedule: null, settings, ...extra })
}

async function work(limits: Partial<FeedLimits> = {}): Promise<void> {
  const worker = { ...fixture.worker, attemptsMax: 1, feedLimits: { ...fixture.worker.feedLimits, ...limits } }
  while (await workOnce({ ...worker, signal: new AbortController().signal }));
}

/** Asks for a run, carries out its attempts, and gives what became of it. */
async function run(id: string, o: { limits?: Partial<FeedLimits>; body?: object } = {}): Promise<Answer['body']> {
  const asked = await fixture.call('POST', `/v1/integrations/${id}/sync-runs`, { json: { window, ...o.body } })
  expect([asked.status, asked.text]).toEqual([202, expect.any(String)])
  await work(o.limits)
  // The attempts after the first wait a moment.
  await fixture.workUntil(async () => {
    const { body } = await fixture.call('GET', `/v1/sync-runs/${asked.body.id}`)
    return ['succeeded', 'failed', 'canceled'].includes(String(body.status))
  })
  return (await fixture.call('GET', `/v1/sync-runs/${asked.body.id}`)).body
}

const metrics = 'clicks,signups,ftds,deposits_amount,ngr,commission'

async function totals(id: string): Promise<unknown> {
  const query = `from=${window.from}&to=${window.to}&metrics=${metrics}&filter[integration]=${id}`
  return ((await fixture.call('GET', `/v1/stats?${query}`)).body.totals as unknown[])[0] ?? null
}

/** What the network says by itself, counted by another way than the product's. */
function expected(o: { brand?: string; at?: number } = {}) {
  const sum = { currency: 'EUR', clicks: 0, signups: 0, ftds: 0, deposits_amount: 0, ngr: 0, commission: 0 }
  for (const row of networkRows({ ...source.size, ...window, asOfMs: o.at ?? asOfMs })) {
    if (o.brand !== undefined && row.brand !== o.brand) continue
    sum.clicks += row.clicks
    sum.signups += row.registrations
    sum.ftds += row.ftds
    sum.deposits_amount += row.depositsAmount
    sum.ngr += row.ngr
    sum.commission += row.cpa + row.revshare
  }
  return sum
}

const rowsOf = (brand?: string) =>
  [...networkRows({ ...source.size, ...window, asOfMs })].filter((row) => brand === undefined || row.brand === brand)

/** The rows of an integration as the database has them, with where and by whom each version was written. */
async function versions(id: string): Promise<unknown[]> {
  const { rows } = await fixture.adminPool.query(
    'select row_key, ctid::text, xmin::text, run_seq from api.stats_rows where integration_id = $1 order by row_key',
    [id],
  )
  return rows
}

async function status(id: string): Promise<[unknown, unknown]> {
  const { body } = await fixture.call('GET', `/v1/integrations/${id}`)
  return [body.status, (body.health as { broken_reason: string }).broken_reason]
}

describe('a feed', () => {
  test.each<[string, 'http_csv' | 'http_json', () => object]>([
    ['CSV', 'http_csv', () => csvSettings()],
    ['CSV in pages', 'http_csv', () => csvSettings({ url: at('linked.csv'), pagination: 'link_header' })],
    ['JSON in pages, each encoded in its own way', 'http_json', () => jsonSettings()],
    [
      'JSON in pages that are linked in headers',
      'http_json',
      () => ({ url: at('linked.json'), mapping: jsonMapping, pagination: 'link_header' }),
    ],
    ['NDJSON', 'http_json', () => ({ url: at('daily.ndjson'), mapping: jsonMapping })],
  ])('in %s becomes rows that sum up to what the network says', async (_name, provider, settings) => {
    const id = await feed(provider, settings())
    const found = await run(id)
    expect(found).toMatchObject({ status: 'succeeded', rows_inserted: rowsOf().length, rows_rejected: 0 })
    expect(await totals(id)).toEqual(expected())
    expect(await status(id)).toEqual(['active', null])
  })

  test('of the last century: another encoding, delimiter, decimal comma and form of dates', async () => {
    const mapping = [
      { to: 'date', from: 'Datum', format: 'DD/MM/YYYY' },
      { to: 'campaign', from: 'Kampagne' },
      { to: 'country', from: 'Land' },
      { to: 'clicks', from: 'Klicks' },
      { to: 'ngr', from: 'Nettoumsatz' },
      { to: 'other_commission', from: 'Vergütung' },
    ]
    const csv = { delimiter: ';', encoding: 'windows-1252', decimal_comma: true }
    const id = await feed('http_csv', { url: at('legacy.csv'), date_param_format: 'DD/MM/YYYY', csv, mapping })
    expect(await run(id)).toMatchObject({ status: 'succeeded', rows_rejected: 0 })
    const { clicks, ngr, commission } = expected()
    expect(await totals(id)).toMatchObject({ clicks, ngr, commission })
    const { rows } = await fixture.adminPool.query(
      'select distinct campaign_external_id as name from api.stats_rows where integration_id = $1 order by 1',
      [id],
    )
    expect(rows.map(({ name }) => name)).toContain('Sommer €10')
  })

  test('of several brands is read for the one that is meant', async () => {
    for (const [provider, settings] of [
      ['http_csv', csvSettings({ only: [{ from: 'Brand', equals: 'Acme Casino' }] })],
      ['http_json', jsonSettings({ only: [{ from: 'brand', equals: 'Acme Casino' }] })],
    ] as const) {
      const id = await feed(provider, settings)
      const meant = rowsOf('Acme Casino').length
      expect(await run(id)).toMatchObject({ rows_inserted: meant, rows_skipped: rowsOf().length - meant })
      expect(await totals(id)).toEqual(expected({ brand: 'Acme Casino' }))
    }
  })

  test('that says the same again writes nothing; later corrections are taken over, and what is gone goes', async () => {
    const early = Date.parse(day(13)) - dayMs / 2
    source.setAsOf(early)
    const id = await feed('http_csv', csvSettings())
    await run(id)
    expect(await totals(id)).toEqual(expected({ at: early }))
    const before = await versions(id)
    expect(await run(id)).toMatchObject({
      rows_unchanged: before.length,
      rows_inserted: 0,
      rows_updated: 0,
      rows_deleted: 0,
    })
    expect(await versions(id)).toEqual(before)
    source.setAsOf(asOfMs)
    const corrected = await run(id)
    expect(corrected.rows_updated).toBeGreaterThan(0)
    expect(corrected.rows_deleted).toBeGreaterThan(0)
    expect(await totals(id)).toEqual(expected())
    // No cell that is not mapped is anywhere (domain.md 4.4).
    const { rows } = await fixture.adminPool.query("select 1 from api.stats_rows r where r::text like '%player.test%'")
    expect(rows).toEqual([])
  })

  test('without days in its address covers those of its answer: only they are cleared', async () => {
    const id = await feed('http_csv', csvSettings())
    await run(id)
    const stored = (await versions(id)).length
    const last = [...networkRows({ ...source.size, from: day(14), to: day(14), asOfMs })].length
    await fixture.call('PATCH', `/v1/integrations/${id}`, {
      json: {
        settings: {
          url: `${source.url}/open/daily.csv?from=${day(14)}&to=${day(14)}`,
          only: [{ from: 'Country', equals: 'DE' }],
        },
      },
    })
    const found = await run(id)
    expect(found.rows_deleted).toBe(last - Number(found.rows_unchanged))
    expect(found.rows_deleted).toBeGreaterThan(0)
    const { rows } = await fixture.adminPool.query(
      'select count(*)::int as n from api.stats_rows where integration_id = $1 and not deleted',
      [id],
    )
    expect(rows[0].n).toBe(stored - Number(found.rows_deleted))
  })

  test('is asked for the days of the window, in the form that it wants; rows of other days are skipped', async () => {
    const url = `${source.url}/open/daily.csv?from=${day(30)}&to=${day(10)}&a={from}&b={to}`
    const id = await feed('http_csv', csvSettings({ url, date_param_format: 'unix' }), {
      source_time_zone: 'Asia/Kathmandu',
    })
    const found = await run(id)
    const asked = new URL(`http://x${source.requests.at(-1)?.target}`).searchParams
    const startMs = Date.parse(`${window.from}T00:00:00+05:45`)
    const endMs = Date.parse(`${window.to}T23:59:59+05:45`)
    expect([asked.get('a'), asked.get('b')]).toEqual([String(startMs / 1000), String(endMs / 1000)])
    const all = [...networkRows({ ...source.size, from: day(30), to: day(10), asOfMs })].length
    expect(found).toMatchObject({ rows_inserted: rowsOf().length, rows_skipped: all - rowsOf().length })
  })

  test('XT12: rows with hostile values are rejected with a code, the run goes on, and nothing is deleted by it', async () => {
    const id = await feed('http_json', jsonSettings())
    await run(id)
    const before = (await versions(id)).length
    source.setFault({ mode: 'wrong_rows' })
    const found = await run(id)
    const wrong = Math.floor(rowsOf().length / 10)
    expect(found).toMatchObject({ status: 'succeeded', rows_rejected: wrong, rows_deleted: 0, deletes_skipped: true })
    expect((await versions(id)).length).toBe(before)
    source.setFault({ mode: 'mostly_wrong_rows' })
    expect(await run(id)).toMatchObject({ status: 'failed', error: { code: 'too_many_rejects' } })
    expect(await totals(id)).toEqual(expected())
  })
})

describe('a source that fails', () => {
  test.each([
    ['unauthorized', 'invalid_credentials', 'invalid_credentials'],
    ['forbidden', 'access_denied', 'access_denied'],
    ['gone', 'source_gone', 'source_gone'],
    ['redirect', 'redirect_refused', 'source_gone'],
    ['schema', 'schema_changed', 'schema_changed'],
    ['loop', 'pagination_loop', 'source_gone'],
    ['foreign_next', 'next_link_refused', 'source_gone'],
    ['mostly_wrong_rows', 'too_many_rejects', 'schema_changed'],
  ] as const)(
    'for good (%s) breaks the integration at once; it is restored by a run that succeeds',
    async (mode, code, reason) => {
      const id = await feed('http_json', jsonSettings())
      source.setFault({ mode })
      expect(await run(id)).toMatchObject({ status: 'failed', attempt: 1, error: { code, retryable: false } })
      expect(await status(id)).toEqual(['broken', reason])
      source.setFault(null)
      expect(await run(id)).toMatchObject({ status: 'succeeded' })
      expect(await status(id)).toEqual(['active', null])
      expect(await totals(id)).toEqual(expected())
    },
  )

  test.each([
    ['error', 'source_error'],
    ['limited', 'rate_limited'],
    ['cut', 'connection_failed'],
    ['html', 'invalid_body'],
    ['garbage', 'invalid_body'],
  ] as const)('for a moment (%s) is tried again within the run, and nothing is counted twice', async (mode, code) => {
    const id = await feed('http_json', jsonSettings())
    source.setFault({ mode, times: 1, retryAfterSeconds: 0 })
    const found = await run(id)
    expect(found).toMatchObject({ status: 'succeeded', attempt: 2, rows_inserted: rowsOf().length })
    expect(await totals(id)).toEqual(expected())
    const { rows } = await fixture.workerPool.query<{ payload: Buffer }>('select payload from outbox order by id')
    const events = rows.map(({ payload }) => JSON.parse(payload.toString()))
    const failed = events.find(({ type, data }) => type === 'sync.attempt_failed' && data.sync_run_id === found.id)
    expect(failed.data).toMatchObject({ attempt: 1, error_code: code })
  })

  test('in the middle of its pages is read anew from the first: a page that was staged counts once', async () => {
    const id = await feed('http_json', jsonSettings())
    // The third page is cut: the two before it are staged by then.
    source.setFault({ mode: 'cut', after: 2, times: 1 })
    expect(await run(id)).toMatchObject({ status: 'succeeded', attempt: 2, rows_inserted: rowsOf().length })
    expect(await totals(id)).toEqual(expected())
  })

  test('with Retry-After is not asked before; three failed runs in a row break the integration', async () => {
    const id = await feed('http_csv', csvSettings())
    source.setFault({ mode: 'limited', retryAfterSeconds: 1_800 })
    const asked = await fixture.call('POST', `/v1/integrations/${id}/sync-runs`, { json: { window } })
    await work()
    const { body } = await fixture.call('GET', `/v1/sync-runs/${asked.body.id}`)
    expect(body).toMatchObject({ status: 'retry_wait', error: { code: 'rate_limited', retryable: true } })
    // The delay of the schedule is a millisecond here.
    const started = Date.parse(String(body.started))
    expect(Date.parse(String(body.next_attempt)) - started).toBeGreaterThanOrEqual(1_800_000)
    await fixture.call('POST', `/v1/sync-runs/${asked.body.id}/cancel`)
    source.setFault({ mode: 'error' })
    for (let nth = 1; nth <= 3; nth++) {
      expect(await run(id)).toMatchObject({ status: 'failed', attempt: 4, error: { code: 'source_error' } })
      expect((await status(id))[0]).toBe(nth < 3 ? 'pending' : 'broken')
    }
  })

  test('with an empty answer for days that have rows is not believed, unless asked for', async () => {
    const id = await feed('http_csv', csvSettings())
    await run(id)
    source.setFault({ mode: 'empty' })
    expect(await run(id)).toMatchObject({ status: 'failed', error: { code: 'empty_window' } })
    expect(await totals(id)).toEqual(expected())
    expect(await run(id, { body: { allow_empty: true } })).toMatchObject({
      status: 'succeeded',
      rows_deleted: rowsOf().length,
    })
    expect(await totals(id)).toBeNull()
  })
})

describe('a hostile feed ends within its bounds, in memory, time and turns of the event loop:', () => {
  const tight = { firstByteMs: 500, pageMs: 1_500, pageBytesMax: 300_000, pagesMax: 20 }
  test.each([
    ['endless', 'http_csv', 'feed_too_large'],
    ['endless_pages', 'http_json', 'feed_too_large'],
    ['bomb', 'http_csv', 'feed_too_large'],
    ['long_line', 'http_csv', 'feed_too_large'],
    ['long_line', 'http_json', 'feed_too_large'],
    ['hang', 'http_csv', 'timeout'],
    ['stall', 'http_json', 'timeout'],
  ] as const)('%s (%s)', async (mode, provider, code) => {
    const id = await feed(provider, provider === 'http_csv' ? csvSettings() : jsonSettings())
    source.setFault({ mode })
    const before = source.bodyBytes
    const found = await holdsLoopAtMost(100, () => run(id, { limits: tight, body: { allow_empty: false } }))
    expect(found).toMatchObject({ status: 'failed', error: { code } })
    expect(await versions(id)).toEqual([])
    // What was sent is what the sockets between hold, not what the source would have liked to send.
    expect(source.bodyBytes - before).toBeLessThan(60_000_000)
  })

  test('pages that change while they are read: the rows are those of the next quiet run', async () => {
    const settings = { url: at('linked.json'), mapping: jsonMapping, pagination: 'link_header', combine: 'last' }
    const id = await feed('http_json', settings)
    source.setFault({ mode: 'drift' })
    expect(await run(id)).toMatchObject({ status: 'succeeded' })
    source.setFault(null)
    await run(id)
    expect(await totals(id)).toEqual(expected())
  })
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
      const settings = csvSettings({ url: at('daily.csv', auth), auth })
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
      expect(await run(id)).toMatchObject({ status: 'succeeded', rows_rejected: 0 })
      expect(await totals(id)).toEqual(expected())
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
    const settings = csvSettings({ url: at('daily.csv', 'bearer'), auth: 'bearer' })
    const id = await feed('http_csv', settings, { credentials: { token: 'wrong' } })
    await run(id)
    await run(id)
    expect(await status(id)).toEqual(['broken', 'invalid_credentials'])
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
    await work()
    expect(await status(id)).toEqual(['active', null])
    const last = (await events()).slice(-4)
    expect(last).toEqual(['integration.updated', 'sync.started', 'sync.completed', 'integration.restored'])
  })

  test('go to the origin that they were given for, and to no other', async () => {
    const other = await startFakeSource({ asOfMs })
    try {
      const settings = csvSettings({ url: at('daily.csv', 'bearer'), auth: 'bearer' })
      const id = await feed('http_csv', settings, { credentials: { token: credentials.token } })
      const moved = { settings: { url: `${other.url}/bearer/daily.csv?from={from}&to={to}` } }
      const patch = (json: object) => fixture.call('PATCH', `/v1/integrations/${id}`, { json })
      const refused = await patch(moved)
      expect([refused.status, refused.body.errors]).toMatchObject([422, [{ pointer: '/credentials' }]])
      expect((await patch({ settings: { auth: 'basic' } })).status).toBe(422)
      expect((await patch({ credentials: null })).status).toBe(422)
      expect((await patch({ settings: { url: at('linked.csv', 'bearer') } })).status).toBe(200)
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
    const settings = csvSettings({ url: at('daily.csv', 'bearer'), auth: 'bearer' })
    const id = await feed('http_csv', settings, { credentials: { token: credentials.token } })
    source.setFault({ mode: 'error' })
    const asked = await fixture.call('POST', `/v1/integrations/${id}/sync-runs`, { json: { window } })
    const o = { ...fixture.worker, retryDelaysMs: [600_000], signal: new AbortController().signal }
    await workOnce(o)
    expect((await fixture.call('GET', `/v1/sync-runs/${asked.body.id}`)).body.status).toBe('retry_wait')
    source.setFault(null)
    const json = { settings: { url: at('daily.csv', 'header'), auth: 'header' }, credentials: credentials.header }
    expect((await fixture.call('PATCH', `/v1/integrations/${id}`, { json })).status).toBe(200)
    await fixture.adminPool.query('update api.due_work set due = now() where integration_id = $1', [id])
    await workOnce(o)
    expect((await fixture.call('GET', `/v1/sync-runs/${asked.body.id}`)).body).toMatchObject({ status: 'succeeded' })
    expect(await totals(id)).toEqual(expected())
  })

  test('that do not fit the authentication are refused at their field', async () => {
    const base = { name: 'One', brand_slug: 'acme', provider: 'http_csv', settings: csvSettings({ auth: 'basic' }) }
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
    const header = { settings: csvSettings({ auth: 'header' }), credentials: { name: 'Cookie', value: 'x' } }
    expect(pointers(await create(header))).toEqual([422, ['/credentials/name']])
    expect(pointers(await create({ provider: 'demo', settings: {}, credentials: { token: 'x' } }))).toEqual([
      422,
      ['/credentials'],
    ])
  })

  test('that end are told of 7 days before, once', async () => {
    const expires = new Date(Date.now() + 8 * dayMs).toISOString()
    const settings = csvSettings({ url: at('daily.csv', 'bearer'), auth: 'bearer' })
    const given = { credentials: { token: credentials.token, expires }, schedule: { every_minutes: 1440 } }
    const id = await feed('http_csv', settings, given)
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
