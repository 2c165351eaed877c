// Anomalies from uploaded rows to what people do about them, by the database's clock moved past the rest of a backfilled day.

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { createPool, type Pool } from '@wds/postgres/pool'
import { type Answer, type Fixture, startFixture } from '../api-service.fixture.ts'
import { addDays, localDate } from '../calendar/domain/calendar.ts'
import { readReferenceRates } from '../fx/reference-rates.ts'
import { lookForAnomaliesOnce } from './look-for-anomalies.ts'

let fixture: Fixture
let today: string
const pools = new Map<number, Pool>()
beforeAll(async () => {
  fixture = await startFixture()
  const { rows } = await fixture.adminPool.query<{ ms: string }>('select extract(epoch from now()) * 1000 as ms')
  today = localDate(Number(rows[0]?.ms), 'UTC')
})
afterAll(async () => {
  for (const pool of pools.values()) await pool.end()
  await fixture?.stop()
})

const hour = 3_600_000
function later(offsetMs: number): Pool {
  const url = `${fixture.workerUrl}?options=-c%20app.clock_offset_ms%3D${Math.round(offsetMs)}`
  const pool = pools.get(offsetMs) ?? createPool({ connectionString: url, applicationName: 'test-later', max: 4 })
  pools.set(offsetMs, pool)
  return pool
}

type Columns = Record<string, (daysAgo: number) => number | string>
/** A line for each of the last `days` days, yesterday last. */
function csvOf(columns: Columns, o: { days?: number; from?: number } = {}): string {
  const { days = 60, from = 1 } = o
  const lines = Array.from({ length: days - from + 1 }, (_, at) => days - at).map((ago) =>
    [addDays(today, -ago), ...Object.values(columns).map((of) => of(ago))].join(','),
  )
  return ['date', ...Object.keys(columns)].join(',').concat('\n', lines.join('\n'), '\n')
}
/** About 200, without chance. */
const usual = (ago: number) => 200 + ((ago * 7) % 11) - 5

/** What a day that became final writes, of workspace $1 and day $2. */
const mark = "insert into api.anomaly_day_work (workspace_id, day, due) values ($1, $2, now() - interval '1 day')"

type As = 'a' | 'b'
async function upload(id: string, csv: string, o: { as?: As; at?: number } = {}): Promise<void> {
  const { as = 'a', at = 0 } = o
  const sent = await fixture.call('POST', `/v1/imports?type=stats&integration_id=${id}`, { csv, as })
  expect([sent.status, sent.text]).toEqual([202, expect.any(String)])
  await fixture.work(later(at))
}
async function settle(at: number): Promise<void> {
  await fixture.days(later(at))
  await fixture.anomalies(later(at))
}
type Anomaly = Record<string, unknown> & { id: string }
async function found(query = '', as: As = 'a'): Promise<Anomaly[]> {
  const { status, body, text } = await fixture.call('GET', `/v1/anomalies?limit=100&${query}`, { as })
  expect([status, text]).toEqual([200, expect.any(String)])
  return body.data as Anomaly[]
}
async function told(as: As = 'a'): Promise<{ type: string; data: Record<string, unknown> }[]> {
  const { rows } = await fixture.adminPool.query<{ payload: Buffer }>(
    'select payload from api.outbox where workspace_id = $1 order by id',
    [fixture.workspaces[as]],
  )
  return rows.map((row) => JSON.parse(row.payload.toString('utf8'))).filter(({ type }) => type.startsWith('anomaly.'))
}
const act = (id: string, action: string, json?: object, as: As | 'viewer' | 'app' = 'a'): Promise<Answer> =>
  fixture.call('POST', `/v1/anomalies/${id}/${action}`, withoutUndefined({ as, json }))

describe('a backfill of 60 days with a spike yesterday', () => {
  let spike: Anomaly
  test('finds the spike and nothing in the ordinary weeks, and tells it once, however many look', async () => {
    const id = await fixture.createIntegration({ name: 'Loud', brand_slug: 'loud' })
    const columns = { clicks: (ago: number) => (ago === 1 ? 900 : usual(ago)), ngr: (ago: number) => usual(ago) }
    await upload(id, csvOf(columns))
    const calm = await fixture.createIntegration({ name: 'Calm', brand_slug: 'calm' })
    await upload(calm, csvOf({ clicks: (ago) => usual(ago + 3) }))
    const at = 6.1 * hour
    await fixture.days(later(at))
    await Promise.all([1, 2, 3].map(() => fixture.anomalies(later(at))))
    const all = await found()
    expect(all).toMatchObject([
      {
        object: 'anomaly',
        status: 'open',
        metric: 'clicks',
        day: addDays(today, -1),
        time_zone: 'UTC',
        window_days: 1,
        observed: 900,
        currency: null,
        direction: 'spike',
        method: 'seasonal_robust_v1',
        dimension: { brand_slug: 'loud', campaign_id: null, integration_id: null, country: null },
        baseline_days: 56,
        is_final_day: true,
        resolution: null,
        reason: null,
        note: null,
        version: 1,
      },
    ])
    spike = all[0] as Anomaly
    expect(Number(spike.lower)).toBeLessThan(200)
    expect([spike.expected, spike.upper].map(Number).every((value) => value > 190 && value < 400)).toBe(true)
    expect(await told()).toMatchObject([
      { type: 'anomaly.detected', data: { anomaly_id: spike.id, brand_slug: 'loud', observed: 900, severity: 'high' } },
    ])
    // Looked at again, it is known.
    await fixture.adminPool.query('insert into api.anomaly_day_work (workspace_id, day, due) values ($1, $2, now())', [
      fixture.workspaces.a,
      addDays(today, -1),
    ])
    await fixture.anomalies(later(at))
    expect(await told()).toHaveLength(1)
  })

  test('lists by state, metric, brand, severity and day; other workspaces see none of it', async () => {
    const day = addDays(today, -1)
    const queries = ['status=open,resolved', 'metric=clicks', 'brand=loud,calm', 'severity=high', `day[gte]=${day}`]
    for (const query of [...queries, `day[lte]=${day}&day[gte]=${day}`]) expect(await found(query)).toHaveLength(1)
    const none = ['status=resolved', 'metric=ngr', 'brand=calm', 'severity=low', `day[gte]=${today}`]
    for (const query of [...none, `day[lte]=${addDays(day, -1)}`]) expect(await found(query)).toEqual([])
    expect((await fixture.call('GET', '/v1/anomalies?day[gte]=yesterday')).body.code).toBe('invalid_parameter')
    expect((await fixture.call('GET', '/v1/anomalies?status=closed')).body.code).toBe('invalid_parameter')
    expect(await found('', 'b')).toEqual([])
    expect((await fixture.call('GET', `/v1/anomalies/${spike.id}`, { as: 'b' })).status).toBe(404)
    expect((await act(spike.id, 'resolve', undefined, 'b' as As)).status).toBe(404)
  })

  test('is taken on once, ended once, and each is told', async () => {
    expect((await act(spike.id, 'resolve', undefined, 'viewer')).body.code).toBe('insufficient_scope')
    const taken = await act(spike.id, 'acknowledge', { note: 'a campaign of theirs?' })
    expect([taken.status, taken.body]).toMatchObject([200, { status: 'acknowledged', note: 'a campaign of theirs?' }])
    expect((await act(spike.id, 'acknowledge')).body).toMatchObject({
      code: 'invalid_state',
      allowed: ['resolve', 'dismiss'],
    })
    const refused = await act(spike.id, 'dismiss', { reason: 'bored' })
    expect([refused.status, refused.body.code]).toEqual([422, 'invalid_value'])
    const stale = await fixture.call('POST', `/v1/anomalies/${spike.id}/resolve`, { headers: { 'if-match': '"v1"' } })
    expect(stale.status).toBe(412)
    const ended = await act(spike.id, 'dismiss', { reason: 'expected' })
    expect(ended.body).toMatchObject({ status: 'dismissed', reason: 'expected', note: 'a campaign of theirs?' })
    expect((await act(spike.id, 'resolve')).body).toMatchObject({ code: 'invalid_state', allowed: [] })
    expect((await told()).map(({ type, data }) => [type, data.reason ?? null])).toEqual([
      ['anomaly.detected', null],
      ['anomaly.acknowledged', null],
      ['anomaly.dismissed', 'expected'],
    ])
  })

  test('a day that is restated out of its band is found then, and ended by one that takes it back', async () => {
    const [id] = (await fixture.call('GET', '/v1/integrations?brand=calm')).body.data as { id: string }[]
    const day = addDays(today, -2)
    const one = (clicks: number) => `date,clicks\n${day},${clicks}\n`
    await upload(id?.id ?? '', one(0), { at: 7 * hour })
    await settle(7.5 * hour)
    const [drop] = await found('brand=calm')
    expect(drop).toMatchObject({ metric: 'clicks', day, observed: 0, direction: 'drop', status: 'open' })
    await upload(id?.id ?? '', one(201), { at: 8 * hour })
    await settle(8.5 * hour)
    expect(await found('brand=calm')).toMatchObject([{ id: drop?.id, status: 'resolved', resolution: 'restated' }])
    expect((await told()).slice(-2)).toMatchObject([
      { type: 'anomaly.detected', data: { date: day } },
      { type: 'anomaly.resolved', data: { anomaly_id: drop?.id, resolution: 'restated' } },
    ])
  })

  test('a day that cannot be searched is put off, and holds up no other workspace', async () => {
    const id = await fixture.call('POST', '/v1/integrations', {
      as: 'b',
      json: { name: 'B', brand_slug: 'bee', provider: 'csv_upload' },
    })
    await upload(String(id.body.id), csvOf({ clicks: (ago) => (ago === 1 ? 0 : usual(ago)) }), { as: 'b' })
    await fixture.adminPool.query('update api.stats_days set time_zone = $3 where workspace_id = $1 and id = $2', [
      fixture.workspaces.a,
      addDays(today, -3),
      'Nowhere/Known',
    ])
    await fixture.adminPool.query(mark, [fixture.workspaces.a, addDays(today, -3)])
    await settle(9 * hour)
    expect(await found('', 'b')).toMatchObject([{ direction: 'drop', observed: 0 }])
    const { rows } = await fixture.adminPool.query('select day::text from api.anomaly_day_work')
    expect(rows).toEqual([{ day: addDays(today, -3) }])
  })

  test('money in another currency is judged in that of the workspace; regression: once its rates come, if they come late', async () => {
    const id = await fixture.createIntegration({ name: 'Dollars', brand_slug: 'dollars', currency: 'USD' })
    await upload(id, csvOf({ ngr: (ago) => (ago === 1 ? 0 : 10 * usual(ago)) }), { at: 17 * hour })
    await fixture.days(later(24 * hour))
    // The last day that is looked at has no rate, nor has any within a week before it.
    await fixture.anomalies(later(24 * hour))
    expect(await found('brand=dollars')).toEqual([])
    const days = Array.from({ length: 70 }, (_, at) => `${addDays(today, -at)},EUR,USD,2`)
    const csv = ['date,base,quote,rate', ...days, ''].join('\n')
    await fixture.call('POST', '/v1/imports?type=fx_rates', { csv })
    await fixture.work()
    await fixture.anomalies(later(24 * hour))
    const [one] = await found('brand=dollars')
    expect(one).toMatchObject({ metric: 'ngr', observed: 0, currency: 'EUR', direction: 'drop' })
    // 2,000 dollars are 1,000 euros.
    expect(Math.abs(Number(one?.expected) - 100_000)).toBeLessThan(3_000)
  })

  test('workspaces take turns, however many days of one are due before the others', async () => {
    const { a, b } = fixture.workspaces
    const due = (workspace: string, ago: number) => fixture.adminPool.query(mark, [workspace, addDays(today, -ago)])
    for (const ago of [6, 5, 4]) await due(a, ago)
    for (const ago of [2, 1]) await due(b, ago)
    const left = async () => {
      const sql = 'select workspace_id from api.anomaly_day_work where due <= now()'
      const { rows } = await fixture.adminPool.query<{ workspace_id: string }>(sql)
      return [a, b].map((workspace) => rows.filter(({ workspace_id }) => workspace_id === workspace).length)
    }
    const turns = { last: '' }
    const seen = [await left()]
    for (let turn = 0; turn < 5; turn += 1) {
      const o = { pool: fixture.workerPool, logger: fixture.worker.logger, referenceRates: readReferenceRates() }
      await lookForAnomaliesOnce({ ...o, turns })
      seen.push(await left())
    }
    // Which of the two begins is open.
    expect([seen[0], seen[2], seen[4]]).toEqual([
      [3, 2],
      [2, 1],
      [1, 0],
    ])
    expect(seen[5]).toEqual([0, 0])
  })

  test('regression: a day that is final without rows of a brand that nobody was to report on is no drop to 0; with a report it is', async () => {
    // Of one brand there are rows, so the day is final as any other.
    const one = await fixture.createIntegration({ name: 'Now', brand_slug: 'now' })
    await upload(one, `date,clicks\n${today},5\n`)
    await settle(61 * hour)
    expect((await fixture.call('GET', `/v1/stats/days/${today}`)).body).toMatchObject({ status: 'final', row_count: 1 })
    expect(await found(`day[gte]=${today}`)).toEqual([])
    const [loud] = (await fixture.call('GET', '/v1/integrations?brand=loud')).body.data as { id: string }[]
    await fixture.adminPool.query(
      `insert into api.stats_days_seen (workspace_id, integration_id, day, run_seq, reported) values ($1, $2, $3, 1, now())
       on conflict (workspace_id, integration_id, day) do update set reported = now()`,
      [fixture.workspaces.a, loud?.id, today],
    )
    await fixture.adminPool.query(mark, [fixture.workspaces.a, today])
    await fixture.anomalies(later(61 * hour))
    expect(await found(`day[gte]=${today}&metric=clicks`)).toMatchObject([
      { observed: 0, direction: 'drop', dimension: { brand_slug: 'loud' } },
    ])
  })

  test('a workspace that turned the detection off is not searched until it is on again', async () => {
    const turn = async (isOn: boolean) => {
      const headers = { 'content-type': 'application/merge-patch+json' }
      const json = { anomaly_detection: isOn }
      const { status, text } = await fixture.call('PATCH', '/v1/settings', { as: 'owner_b', json, headers })
      expect([status, text]).toEqual([200, expect.any(String)])
    }
    await turn(false)
    const json = { name: 'C', brand_slug: 'cee', provider: 'csv_upload' }
    const made = await fixture.call('POST', '/v1/integrations', { as: 'b', json })
    const csv = csvOf({ clicks: (ago) => (ago === 1 ? 0 : usual(ago)) })
    await upload(String(made.body.id), csv, { as: 'b', at: 9 * hour })
    await settle(16 * hour)
    const { rows } = await fixture.adminPool.query('select from api.anomaly_day_work where workspace_id = $1', [
      fixture.workspaces.b,
    ])
    expect([await found('brand=cee', 'b'), rows]).toEqual([[], []])
    await turn(true)
    await fixture.adminPool.query(mark, [fixture.workspaces.b, addDays(today, -1)])
    await settle(16 * hour)
    expect(await found('brand=cee', 'b')).toMatchObject([{ direction: 'drop', observed: 0 }])
  })
})
