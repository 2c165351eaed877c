// Days of stats by the database's clock, moved forward where a story needs it: ready once, restated, delayed, cut by another zone.
// Sums and checksums are computed here once more, from the raw rows alone (I17).
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createPool, type Pool } from '@wds/postgres/pool'
import { type Transaction, withTransaction } from '@wds/postgres/transaction'
import { type Fixture, startFixture } from '../api-service.fixture.ts'
import { addDays } from '../calendar/domain/calendar.ts'
import { readReferenceRates } from '../fx/reference-rates.ts'
import { readReporting } from '../integrations/store-expectable.ts'
import { scheduleOnce } from '../schedules/scheduler.ts'
import { markDays, takeDueDay, wakeDays, wakeOpenDays } from '../stats-calendar/store-day-work.ts'
import { type DayRecord, type DayRow, dayFaults, type ToldEvent } from './day-checker.fixture.ts'
import { followCalendarOnce } from './follow-calendar.ts'
import { lookOnce } from './look-at-day.ts'

let fixture: Fixture
const pools: Pool[] = []
beforeAll(async () => {
  fixture = await startFixture()
})
afterAll(async () => {
  for (const pool of pools) await pool.end()
  await fixture?.stop()
})

const hour = 3_600_000
const later = (offsetMs: number): Pool => {
  const url = `${fixture.workerUrl}?options=-c%20app.clock_offset_ms%3D${Math.round(offsetMs)}`
  const pool = createPool({ connectionString: url, applicationName: 'test-later', max: 4 })
  pools.push(pool)
  return pool
}

type As = 'a' | 'b'
async function upload(id: string, csv: string, { as = 'a', pool }: { as?: As; pool?: Pool } = {}): Promise<void> {
  const sent = await fixture.call('POST', `/v1/imports?type=stats&integration_id=${id}`, { csv, as })
  expect([sent.status, sent.text]).toEqual([202, expect.any(String)])
  await fixture.work(pool)
}

const day = async (date: string, as: As = 'a') => fixture.call('GET', `/v1/stats/days/${date}`, { as })
const stats = (query: string, o: { as?: As; headers?: Record<string, string> } = {}) =>
  fixture.call('GET', `/v1/stats?metrics=clicks,ngr&${query}`, o)

async function told(as: As, prefix = 'stats.'): Promise<ToldEvent[]> {
  const { rows } = await fixture.adminPool.query<{ payload: Buffer }>(
    'select payload from api.outbox where workspace_id = $1 order by id',
    [fixture.workspaces[as]],
  )
  const events = rows.map((row) => JSON.parse(row.payload.toString('utf8')) as ToldEvent)
  return events.filter(({ type }) => type.startsWith(prefix))
}

/** Everything that the checker looks at, of one workspace. */
async function recordOf(as: As): Promise<DayRecord> {
  const of = [fixture.workspaces[as]]
  const rows = await fixture.adminPool.query<DayRow>(
    `select r.*, r.workspace_day::text as workspace_day, extract(epoch from r.hour)::float8 * 1000 as hour_ms
     from api.stats_rows r where workspace_id = $1 and not deleted`,
    of,
  )
  const rollups = await fixture.adminPool.query(
    'select u.*, u.day::text as day from api.stats_rollups u where workspace_id = $1',
    of,
  )
  const days = await fixture.adminPool.query(
    `select d.id as date, d.status, d.state->'revisions' as revisions,
       exists (select from api.stats_day_work w where w.workspace_id = $1 and w.day = d.id::date and w.pending_since is not null) as pending
     from api.stats_days d where workspace_id = $1`,
    of,
  )
  return { rows: rows.rows, rollups: rollups.rows, days: days.rows, told: await told(as) } as DayRecord
}

describe('a day that was there before the first integration', () => {
  test('C40, I17: is final once its rows rest, told once, and its answer has the same bytes until it is restated', async () => {
    const id = await fixture.createIntegration({ name: 'Back', brand_slug: 'acme' })
    const csv = (second: number) =>
      `date,campaign,clicks,ngr\n2026-01-01,a|b,10,1.50\n2026-01-01,b,${second},-2.25\n2026-01-02,a,5,1\n`
    await upload(id, csv(30))
    await fixture.days()
    const path = 'from=2026-01-01&to=2026-01-02&group_by=day'
    expect((await day('2026-01-01')).body).toMatchObject({ status: 'provisional', revision: 0, checksum: null })
    expect((await stats(path)).body.meta).toMatchObject({ is_final: false, final_through: null, revision_max: 0 })
    expect(await told('a')).toEqual([])

    await fixture.days(later(5.9 * hour))
    expect((await day('2026-01-01')).body.status).toBe('provisional')
    // Several processes look at once: each day is ready once.
    await Promise.all([1, 2, 3].map(() => fixture.days(later(6.1 * hour))))
    const first = await day('2026-01-01')
    const checksum = `sha256:${createHash('sha256')
      .update(
        [`${id}||acme|a\\|b|||EUR||10|||||||||||||150|||\n`, `${id}||acme|b|||EUR||30|||||||||||||-225|||\n`].join(''),
      )
      .digest('hex')}`
    expect(first.body).toMatchObject({
      status: 'final',
      revision: 1,
      complete: true,
      late: false,
      row_count: 2,
      checksum,
    })
    expect(first.headers.get('etag')).toMatch(/^"v\d+"$/)
    // Days are looked at apart from each other: which of two is told first is open.
    expect((await told('a')).map(({ type, data }) => [type, data.date, data.revision]).sort()).toEqual([
      ['stats.daily_ready', '2026-01-01', 1],
      ['stats.daily_ready', '2026-01-02', 1],
      ['stats.monthly_closed', undefined, undefined],
    ])
    const answer = await stats(path)
    expect(answer.body.meta).toMatchObject({ is_final: true, final_through: '2026-01-02', revision_max: 1 })
    const etag = answer.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[\w-]+"$/)

    // Rows change: until the timer is over the day says what it said, byte for byte.
    await upload(id, csv(40), { pool: later(6.2 * hour) })
    await fixture.days(later(6.2 * hour + 100_000))
    expect((await stats(path)).text).toBe(answer.text)
    const unchanged = await stats(path, { headers: { 'if-none-match': etag } })
    expect([unchanged.status, unchanged.text]).toEqual([304, ''])
    await fixture.days(later(6.5 * hour))
    const restated = await stats(path)
    expect([restated.body.data, restated.headers.get('etag') === etag]).toMatchObject([
      [{ day: '2026-01-01', clicks: 50 }, { day: '2026-01-02' }],
      false,
    ])
    const [event] = (await told('a')).filter(({ type }) => type === 'stats.restated')
    expect(event?.data).toMatchObject({
      date: '2026-01-01',
      revision: 2,
      previous_revision: 1,
      brand_slugs: ['acme'],
      metrics_changed: ['clicks'],
      largest_change_pct: 25,
      cause: 'sync',
      sync_run_id: expect.stringMatching(/^syn_/),
    })
    expect((await day('2026-01-01')).body).toMatchObject({
      revision: 2,
      revisions: [{}, { revision: 2, cause: 'sync' }],
    })

    // There and back within the timer is no restatement.
    await upload(id, csv(41), { pool: later(7 * hour) })
    await upload(id, csv(40), { pool: later(7 * hour) })
    await fixture.days(later(8 * hour))
    expect((await day('2026-01-01')).body.revision).toBe(2)
    expect((await told('a')).filter(({ type }) => type === 'stats.restated')).toHaveLength(1)
    expect(dayFaults(await recordOf('a'))).toEqual([])
  })

  test('the checker finds each damage of a good record (I16, I17)', async () => {
    const good = await recordOf('a')
    const damaged = (change: (record: DayRecord) => void) => {
      const copy = structuredClone(good)
      change(copy)
      return dayFaults(copy)
    }
    expect(good.rollups.length).toBeGreaterThan(0)
    const firstRollup = (record: DayRecord) => record.rollups[0] as Record<string, unknown>
    expect(damaged((r) => Object.assign(firstRollup(r), { clicks: '99' }))[0]).toMatch(/^I17: .*rollup/)
    expect(damaged((r) => r.rollups.pop())[0]).toMatch(/^I17: .*rollup/)
    expect(damaged((r) => Object.assign(r.days[0]?.revisions.at(-1) as object, { checksum: 'x' }))[0]).toMatch(
      /checksum/,
    )
    expect(damaged((r) => r.days[0]?.revisions.pop())).not.toEqual([])
    expect(damaged((r) => r.told.push(structuredClone(r.told[0] as ToldEvent)))[0]).toMatch(/told 2 times/)
    expect(damaged((r) => r.told.shift())[0]).toMatch(/told 0 times/)
    expect(damaged((r) => Object.assign(r.days[0] as object, { status: 'open' }))[0]).toMatch(/^I16/)
  })

  test('C51, C53: days are listed, the last one first, by range and page; no such day is 404', async () => {
    const list = (query: string) => fixture.call('GET', `/v1/stats/days?${query}`)
    const first = await list('from=2026-01-01&to=2026-01-31&limit=1')
    expect(first.body).toMatchObject({ data: [{ date: '2026-01-02' }], has_more: true })
    const cursor = encodeURIComponent(String(first.body.next_cursor))
    const second = await list(`from=2026-01-01&to=2026-01-31&limit=1&cursor=${cursor}`)
    expect(second.body).toMatchObject({ data: [{ date: '2026-01-01' }], has_more: false, next_cursor: null })
    expect((await list(`from=2026-01-02&to=2026-01-31&cursor=${cursor}`)).body.code).toBe('invalid_cursor')
    expect((await list('from=2026-01-32')).body.code).toBe('invalid_parameter')
    expect((await list('from=2026-01-02&to=2026-01-01')).body.code).toBe('invalid_parameter')
    expect([(await day('2025-01-01')).status, (await day('nonsense')).status]).toEqual([404, 404])
    expect((await day('2026-01-01', 'b')).status).toBe(404)
  })
})

describe('a day that waits for its integrations', () => {
  const demo = (extra: object = {}) => {
    const json = {
      name: 'Demo',
      brand_slug: 'acme',
      provider: 'demo',
      initial_backfill_days: 0,
      settle_hours: 2,
      settings: { campaigns: 1, countries: ['DE'], clicks_per_day: 48 },
      ...extra,
    }
    return fixture.call('POST', '/v1/integrations', { json, as: 'b' })
  }

  /** Opens and carries out all runs that are due then, and looks at the days. */
  async function tickAt(atMs: number): Promise<void> {
    const pool = later(atMs - Date.now())
    while (await scheduleOnce({ ...fixture.worker, pool, attemptsMax: 1 }));
    await fixture.work(pool)
    await fixture.days(pool)
  }
  const midnight = Math.ceil(Date.now() / (24 * hour)) * 24 * hour
  const dates = [0, 1, 2, 3].map((days) => new Date(midnight + (days - 1) * 24 * hour).toISOString().slice(0, 10))

  test('I17: is ready when all of them have reported and its rows have rested, and late where one has not; both are told once', async () => {
    const first = String((await demo()).body.id)
    await tickAt(Date.now())
    expect((await day(dates[0] ?? '', 'b')).body).toMatchObject({ status: 'open', integrations_missing: [] })
    // Ends with the first report after its end.
    await tickAt(midnight + 60_000)
    expect((await day(dates[0] ?? '', 'b')).body).toMatchObject({ status: 'provisional' })
    await tickAt(midnight + 1.5 * hour)
    const reported = (await day(dates[0] ?? '', 'b')).body
    expect([reported.status, reported.watermark, reported.integrations_missing]).toEqual([
      'provisional',
      expect.any(String),
      [],
    ])
    await tickAt(midnight + 5 * hour)
    expect((await day(dates[0] ?? '', 'b')).body).toMatchObject({
      status: 'final',
      complete: true,
      late: false,
      integrations_included: [first],
      integrations_missing: [],
    })

    // From now on it fails: the next day waits for it, in vain.
    const failures = { every_runs: 1, attempts: 9, code: 'access_denied' }
    const settings = { campaigns: 1, countries: ['DE'], clicks_per_day: 48, failures }
    await fixture.call('PATCH', `/v1/integrations/${first}`, { json: { settings }, as: 'b' })
    const end = midnight + 24 * hour
    await tickAt(end + 23 * hour)
    expect((await day(dates[1] ?? '', 'b')).body).toMatchObject({ status: 'provisional', late: false })
    await tickAt(end + 24.1 * hour)
    expect((await day(dates[1] ?? '', 'b')).body).toMatchObject({ status: 'provisional', late: true })
    await tickAt(end + 36.1 * hour)
    const late = (await day(dates[1] ?? '', 'b')).body
    expect(late).toMatchObject({ status: 'final', complete: false, late: true, integrations_missing: [first] })
    // What a run's look-back found of earlier days is not of this story.
    const since = (await told('b')).filter(({ data }) => String(data.date) >= (dates[0] ?? ''))
    expect(since.map(({ type, data }) => [type, data.date, data.waiting_for ?? data.complete])).toEqual([
      ['stats.daily_ready', dates[0], true],
      ['stats.delayed', dates[1], [first]],
      ['stats.daily_ready', dates[1], false],
    ])
    const meta = (await fixture.call('GET', `/v1/stats?from=${dates[0]}&to=${dates[0]}`, { as: 'b' })).body.meta
    expect(meta).toMatchObject({ is_final: true, watermark: reported.watermark, incomplete_integrations: [] })

    // Who is paused is not waited for any longer.
    await fixture.call('POST', `/v1/integrations/${first}/pause`, { as: 'b' })
    await tickAt(end + 37 * hour)
    expect((await day(dates[2] ?? '', 'b')).body).toMatchObject({ status: 'provisional', integrations_missing: [] })
    expect(dayFaults(await recordOf('b'))).toEqual([])
  })

  test('regression: a month is closed whose days expect nobody and hold no rows', async () => {
    const { rows } = await fixture.adminPool.query<{ first_day: string }>(
      `update api.stats_calendars set first_day = date_trunc('month', now())::date - 2, due = now() where workspace_id = $1
       returning first_day::text`,
      [fixture.workspaces.b],
    )
    const [first = ''] = rows.map(({ first_day }) => first_day)
    await fixture.days(later(10 * 24 * hour))
    expect((await day(first, 'b')).body).toMatchObject({ status: 'final', complete: true, row_count: 0 })
    const closed = (await told('b')).filter(({ type }) => type === 'stats.monthly_closed')
    expect(closed.map(({ data }) => data.month)).toContain(first.slice(0, 7))
  })

  test('T6, domain.md T3: another zone cuts hours anew and restates the final days that it changes', async () => {
    const id = await fixture.createIntegration({ name: 'Hours', granularity: 'hour', source_time_zone: 'UTC' })
    const rows = ['2026-03-01T17:00Z,1', '2026-03-01T18:00Z,2', '2026-03-01T19:00Z,4', '2026-03-02T20:00Z,8']
    await upload(id, `hour,clicks\n${rows.join('\n')}\n`)
    await fixture.days()
    await fixture.days(later(6.1 * hour))
    const clicks = async () =>
      ((await stats(`from=2026-03-01&to=2026-03-03&group_by=day&filter[integration]=${id}`)).body.data as object[]).map(
        (row) => Object.values(row).slice(0, 3),
      )
    expect(await clicks()).toEqual([
      ['2026-03-01', 'EUR', 7],
      ['2026-03-02', 'EUR', 8],
    ])
    // 18:00 UTC is 23:45 in Kathmandu: its last quarter belongs to the next day, so the hour only nearly to this one.
    await fixture.call('PATCH', '/v1/settings', { as: 'owner', json: { time_zone: 'Asia/Kathmandu' } })
    await fixture.days(later(6.2 * hour))
    expect(await clicks()).toEqual([
      ['2026-03-01', 'EUR', 3],
      ['2026-03-02', 'EUR', 4],
      ['2026-03-03', 'EUR', 8],
    ])
    const restated = (await told('a')).filter(
      ({ type, data }) => type === 'stats.restated' && data.cause === 'settings',
    )
    expect(restated.map(({ data }) => [data.date, data.time_zone, data.revision, data.sync_run_id]).sort()).toEqual([
      ['2026-03-01', 'Asia/Kathmandu', 2, null],
      ['2026-03-02', 'Asia/Kathmandu', 2, null],
    ])
    const body = (await stats('from=2026-03-01&to=2026-03-02')).body
    expect(body.meta).toMatchObject({ time_zone: 'Asia/Kathmandu', approximate: true, is_final: true, revision_max: 2 })
    // A day that the zone leaves as it is has no further revision, but the new zone.
    expect((await day('2026-01-01')).body).toMatchObject({ revision: 2, time_zone: 'Asia/Kathmandu' })
    expect(dayFaults(await recordOf('a'))).toEqual([])
    await fixture.call('PATCH', '/v1/settings', { as: 'owner', json: { time_zone: null } })
    await fixture.days(later(6.3 * hour))
    expect(await clicks()).toEqual([
      ['2026-03-01', 'EUR', 7],
      ['2026-03-02', 'EUR', 8],
    ])
  })
})

test('regression: a workspace whose integrations were there before its days begins its calendar with the next run', async () => {
  const id = await fixture.createIntegration({ name: 'Old' })
  const of = [fixture.workspaces.a]
  await fixture.adminPool.query('delete from api.stats_calendars where workspace_id = $1', of)
  await upload(id, 'date,clicks\n2026-04-01,1\n')
  await fixture.days(later(6.5 * hour))
  expect((await day('2026-04-01')).body).toMatchObject({ status: 'final', row_count: 1 })
})

test('regression: of integrations that were deleted, of which there may be any number, a day reads those alone that it waits for', async () => {
  const [gone, waitedFor] = [
    await fixture.createIntegration({ name: 'One' }),
    await fixture.createIntegration({ name: 'Two' }),
  ]
  for (const id of [gone, waitedFor]) await fixture.call('DELETE', `/v1/integrations/${id}`)
  const workspaceId = fixture.workspaces.a
  const found = await withTransaction(fixture.workerPool, { workspaceId }, (tx) =>
    readReporting(tx, { workspaceId, deleted: [waitedFor] }),
  )
  expect(found.flatMap(({ id, status }) => (status === 'deleted' ? [id] : []))).toEqual([waitedFor])
})

describe('regression: workspaces take turns', () => {
  const query = (sql: string, values: unknown[]) => fixture.adminPool.query(sql, values)
  const options = () => ({
    pool: fixture.workerPool,
    logger: fixture.worker.logger,
    referenceRates: readReferenceRates(),
    turns: { last: '' },
    waits: { restMs: 6 * hour, restateMs: 600_000 },
  })
  beforeAll(async () => {
    const { a, b } = fixture.workspaces
    await query(
      `insert into api.stats_calendars (workspace_id, time_zone, first_day, due)
       select unnest($1::text[]), 'UTC', current_date, now() on conflict do nothing`,
      [[a, b]],
    )
    await fixture.days()
  })

  test('a day that is due waits for one day of each other workspace, not for all that were due before it', async () => {
    const days = Array.from({ length: 5 }, (_, nth) => `2020-01-0${nth + 1}`)
    const dueSql = `insert into api.stats_day_work (workspace_id, day, due)
      select $1, day::date, now() - $3::float8 * interval '1 hour' from unnest($2::text[]) day`
    const { a, b } = fixture.workspaces
    const at = async (greedy: string, other: string) => {
      await query(dueSql, [greedy, days, 3])
      await query(dueSql, [other, ['2020-01-01'], 1])
      const o = options()
      for (let look = 0; look < 2; look++) expect(await lookOnce(o)).toBe(true)
      const left = await query('select workspace_id from api.stats_day_work where due <= now()', [])
      await fixture.days()
      return left.rows.map((row) => row.workspace_id)
    }
    expect([await at(a, b), await at(b, a)]).toEqual([Array(4).fill(a), Array(4).fill(b)])
  })

  test('a workspace that wakes its calendar again and again holds up neither one that was woken nor one whose day begins', async () => {
    const { a, b } = fixture.workspaces
    const wake = (workspaceId: string) => query('insert into api.stats_wakes (workspace_id) values ($1)', [workspaceId])
    const dueIn = (workspaceId: string, hours: number) =>
      query(`update api.stats_calendars set due = now() + $2::float8 * interval '1 hour' where workspace_id = $1`, [
        workspaceId,
        hours,
      ])
    const o = options()
    const followTwice = async () => {
      for (let turn = 0; turn < 2; turn++) {
        await dueIn(a, 1)
        await wake(a)
        expect(await followCalendarOnce(o)).toBe(true)
      }
    }
    await dueIn(b, 2)
    await wake(b)
    await followTwice()
    expect((await query('select from api.stats_wakes where workspace_id = $1', [b])).rows).toEqual([])
    await dueIn(b, -1)
    await followTwice()
    const due = await query('select due > now() as later from api.stats_calendars where workspace_id = $1', [b])
    expect(due.rows).toEqual([{ later: true }])
    await fixture.days()
  })
})

describe('regression: days of one upload become final in their order', () => {
  const workspaceOf = () => fixture.workspaces.a
  const march = Array.from({ length: 60 }, (_, at) => addDays('2024-03-01', at))

  test('days that are marked or woken together are due at one instant', async () => {
    const workspaceId = workspaceOf()
    const changed = march.toReversed()
    const dues: number[] = []
    await withTransaction(later(0), { workspaceId }, async (tx) => {
      const mark = () => markDays(tx, { workspaceId, runId: 'syn_x', changed, reported: null })
      // New days, and days that wait already.
      for (const due of [
        mark,
        mark,
        () => wakeDays(tx, { workspaceId, days: changed }),
        () => wakeOpenDays(tx, workspaceId),
      ]) {
        await due()
        const { rows } = await tx.query<{ dues: number }>(
          'select count(distinct due)::integer as dues from stats_day_work where workspace_id = $1 and day = any($2::date[])',
          [workspaceId, march],
        )
        dues.push(rows[0]?.dues ?? 0)
      }
      await tx.query('delete from stats_day_work where workspace_id = $1 and day = any($2::date[])', [
        workspaceId,
        march,
      ])
    })
    expect(dues).toEqual([1, 1, 1, 1])
  })

  test('while a worker holds a day no other takes a later one of the workspace: its tiers count the held one', async () => {
    const pool = later(0)
    const workspaceId = workspaceOf()
    await fixture.days()
    await withTransaction(pool, { workspaceId }, (tx) => wakeDays(tx, { workspaceId, days: march.slice(0, 2) }))
    const take = async (tx: Transaction) => {
      const work = await takeDueDay(tx, '')
      return [work?.workspaceId, work?.day]
    }
    // Nothing else is due, so that whoever does not get this workspace's day gets none.
    const taken = await withTransaction(pool, { workspaceId: null }, async (first) => {
      const held = await take(first)
      return [held, await withTransaction(pool, { workspaceId: null }, take)]
    })
    const both = [workspaceId, march[0]]
    const again = await withTransaction(pool, { workspaceId: null }, take)
    expect([...taken, again]).toEqual([both, [undefined, undefined], both])
    await fixture.days()
  })
})
