// What uploads leave in the stats: replacement of covered days, tombstones, the order of runs, rejected bytes, and the queries.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Fixture, startFixture } from '../api-service.fixture.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture()
})
afterAll(() => fixture?.stop())

const integration = (extra: object = {}) => fixture.createIntegration({ name: 'Stats', ...extra })

/** Uploads and carries out; gives import and run. */
async function ingest(id: string, csv: string | Buffer, covers?: { from: string; to: string }) {
  const days = covers ? `&covers_from=${covers.from}&covers_to=${covers.to}` : ''
  const created = await fixture.call('POST', `/v1/imports?type=stats&integration_id=${id}${days}`, { csv })
  expect([created.status, created.text]).toEqual([202, expect.any(String)])
  await fixture.work()
  const found = await fixture.call('GET', `/v1/imports/${created.body.id}`)
  const run = await fixture.call('GET', `/v1/sync-runs/${found.body.sync_run_id}`)
  return { found: found.body, run: run.body }
}

async function stats(query: string) {
  return fixture.call('GET', `/v1/stats?from=2026-01-01&to=2026-01-31&metrics=clicks&${query}`)
}

async function clicksByDay(id: string): Promise<[unknown, unknown][]> {
  const { body } = await stats(`group_by=day&filter[integration]=${id}`)
  return (body.data as { day: string; clicks: number }[]).map((row) => [row.day, row.clicks])
}

const covers = { from: '2026-01-01', to: '2026-01-03' }
const three = 'date,clicks\n2026-01-01,1\n2026-01-02,2\n2026-01-03,3\n'

describe('window_mode replace', () => {
  test('rows of covered days that the file lacks become tombstones, and come back', async () => {
    const id = await integration({ window_mode: 'replace' })
    await ingest(id, `${three}2026-01-04,4\n`, { from: '2026-01-01', to: '2026-01-04' })
    const { run } = await ingest(id, 'date,clicks\n2026-01-01,1\n2026-01-02,5\n', covers)
    expect(run).toMatchObject({ rows_deleted: 1, rows_updated: 1, rows_unchanged: 1, deletes_skipped: false })
    const left = [
      ['2026-01-01', 1],
      ['2026-01-02', 5],
      ['2026-01-04', 4],
    ]
    expect(await clicksByDay(id)).toEqual(left)
    const sql = 'select day::text from api.stats_rows where integration_id = $1 and deleted'
    const { rows } = await fixture.adminPool.query(sql, [id])
    expect(rows).toEqual([{ day: '2026-01-03' }])
    const back = await ingest(id, three, covers)
    expect(back.run).toMatchObject({ rows_inserted: 1, rows_updated: 1, rows_unchanged: 1, rows_deleted: 0 })
    expect(await clicksByDay(id)).toEqual([
      ['2026-01-01', 1],
      ['2026-01-02', 2],
      ['2026-01-03', 3],
      ['2026-01-04', 4],
    ])
  })

  test('a file with a rejected line deletes nothing and says so', async () => {
    const id = await integration({ window_mode: 'replace' })
    await ingest(id, three, covers)
    const { run } = await ingest(id, 'date,clicks\n2026-01-01,7\n2026-01-02,x\n', covers)
    expect(run).toMatchObject({ rows_deleted: 0, rows_updated: 1, rows_rejected: 1, deletes_skipped: true })
    expect((await clicksByDay(id)).map(([, clicks]) => clicks)).toEqual([7, 2, 3])
  })

  test('without covers nothing is deleted', async () => {
    const id = await integration({ window_mode: 'replace' })
    await ingest(id, three)
    const { run } = await ingest(id, 'date,clicks\n2026-01-01,1\n')
    expect(run).toMatchObject({ rows_deleted: 0, deletes_skipped: false })
    expect(await clicksByDay(id)).toHaveLength(3)
  })

  test('a file of no rows over days that have rows fails as empty_window and deletes nothing', async () => {
    const id = await integration({ window_mode: 'replace' })
    await ingest(id, three, covers)
    const { found } = await ingest(id, 'date,clicks\n', covers)
    expect(found).toMatchObject({ status: 'failed', error: { code: 'empty_window' } })
    expect(await clicksByDay(id)).toHaveLength(3)
  })

  test('window_mode upsert deletes nothing', async () => {
    const id = await integration({ window_mode: 'upsert' })
    await ingest(id, three, covers)
    const { run } = await ingest(id, 'date,clicks\n2026-01-01,1\n', covers)
    expect(run).toMatchObject({ rows_deleted: 0, deletes_skipped: false })
    expect(await clicksByDay(id)).toHaveLength(3)
  })
})

describe('run_seq', () => {
  test('rises by one with each run, and uploads of one integration end in the order they were sent', async () => {
    const id = await integration()
    const path = `/v1/imports?type=stats&integration_id=${id}`
    for (const clicks of [1, 2, 3]) await fixture.call('POST', path, { csv: `date,clicks\n2026-01-01,${clicks}\n` })
    await fixture.work()
    const { body } = await fixture.call('GET', `/v1/sync-runs?integration_id=${id}`)
    expect((body.data as { run_seq: number }[]).map((run) => run.run_seq).sort()).toEqual([1, 2, 3])
    expect(await clicksByDay(id)).toEqual([['2026-01-01', 3]])
  })

  test('an earlier run neither overwrites nor deletes days about which a later one has spoken', async () => {
    const id = await integration({ window_mode: 'replace' })
    await ingest(id, three, covers)
    const sql = 'update api.stats_days_seen set run_seq = 100 where integration_id = $1'
    await fixture.adminPool.query(sql, [id])
    const { run } = await ingest(id, 'date,clicks\n2026-01-01,9\n', covers)
    expect(run).toMatchObject({ rows_skipped: 1, rows_updated: 0, rows_deleted: 0 })
    expect((await clicksByDay(id)).map(([, clicks]) => clicks)).toEqual([1, 2, 3])
  })
})

describe('a line', () => {
  test('that is not UTF-8 or too large is rejected with its code, the others are stored', async () => {
    const id = await integration()
    const bad = Buffer.concat([Buffer.from('2026-01-02,c'), Buffer.from([0xff]), Buffer.from(',2\n')])
    const large = `2026-01-03,${'c'.repeat(65_536)},3\n`
    const csv = Buffer.concat([Buffer.from('date,campaign,clicks\n2026-01-01,c1,1\n'), bad, Buffer.from(large)])
    const { found } = await ingest(id, csv)
    expect(found).toMatchObject({ status: 'completed_with_errors', lines: 3, accepted: 1, rejected: 2 })
    const errors = await fixture.call('GET', `/v1/imports/${found.id}/errors`)
    const lines = errors.text.trim().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { line: 3, code: 'bad_encoding' },
      { line: 4, code: 'row_too_large' },
    ])
  })
})

test('a run shows its first 20 rejects, also in lists, with values cut to 40 characters', async () => {
  const id = await integration()
  const lines = Array.from({ length: 25 }, () => `2026-01-01,${'9'.repeat(30)}x${'9'.repeat(30)}`)
  const fine = Array.from({ length: 100 }, () => '2026-01-01,1')
  const { run } = await ingest(id, `date,clicks\n${[...lines, ...fine].join('\n')}\n`)
  const sample = run.rejects_sample as object[]
  const found = `"${'9'.repeat(30)}x${'9'.repeat(9)}…"`
  expect([sample.length, sample[0]]).toEqual([
    20,
    { line: 2, code: 'bad_number', detail: `The value is not a number. Found: ${found}.` },
  ])
  const { body } = await fixture.call('GET', `/v1/integrations/${id}/sync-runs`)
  expect(body.data).toEqual([run])
})

test('exactly 20 % of rejected lines are taken, one more is not', async () => {
  const lines = (bad: number) => Array.from({ length: 100 }, (_, index) => `2026-01-01,${index < bad ? 'x' : 1}`)
  const upload = async (bad: number) =>
    (await ingest(await integration(), `date,clicks\n${lines(bad).join('\n')}\n`)).found
  expect(await upload(20)).toMatchObject({ status: 'completed_with_errors', accepted: 80, rejected: 20 })
  expect(await upload(21)).toMatchObject({ status: 'failed', rejected: 21, error: { code: 'too_many_rejects' } })
})

describe('GET /v1/stats', () => {
  let id: string
  beforeAll(async () => {
    id = await integration({ brand_slug: 'query' })
    const lines = ['2026-01-01,c1,DE,1', '2026-01-01,c2,FR,2', '2026-01-08,c1,,4', '2026-01-08,c3,FR,8']
    await ingest(id, `date,campaign,country,clicks\n${lines.join('\n')}\n`)
  })

  test.each([
    ['filter[country]=FR', 10],
    ['filter[country]=FR&filter[campaign]=c2', 2],
    ['filter[country]=FR,DE', 11],
    // A row without a country is not of the country.
    ['filter_not[country]=FR', 5],
    ['filter[campaign]=c1&filter_not[country]=DE', 4],
    ['filter[brand]=query&filter_not[campaign]=c1,c2', 8],
  ])('%s sums %d clicks', async (query, clicks) => {
    const { body } = await stats(`${query}&filter[integration]=${id}`)
    expect(body.data).toMatchObject([{ clicks }])
    expect(body.totals).toMatchObject([{ clicks }])
  })

  test('groups by two dimensions and walks them by limit and cursor, with the totals of all', async () => {
    const query = `group_by=campaign,week&order_by=-clicks&limit=3&filter[integration]=${id}`
    const first = await stats(query)
    expect(first.body.data).toMatchObject([
      { campaign_external_id: 'c3', week: '2026-W02', clicks: 8 },
      { campaign_external_id: 'c1', week: '2026-W02', clicks: 4 },
      { campaign_external_id: 'c2', week: '2026-W01', clicks: 2 },
    ])
    expect([first.body.has_more, first.body.totals]).toMatchObject([true, [{ clicks: 15 }]])
    const rest = await stats(`${query}&cursor=${encodeURIComponent(String(first.body.next_cursor))}`)
    expect(rest.body.data).toMatchObject([{ campaign_external_id: 'c1', week: '2026-W01', clicks: 1 }])
    expect([rest.body.has_more, rest.body.next_cursor]).toEqual([false, null])
  })

  test('M1, regression: a sum that JSON cannot carry exactly is null and its metric named; all other sums are there', async () => {
    const large = await integration()
    await ingest(large, 'date,campaign,ggr\n2026-01-01,a,90071992547409.91\n2026-01-02,b,0.01\n2026-01-03,c,-0.01\n')
    const ask = (query: string) => fixture.call('GET', `/v1/stats?metrics=ggr&filter[integration]=${large}&${query}`)
    const most = 9_007_199_254_740_991
    expect((await ask('from=2026-01-01&to=2026-01-03')).body).toMatchObject({
      data: [{ ggr: most }],
      meta: { beyond_range: [] },
    })
    const { status, body } = await ask('from=2026-01-01&to=2026-01-02&group_by=day&order_by=day')
    expect([status, body]).toMatchObject([
      200,
      { data: [{ ggr: most }, { ggr: 1 }], totals: [{ ggr: null }], meta: { beyond_range: ['ggr'] } },
    ])
    const compared = await ask('from=2026-01-02&to=2026-01-02&compare=previous_period')
    expect(compared.body.data).toMatchObject([{ ggr: 1, compare: { ggr: { value: most, delta: 1 - most } } }])
  })

  test.each([
    ['group_by=day,week', 'invalid_parameter'],
    ['group_by=day,day', 'invalid_parameter'],
    ['group_by=nothing', 'invalid_parameter'],
    ['order_by=day', 'invalid_parameter'],
    ['limit=1001', 'limit_out_of_range'],
    ['filter[country]=DE,de', 'invalid_parameter'],
    ['filter_not[currency]=eur', 'invalid_parameter'],
  ])('%s is refused as %s', async (query, code) => {
    const answer = await stats(query)
    expect([answer.status, answer.body.code]).toEqual([400, code])
  })

  test('regression: what is refused is named: a metric, and the place of a filter', async () => {
    const faultsOf = async (asked: object) => {
      const json = { from: '2026-01-01', to: '2026-01-01', ...asked }
      return (await fixture.call('POST', '/v1/stats/query', { json })).body.errors
    }
    const metric = { pointer: '/metrics', code: 'invalid_value', detail: 'There is no metric wins.' }
    expect(await faultsOf({ metrics: ['clicks', 'wins'] })).toEqual([metric])
    const country = { pointer: '/filter_not/country', code: 'invalid_value' }
    expect(await faultsOf({ filter_not: { country: ['XX'] } })).toMatchObject([country])
  })
})
