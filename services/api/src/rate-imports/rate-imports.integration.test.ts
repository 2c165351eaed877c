// A workspace's own rates from their file to converted stats, through the public door and the real database.
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { type Fixture, startFixture } from '../api-service.fixture.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture()
})
afterAll(() => fixture?.stop())
afterEach(() => fixture.adminPool.query('truncate api.fx_rates, api.fx_rate_sets, api.import_work'))

type Row = Record<string, unknown>
const header = 'date,base,quote,rate'
const csvOf = (...lines: string[]) => `${[header, ...lines].join('\n')}\n`

async function send(csv: string | Buffer, o: { query?: string; as?: 'b'; headers?: Record<string, string> } = {}) {
  const { query = '', ...more } = o
  return fixture.call('POST', `/v1/imports?type=fx_rates${query}`, { csv, ...more })
}

/** The import of a file once it has ended. */
async function take(csv: string | Buffer, o: Parameters<typeof send>[1] = {}): Promise<Row> {
  const created = await send(csv, o)
  expect([created.status, created.body.status]).toEqual([202, 'queued'])
  await fixture.work()
  return (await fixture.call('GET', String(created.headers.get('location')), o.as ? { as: o.as } : {})).body
}

/** A new integration with rows; days after the last rates of the service, up to the 23rd. */
async function withRows(csv: string, as?: 'b'): Promise<string> {
  const by = as ? { as } : {}
  const json = { name: 'Rows', brand_slug: 'acme', provider: 'csv_upload' }
  const id = String((await fixture.call('POST', '/v1/integrations', { json, ...by })).body.id)
  await fixture.call('POST', `/v1/imports?type=stats&integration_id=${id}`, { csv, ...by })
  await fixture.work()
  return id
}

const stats = (query: string, as?: 'b') => fixture.call('GET', `/v1/stats?${query}`, as ? { as } : {})

describe('a file of rates', () => {
  test('converts days that had none, as its own rate set, and says whose they are', async () => {
    const id = await withRows('date,currency,ngr\n2026-11-20,USD,200.00\n2026-11-20,GBP,10.00\n')
    const query = `from=2026-11-20&to=2026-11-20&metrics=ngr&currency=EUR&filter[integration]=${id}`
    const refused = await stats(query)
    expect([refused.status, refused.body.code]).toEqual([422, 'rate_missing'])
    const file = csvOf('2026-11-20,EUR,USD,2', '2026-11-19,GBP,EUR,1.250')
    const done = await take(file, { query: '&source=Bank%20of%20Tests' })
    expect(done).toMatchObject({
      type: 'fx_rates',
      status: 'completed',
      integration_id: null,
      sync_run_id: null,
      covers: null,
      error: null,
      lines: 2,
      accepted: 2,
      rejected: 0,
      unchanged: 0,
      rate_set: '2026-10-30.1.1',
      source: 'Bank of Tests',
    })
    const { body } = await stats(query)
    expect(body.totals).toEqual([{ currency: 'EUR', ngr: 10_000 + 1_250 }])
    const fx = { policy: 'rate_of_day', rate_set: '2026-10-30.1.1', sources: ['Bank of Tests'] }
    expect((body.meta as Row).fx).toEqual(fx)
    const { rows } = await fixture.workerPool.query<{ payload: Buffer }>(
      'select payload from outbox order by id desc limit 1',
    )
    const told = JSON.parse(String(rows[0]?.payload))
    expect(told).toMatchObject({
      type: 'import.completed',
      data: { import_id: done.id, import_type: 'fx_rates', accepted: 2 },
    })
    const { rows: left } = await fixture.adminPool.query('select from api.import_chunks where import_id = $1', [
      done.id,
    ])
    expect(left).toEqual([])
  })

  test('that says what is known makes no rate set; a rate that differs makes one', async () => {
    const file = csvOf('2026-11-20,EUR,USD,2.0', '2026-11-20,EUR,SEK,11')
    expect(await take(file)).toMatchObject({ unchanged: 0, rate_set: '2026-10-30.1.1' })
    expect(await take(csvOf('2026-11-20,EUR,USD,2', '2026-11-20,EUR,SEK,11.000'))).toMatchObject({
      status: 'completed',
      accepted: 2,
      unchanged: 2,
      rate_set: '2026-10-30.1.1',
    })
    expect(await take(csvOf('2026-11-20,EUR,USD,2', '2026-11-20,EUR,SEK,12'))).toMatchObject({
      accepted: 2,
      unchanged: 1,
      rate_set: '2026-10-30.1.2',
    })
    // What it said before the last one.
    expect(await take(file)).toMatchObject({ unchanged: 1, rate_set: '2026-10-30.1.3' })
  })

  test('takes the place of the rates that the service brings along for its days and currencies alone', async () => {
    const id = await withRows(
      'date,currency,ngr\n2025-04-15,USD,100.00\n2025-04-15,SEK,100.00\n2025-04-16,USD,100.00\n',
    )
    const query = `from=2025-04-15&to=2025-04-16&metrics=ngr&currency=EUR&group_by=day,currency&order_by=day&filter[integration]=${id}`
    const rows = async () =>
      ((await stats(query)).body.data as Row[]).map(({ day, currency, ngr }) => [day, currency, ngr])
    const before = await rows()
    await take(csvOf('2025-04-15,EUR,USD,4'))
    const changed = before.map(([day, currency, ngr]) =>
      day === '2025-04-15' && currency === 'USD' ? [day, currency, 2_500] : [day, currency, ngr],
    )
    expect(await rows()).toEqual(changed)
    expect(changed).not.toEqual(before)
    expect(((await stats(query)).body.meta as { fx: Row }).fx.sources).toHaveLength(2)
  })

  test('of NDJSON, and packed, is read alike', async () => {
    const lines = [
      '{"date":"2026-11-20","base":"EUR","quote":"USD","rate":1.10}',
      '{"date":"2026-11-20","base":"SEK","quote":"EUR","rate":"0.1"}',
    ]
    const type = { 'content-type': 'application/x-ndjson' }
    expect(await take(lines.join('\n'), { headers: type })).toMatchObject({
      format: 'ndjson',
      accepted: 2,
      unchanged: 0,
    })
    const same = csvOf('2026-11-20,EUR,USD,1.1', '2026-11-20,SEK,EUR,0.10')
    expect(await take(gzipSync(same), { headers: { 'content-encoding': 'gzip' } })).toMatchObject({ unchanged: 2 })
  })

  test('is of its workspace alone', async () => {
    const row = 'date,currency,ngr\n2026-11-20,USD,200.00\n'
    await withRows(row, 'b')
    await take(csvOf('2026-11-20,EUR,USD,2'))
    const other = await stats('from=2026-11-20&to=2026-11-20&metrics=ngr&currency=EUR', 'b')
    expect([other.status, other.body.code]).toEqual([422, 'rate_missing'])
    const foreign = await stats('from=2026-11-20&to=2026-11-20&currency=EUR&rate_set=2026-10-30.1.1', 'b')
    expect([foreign.status, foreign.body.code]).toEqual([400, 'invalid_parameter'])
  })
})

describe('a rate set', () => {
  test('that is named says the same when newer rates come; one that is not there is refused', async () => {
    const id = await withRows('date,currency,ngr\n2026-11-20,USD,200.00\n')
    const query = `from=2026-11-20&to=2026-11-20&metrics=ngr&currency=EUR&filter[integration]=${id}`
    await take(csvOf('2026-11-20,EUR,USD,2'))
    const { body: before } = await stats(`${query}&rate_set=2026-10-30.1.1`)
    await take(csvOf('2026-11-20,EUR,USD,4'))
    const { body: after } = await stats(`${query}&rate_set=2026-10-30.1.1`)
    const generated = expect.any(String)
    expect(after).toEqual({ ...before, meta: { ...(before.meta as Row), generated } })
    expect((await stats(query)).body.totals).toEqual([{ currency: 'EUR', ngr: 5_000 }])
    // The service's own rates end before that day.
    expect((await stats(`${query}&rate_set=2026-10-30.1`)).body.code).toBe('rate_missing')
    for (const unknown of ['2026-10-30.1.3', '2026-10-30.1.0', '2026-10-31.1.1', '2026-10-30.1.1.1', '1'])
      expect((await stats(`${query}&rate_set=${unknown}`)).body.code).toBe('invalid_parameter')
  })

  test('is one for all pages of a walk, also where newer rates come between them', async () => {
    const rows = ['a', 'b', 'c'].map((campaign, at) => `2026-11-20,${campaign},USD,${300 - 100 * at}.00`)
    const id = await withRows(`date,campaign,currency,ngr\n${rows.join('\n')}\n`)
    const query = `from=2026-11-20&to=2026-11-20&metrics=ngr&currency=EUR&group_by=campaign&order_by=-ngr&limit=1&filter[integration]=${id}`
    await take(csvOf('2026-11-20,EUR,USD,2'))
    const seen: unknown[] = []
    for (let cursor = '', more = true, rate = 2; more; rate += 1) {
      const { status, body } = await stats(`${query}${cursor}`)
      expect(status).toBe(200)
      expect(body.meta).toMatchObject({ fx: { rate_set: '2026-10-30.1.1' } })
      expect(body.totals).toEqual([{ currency: 'EUR', ngr: 30_000 }])
      seen.push(...(body.data as Row[]).map(({ ngr }) => ngr))
      cursor = `&cursor=${String(body.next_cursor)}`
      more = body.has_more === true
      await take(csvOf(`2026-11-20,EUR,USD,${rate + 1}`))
    }
    expect(seen).toEqual([15_000, 10_000, 5_000])
    expect(((await stats(query)).body.meta as { fx: Row }).fx.rate_set).toBe('2026-10-30.1.4')
  })

  test('that is named beside a cursor of another one is refused', async () => {
    const id = await withRows('date,campaign,currency,ngr\n2025-04-15,a,USD,2\n2025-04-15,b,USD,1\n')
    const query = `from=2025-04-15&to=2025-04-15&metrics=ngr&currency=EUR&group_by=campaign&limit=1&filter[integration]=${id}`
    const { body } = await stats(query)
    await take(csvOf('2026-11-20,EUR,USD,2'))
    const next = (set: string) => stats(`${query}&rate_set=${set}&cursor=${String(body.next_cursor)}`)
    expect((await next('2026-10-30.1')).status).toBe(200)
    const other = await next('2026-10-30.1.1')
    expect([other.status, other.body.code]).toEqual([400, 'invalid_cursor'])
  })
})

describe('what is no rate', () => {
  test('is rejected with its line, and the others are stored', async () => {
    const good = Array.from({ length: 16 }, (_, at) => `2026-11-${String(at + 1).padStart(2, '0')},EUR,USD,2`)
    const bad = ['2026-11-01,EUR,USD,3', '2026-11-20,USD,SEK,1', '2026-11-20,EUR,SEK,nothing', '2026-11-20,EUR']
    const done = await take(csvOf(...good, ...bad))
    expect(done).toMatchObject({ status: 'completed_with_errors', lines: 20, accepted: 16, rejected: 4 })
    const { text } = await fixture.call('GET', `/v1/imports/${done.id}/errors`)
    const errors = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(errors).toEqual([
      { line: 18, pointer: null, code: 'duplicate_key', detail: 'Another row has the same key.' },
      {
        line: 19,
        pointer: '/quote',
        code: 'not_against_euro',
        detail: 'Exactly one of base and quote must be EUR. Found: "SEK".',
      },
      expect.objectContaining({ line: 20, pointer: '/rate', code: 'bad_rate' }),
      expect.objectContaining({ line: 21, pointer: null, code: 'wrong_column_count' }),
    ])
  })

  test('in more than a fifth of the lines stores nothing', async () => {
    const lines = Array.from({ length: 20 }, (_, at) => `2026-10-${String(at + 1).padStart(2, '0')},EUR,USD,${at % 4}`)
    const done = await take(csvOf(...lines))
    expect(done).toMatchObject({
      status: 'failed',
      error: { code: 'too_many_rejects' },
      accepted: 15,
      rejected: 5,
      rate_set: null,
    })
    const { text } = await fixture.call('GET', `/v1/imports/${done.id}/errors`)
    expect(text.trimEnd().split('\n')).toHaveLength(5)
    const { rows } = await fixture.adminPool.query('select from api.fx_rate_sets')
    expect(rows).toEqual([])
  })

  test.each([
    ['a quote that does not end', csvOf('2026-11-20,EUR,USD,2', '"2026-11-20'), 'invalid_body', 3],
    [
      '100,001 lines',
      csvOf(...Array.from({ length: 100_001 }, () => '2026-11-20,EUR,USD,2')),
      'feed_too_large',
      100_002,
    ],
  ])('is a file with %s', async (_, csv, code, line) => {
    expect(await take(csv)).toMatchObject({ status: 'failed', error: { code, line }, rate_set: null })
  })

  test.each([
    ['date,base,quote\n', '', 422, 'unknown_column'],
    ['date,base,quote,rate,note\n', '', 422, 'unknown_column'],
    ['', '', 422, 'unknown_column'],
    [csvOf(), '&integration_id=int_1', 400, 'invalid_parameter'],
    [csvOf(), '&covers_from=2026-01-01&covers_to=2026-01-02', 400, 'invalid_parameter'],
    [csvOf(), '&source=', 400, 'invalid_parameter'],
  ])('%j with %j is refused by %i', async (csv, query, status, code) => {
    const refused = await send(csv, { query })
    expect([refused.status, refused.body.code]).toEqual([status, code])
  })

  test('stats need an integration, and have no source', async () => {
    for (const query of ['type=stats', 'type=stats&source=X&integration_id=int_1']) {
      const refused = await fixture.call('POST', `/v1/imports?${query}`, { csv: 'date,clicks\n' })
      expect([refused.status, refused.body.code]).toEqual([400, 'invalid_parameter'])
    }
  })
})
