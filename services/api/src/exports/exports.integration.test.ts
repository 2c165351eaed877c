// Exports through the public door: what their files hold, how far they are, how they end, and what a workspace may have of them.

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { createPool } from '@wds/postgres/pool'
import { type Fixture, startFixture } from '../api-service.fixture.ts'
import { exportKeptMs } from './domain/export.ts'
import { type Exports, exportsOf, recordsOf } from './exports.fixture.ts'
import { sweepExports } from './sweep.ts'

let fixture: Fixture
let exports: Exports
beforeAll(async () => {
  fixture = await startFixture()
  exports = exportsOf(fixture)
})
afterAll(() => fixture?.stop())

const day = { from: '2026-01-05', to: '2026-01-05' }
const by = (integration: string, more: object = {}) => ({ ...day, filter: { integration: [integration] }, ...more })

/** What is stored of exports, beside their own rows. */
async function stored(): Promise<[rows: number, pieces: number]> {
  const { rows } = await fixture.adminPool.query<{ rows: number; pieces: number }>(
    `select (select count(*) from api.export_rows)::int as rows, (select count(*) from api.export_pieces)::int as pieces`,
  )
  return [rows[0]?.rows ?? -1, rows[0]?.pieces ?? -1]
}

describe('the file', () => {
  test('has all rows of the query, as the pages of the same stats query show them, in the same order', async () => {
    const id = await exports.rowsOf(2_345)
    const query = by(id, { group_by: ['campaign', 'day'], metrics: ['clicks', 'ngr', 'epc'], order_by: '-clicks' })
    const shown: object[] = []
    for (let cursor: unknown = null; cursor !== undefined; ) {
      const json = withoutUndefined<Record<string, unknown>>({ ...query, limit: 1_000, cursor: cursor ?? undefined })
      const { body } = await fixture.call('POST', '/v1/stats/query', { json })
      shown.push(...(body.data as object[]))
      cursor = body.next_cursor ?? undefined
    }
    expect(shown).toHaveLength(2_345)
    expect(shown.at(-1)).toMatchObject({ campaign_id: expect.stringMatching(/^cmp_/) })
    const lines = (await exports.textOf(query, { format: 'ndjson' })).split('\n')
    expect(lines.pop()).toBe('')
    expect(lines.map((line) => JSON.parse(line))).toEqual(shown)
    const [header, ...records] = recordsOf(await exports.textOf(query))
    expect(header).toEqual(['campaign_external_id', 'campaign_id', 'day', 'currency', 'clicks', 'ngr', 'epc'])
    expect(records).toEqual(
      shown.map((row) => Object.values(row).map((value) => (value === null ? '' : String(value)))),
    )
    expect(await stored()).toEqual([0, 6])
  })

  test('compares each row as the stats query does, and converts it by the same rates', async () => {
    const id = await fixture.createIntegration({ name: 'Compared', currency: 'SEK' })
    await exports.upload(
      id,
      'date,campaign,clicks,ngr\n2026-01-04,a,3,10\n2026-01-04,b,1,5\n2026-01-05,a,5,20.55\n2026-01-05,c,2,1\n',
    )
    const query = by(id, {
      group_by: ['campaign'],
      metrics: ['clicks', 'ngr'],
      compare: 'previous_period',
      currency: 'EUR',
    })
    const { body } = await fixture.call('POST', '/v1/stats/query', { json: query })
    const data = body.data as { compare: Record<string, Record<string, number | null>> }[]
    expect(data.map(({ compare }) => compare.clicks?.value)).toEqual(expect.arrayContaining([3, null]))
    const text = await exports.textOf(query, { format: 'ndjson' })
    expect(
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(data)
    const [header, ...records] = recordsOf(await exports.textOf(query))
    expect(header?.slice(-6)).toEqual(
      ['clicks', 'ngr'].flatMap((name) => [`${name}_compare`, `${name}_delta`, `${name}_delta_pct`]),
    )
    const parts = data.map(({ compare }) =>
      ['clicks', 'ngr'].flatMap((name) => ['value', 'delta', 'delta_pct'].map((part) => compare[name]?.[part] ?? '')),
    )
    expect(records.map((record) => record?.slice(-6))).toEqual(parts.map((cells) => cells.map(String)))
  })

  test('C73, XT11: no name of a source is a formula in it, and numbers below zero stay numbers', async () => {
    const id = await fixture.createIntegration({ name: 'Hostile' })
    await exports.upload(id, `date,campaign,ngr\n2026-01-05,"=HYPERLINK(""http://x"")",-5\n2026-01-05,@SUM,1\n`)
    const text = await exports.textOf(by(id, { group_by: ['campaign'], metrics: ['ngr'], order_by: 'ngr' }))
    expect(
      recordsOf(text)
        .slice(1)
        .map((record) => [record?.[0], record?.[3]]),
    ).toEqual([
      [`'=HYPERLINK("http://x")`, '-500'],
      [`'@SUM`, '100'],
    ])
  })

  test('of a query without rows is a header line, or nothing; packed it is a gzip file all the same', async () => {
    const id = await fixture.createIntegration({ name: 'Empty' })
    const query = by(id, { group_by: ['day'], metrics: ['clicks'] })
    expect(await exports.textOf(query)).toBe('day,currency,clicks\r\n')
    expect(await exports.textOf(query, { format: 'ndjson' })).toBe('')
    const packed = await exports.create(query, { format: 'ndjson', compression: 'gzip' })
    await fixture.makeExports()
    expect(await exports.unpackedOf(packed)).toBe('')
  })

  test('packed holds the same text, one member per piece', async () => {
    const id = await exports.rowsOf(1_500)
    const query = by(id, { group_by: ['campaign'], metrics: ['clicks'], order_by: 'clicks' })
    const plain = await exports.textOf(query)
    const packed = await exports.create(query, { compression: 'gzip' })
    await fixture.makeExports()
    const { bytes } = await exports.read(packed)
    expect(Number(bytes)).toBeLessThan(plain.length / 2)
    expect(await exports.unpackedOf(packed)).toBe(plain)
  })

  test('C40: it is fetched again as the same bytes, with a strong tag, a name, and 304 for who has it', async () => {
    const id = await exports.create(by(await exports.rowsOf(3), { group_by: ['campaign'] }))
    await fixture.makeExports()
    const [first, again] = [await exports.file(id), await exports.file(id)]
    expect(again.text).toBe(first.text)
    const shown = ['etag', 'content-disposition', 'content-type', 'cache-control'].map((name) =>
      first.headers.get(name),
    )
    expect(shown).toEqual([
      `"${id}"`,
      'attachment; filename="stats-2026-01-05-2026-01-05.csv"',
      'text/csv; charset=utf-8',
      'private, no-cache',
    ])
    expect((await exports.file(id, { headers: { 'if-none-match': `"${id}"` } })).status).toBe(304)
    expect((await exports.file(id, { as: 'b' })).status).toBe(404)
  })
})

describe('asking for one', () => {
  test('a query that can never be answered is refused at once, where it is wrong, and leaves nothing', async () => {
    const ask = async (query: object, more: object = {}) => {
      const json = { type: 'stats', format: 'csv', query: { ...day, ...query }, ...more }
      const { status, body } = await fixture.call('POST', '/v1/exports', { json })
      return [status, body.code, (body.errors as { pointer?: string }[] | undefined)?.[0]?.pointer]
    }
    const before = (await fixture.call('GET', '/v1/exports')).body.data
    expect(await ask({ from: '2026-01-06' })).toEqual([422, 'invalid_value', '/query/from'])
    expect(await ask({ currency: 'XXQ' })).toEqual([422, 'unknown_currency', '/query/currency'])
    expect(await ask({ metrics: ['nope'] })).toEqual([422, 'invalid_value', '/query/metrics'])
    expect(await ask({ limit: 5 })).toEqual([422, 'unknown_field', '/query/limit'])
    const values = Array.from({ length: 100 }, (_, nth) => `${nth}`.padEnd(250, 'x'))
    expect(await ask({ filter: { campaign: values, country: values } })).toEqual([422, 'out_of_range', '/query'])
    expect(await ask({}, { format: 'xlsx' })).toEqual([422, 'invalid_value', '/format'])
    expect(await ask({ metrics: ['unique_clicks'], to: '2026-01-06' })).toEqual([400, 'metric_not_additive', undefined])
    expect((await fixture.call('GET', '/v1/exports')).body.data).toEqual(before)
  })

  test('C30: a second request with the same Idempotency-Key is the same export', async () => {
    const json = { type: 'stats', format: 'csv', query: day }
    const headers = { 'idempotency-key': 'export once' }
    const ask = () => fixture.call('POST', '/v1/exports', { json, headers })
    const [first, second] = [await ask(), await ask()]
    expect([second.status, second.body.id]).toEqual([202, first.body.id])
    expect(first.headers.get('location')).toBe(`/v1/exports/${first.body.id}`)
    await fixture.makeExports()
  })

  test('of a workspace ten wait or run at a time, however many are asked for at once; others may go on', async () => {
    const ask = (as: 'a' | 'b') =>
      fixture.call('POST', '/v1/exports', { as, json: { type: 'stats', format: 'csv', query: day } })
    const answers = await Promise.all(Array.from({ length: 14 }, () => ask('b')))
    const refused = answers.filter(({ status }) => status === 429)
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(10)
    for (const { body, headers } of refused)
      expect([body.code, body['violated-policies'], headers.get('retry-after')]).toEqual([
        'quota_exceeded',
        ['exports'],
        '10',
      ])
    expect((await ask('a')).status).toBe(202)
    await fixture.makeExports()
    expect((await ask('b')).status).toBe(202)
    await fixture.makeExports()
  })

  test('files of a workspace take 1 GiB, until one is deleted', async () => {
    const id = await exports.create(day, { as: 'b' })
    await fixture.makeExports()
    await fixture.adminPool.query('update api.exports set bytes = 1073741824 where id = $1', [id])
    const ask = () =>
      fixture.call('POST', '/v1/exports', { as: 'b', json: { type: 'stats', format: 'csv', query: day } })
    const refused = await ask()
    expect([refused.status, refused.body.code]).toEqual([409, 'limit_reached'])
    expect((await fixture.call('DELETE', `/v1/exports/${id}`, { as: 'b' })).status).toBe(204)
    expect((await ask()).status).toBe(202)
    await fixture.makeExports()
  })
})

test('regression: a workspace has 10,000 exports, also of those that were canceled, until one is deleted', async () => {
  const id = await exports.create(day, { as: 'b' })
  await fixture.call('POST', `/v1/exports/${id}/cancel`, { as: 'b' })
  const { adminPool, workspaces } = fixture
  const { rows } = await adminPool.query("select 1 from api.exports where workspace_id = $1 and status <> 'deleted'", [
    workspaces.b,
  ])
  await adminPool.query(
    `insert into api.exports select copied.* from api.exports e, generate_series(1, $2) n,
       jsonb_populate_record(e, jsonb_build_object('id', 'exp_' || n)) copied where e.id = $1`,
    [id, 10_000 - rows.length],
  )
  const ask = () => fixture.call('POST', '/v1/exports', { as: 'b', json: { type: 'stats', format: 'csv', query: day } })
  const refused = await ask()
  expect([refused.status, refused.body.code]).toEqual([409, 'limit_reached'])
  await fixture.call('DELETE', `/v1/exports/${id}`, { as: 'b' })
  expect((await ask()).status).toBe(202)
  await adminPool.query("delete from api.exports where id ~ '^exp_[0-9]+$' and length(id) < 10")
  await fixture.makeExports()
})

test('regression: one that waited while the files of its workspace grew fails where it would pass 1 GiB with them', async () => {
  const large = await exports.create(day)
  await fixture.makeExports()
  const id = await exports.create(by(await exports.rowsOf(2_100), { group_by: ['campaign'] }))
  const fill = (bytes: number) =>
    fixture.adminPool.query('update api.exports set bytes = $2 where id = $1', [large, bytes])
  await fill(1_073_741_824 - 50_000)
  await fixture.makeExports()
  expect(await exports.read(id)).toMatchObject({ status: 'failed', bytes: 0, error: { code: 'limit_reached' } })
  await fixture.call('DELETE', `/v1/exports/${large}`)
})

describe('its life', () => {
  test('queued, then completed with its rows; the list filters by it', async () => {
    const integration = await exports.rowsOf(2_100)
    const id = await exports.create(by(integration, { group_by: ['campaign'] }), { format: 'ndjson' })
    const queued = { status: 'queued', rows: 0, rows_total: null, bytes: 0, meta: null, started: null, version: 1 }
    expect(await exports.read(id)).toMatchObject({ ...queued, type: 'stats', format: 'ndjson', compression: 'none' })
    await fixture.makeExports()
    const done = await exports.read(id)
    expect(done).toMatchObject({ status: 'completed', rows: 2_100, rows_total: 2_100, error: null })
    expect(done.meta).toMatchObject({ from: '2026-01-05', approximate: false })
    expect(Date.parse(String(done.expires)) - Date.parse(String(done.created))).toBe(exportKeptMs)
    const listed = await fixture.call('GET', '/v1/exports?status=completed&type=stats&format=ndjson&limit=1')
    expect(listed.body.data).toEqual([done])
    expect((await fixture.call('GET', '/v1/exports?status=running')).body.data).toEqual([])
  })

  test('its file is there once it is completed, and not before', async () => {
    const id = await exports.create(day)
    const early = await exports.file(id)
    expect([early.status, early.body.code, early.body.current_status, early.body.allowed]).toEqual([
      409,
      'invalid_state',
      'queued',
      ['cancel', 'delete'],
    ])
    await fixture.makeExports()
    expect((await exports.file(id)).status).toBe(200)
  })

  test('canceled it is made by nobody; what has ended is not canceled; If-Match is kept to', async () => {
    const id = await exports.create(day)
    const cancel = (headers: Record<string, string> = {}) =>
      fixture.call('POST', `/v1/exports/${id}/cancel`, { headers })
    expect((await cancel({ 'if-match': '"v7"' })).status).toBe(412)
    expect((await cancel({ 'if-match': '"v1"' })).body).toMatchObject({ status: 'canceled', version: 2 })
    await fixture.makeExports()
    expect(await exports.read(id)).toMatchObject({ status: 'canceled', rows: 0, bytes: 0 })
    expect([(await cancel()).status, (await exports.file(id)).status]).toEqual([409, 409])
  })

  test('one that is too large, or lacks a rate, fails and says why; nothing of it is kept', async () => {
    const before = await stored()
    const integration = await exports.rowsOf(2_100)
    const query = by(integration, { group_by: ['campaign'] })
    const outcomes: unknown[] = []
    for (const limits of [
      { rows: 2_099, bytes: 1e9 },
      { rows: 2_100, bytes: 50_000 },
    ]) {
      const id = await exports.create(query)
      await fixture.makeExports({ limits })
      outcomes.push(await exports.read(id))
    }
    const failed = { status: 'failed', bytes: 0, error: { code: 'result_too_large', message: expect.any(String) } }
    expect(outcomes).toMatchObject([failed, { ...failed, rows: 1_000 }])
    const old = await fixture.createIntegration({ name: 'Old', currency: 'SEK' })
    await exports.upload(old, 'date,ngr\n2020-01-05,5\n')
    const id = await exports.create({ from: '2020-01-05', to: '2020-01-05', currency: 'EUR' })
    await fixture.makeExports()
    expect(await exports.read(id)).toMatchObject({ status: 'failed', error: { code: 'rate_missing' } })
    expect(await stored()).toEqual(before)
  })

  test('deleted it is gone at once, and its file with the next sweep', async () => {
    const id = await exports.create(by(await exports.rowsOf(1_200), { group_by: ['campaign'] }))
    await fixture.makeExports()
    await sweepExports(fixture.workerPool)
    const [, pieces] = await stored()
    expect((await fixture.call('DELETE', `/v1/exports/${id}`)).status).toBe(204)
    const after = [(await exports.file(id)).status, (await fixture.call('DELETE', `/v1/exports/${id}`)).status]
    expect(after).toEqual([404, 404])
    await sweepExports(fixture.workerPool)
    expect(await stored()).toEqual([0, pieces - 2])
  })

  test('after 7 days it is gone with its file, also where it was never made; a day before it is not', async () => {
    const made = await exports.create(day)
    await fixture.makeExports()
    const waiting = await exports.create(day)
    const laterBy = async (ms: number) => {
      const url = `${fixture.workerUrl}?options=-c%20app.clock_offset_ms%3D${ms}`
      const pool = createPool({ connectionString: url, applicationName: 'later', max: 2 })
      try {
        await sweepExports(pool)
      } finally {
        await pool.end()
      }
      return Promise.all([made, waiting].map(async (id) => (await fixture.call('GET', `/v1/exports/${id}`)).status))
    }
    expect(await laterBy(6 * 86_400_000)).toEqual([200, 200])
    expect(await laterBy(exportKeptMs + 1_000)).toEqual([404, 404])
    expect(await stored()).toEqual([0, 0])
    const { rows } = await fixture.adminPool.query(`select 1 from api.due_work where kind = 'export'`)
    expect(rows).toEqual([])
  })
})
