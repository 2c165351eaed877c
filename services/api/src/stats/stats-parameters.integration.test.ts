// The parameters of a stats query that the raw rows alone do not answer: another zone, comparison, finality, and the query as JSON.
// What is expected is computed here once more, from the rows as they were sent, with zones by Intl.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type Asking, days, hourMs, iso, type Row, startAsking } from './stats-asking.fixture.ts'

let asking: Asking
let fixture: Asking['fixture']
let later: Asking['later']
let withRows: Asking['withRows']
let ask: Asking['ask']
beforeAll(async () => {
  asking = await startAsking()
  ;({ fixture, later, withRows, ask } = asking)
})
afterAll(() => asking?.stop())

const hourly = { granularity: 'hour', source_time_zone: 'UTC' }
const dateIn = (ms: number, zone: string) => new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(ms)

describe('time_zone', () => {
  test('T2, T3: any hours are summed by the days of any zone, around changes of its clock too', async () => {
    const places = [
      ['Europe/Berlin', '2026-03-28T12:00Z'],
      ['Australia/Lord_Howe', '2026-04-04T00:00Z'],
      ['Asia/Kathmandu', '2026-06-01T00:00Z'],
      ['America/St_Johns', '2026-03-07T12:00Z'],
      ['Pacific/Chatham', '2026-04-04T00:00Z'],
    ] as const
    const story = fc.record({
      place: fc.constantFrom(...places),
      hours: fc.uniqueArray(fc.integer({ min: 0, max: 71 }), { minLength: 20, maxLength: 60 }),
    })
    await fc.assert(
      fc.asyncProperty(story, async ({ place: [zone, start], hours }) => {
        const rows = hours.map((hour) => ({ ms: Date.parse(start) + hour * hourMs, clicks: hour + 1 }))
        const csv = `hour,clicks\n${rows.map(({ ms, clicks }) => `${iso(ms)},${clicks}\n`).join('')}`
        const id = await withRows(hourly, csv)
        const expected = [...Map.groupBy(rows, ({ ms }) => dateIn(ms, zone))]
          .map(([day, members]) => [day, members.reduce((sum, { clicks }) => sum + clicks, 0)])
          .sort()
        const dateOf = (days: number) => iso(Date.parse(start) + days * 24 * hourMs).slice(0, 10)
        const days = `from=${dateOf(-2)}&to=${dateOf(5)}`
        const { data, meta } = await ask(
          `${days}&time_zone=${zone}&group_by=day&metrics=clicks&filter[integration]=${id}`,
        )
        expect(data.map(({ day, clicks }) => [day, clicks])).toEqual(expected)
        expect(meta.time_zone).toBe(zone)
      }),
      { numRuns: 8, endOnFailure: true },
    )
  })

  test('another zone than the workspace counts by is refused where a source reports whole days, which are named', async () => {
    const id = await withRows({}, 'date,clicks\n2026-02-01,1\n')
    const path = `/v1/stats?from=2026-02-01&to=2026-02-01&filter[integration]=${id}`
    const refused = await fixture.call('GET', `${path}&time_zone=Asia/Tokyo`)
    expect([refused.status, refused.body.code]).toEqual([400, 'time_zone_not_supported'])
    expect(refused.body.errors).toEqual([expect.objectContaining({ detail: expect.stringContaining(id) })])
    expect((await fixture.call('GET', `${path}&time_zone=Etc/UTC`)).status).toBe(200)
    expect((await fixture.call('GET', `${path}&time_zone=GMT%2B2`)).body.code).toBe('invalid_parameter')
  })
})

describe('compare', () => {
  test('stands each group against the same group of the earlier days, with difference and per cent', async () => {
    const march = days('2026-03-01', 31).map((day, at) => `${day},a,${at + 1},2`)
    const february = days('2026-02-01', 28).map((day) => `${day},a,10,-4\n${day},gone,5,0`)
    const id = await withRows(
      {},
      `date,campaign,clicks,ngr\n${[...march, '2026-03-05,new,7,0', ...february].join('\n')}\n`,
    )
    const query = `metrics=clicks,ngr,ngr_per_ftd&filter[integration]=${id}`
    const byCampaign = await ask(`from=2026-03-01&to=2026-03-31&compare=previous_month&group_by=campaign&${query}`)
    const unknown = { value: null, delta: null, delta_pct: null }
    expect(byCampaign.data).toEqual([
      {
        campaign_external_id: 'a',
        campaign_id: expect.any(String),
        currency: 'EUR',
        clicks: 496,
        ngr: 6200,
        ngr_per_ftd: null,
        compare: {
          clicks: { value: 280, delta: 216, delta_pct: 77.142857 },
          ngr: { value: -11_200, delta: 17_400, delta_pct: 155.357143 },
          ngr_per_ftd: unknown,
        },
      },
      {
        campaign_external_id: 'new',
        campaign_id: expect.any(String),
        currency: 'EUR',
        clicks: 7,
        ngr: 0,
        ngr_per_ftd: null,
        compare: { clicks: unknown, ngr: unknown, ngr_per_ftd: unknown },
      },
    ])
    const byDay = await ask(`from=2026-03-27&to=2026-03-31&compare=previous_month&group_by=day&${query}`)
    const values = byDay.data.map(({ day, compare }) => [day, (compare as Record<string, Row>).clicks?.value])
    // The last day of February stands against each day that February has not.
    expect(values).toEqual(days('2026-03-27', 5).map((day) => [day, 15]))
    const weeks = await ask(`from=2026-03-02&to=2026-03-15&compare=previous_period&group_by=week&${query}`)
    expect(weeks.data.map(({ week, compare }) => [week, (compare as Record<string, Row>).clicks?.value])).toEqual([
      ['2026-W10', 105],
      ['2026-W11', 91],
    ])
  })

  test('regression: the first days of the calendar are refused, before which, or beside which in another zone, there are none', async () => {
    const answers: unknown[] = []
    for (const from of ['0001-01-01', '0002-12-31', '0003-01-01'])
      for (const more of ['compare=previous_period', 'compare=previous_year', 'time_zone=Asia/Tokyo']) {
        const { status, body } = await fixture.call('GET', `/v1/stats?from=${from}&to=${from}&metrics=clicks&${more}`)
        answers.push([from, status, body.code ?? null])
      }
    expect(answers).toEqual(
      [
        ['0001-01-01', 400, 'invalid_parameter'],
        ['0002-12-31', 400, 'invalid_parameter'],
        ['0003-01-01', 200, null],
      ].flatMap((one) => [one, one, one]),
    )
  })

  test('on the running day both sides end at the same local hour; with a source of whole days that day is left out of both', async () => {
    const zone = 'Asia/Kolkata'
    const nowMs = Date.now()
    const startOfHour = (ms: number) => Math.floor((ms + 5.5 * hourMs) / hourMs) * hourMs - 5.5 * hourMs
    const first = startOfHour(nowMs) - 72 * hourMs
    // Hours of a source at +05:30 begin at half past.
    const hours = Array.from({ length: 73 }, (_, at) => first + at * hourMs).filter((ms) => ms <= nowMs)
    const id = await withRows(
      { granularity: 'hour', source_time_zone: zone },
      `hour,clicks\n${hours.map((ms) => `${iso(ms)},1\n`).join('')}`,
    )
    const today = dateIn(nowMs, zone)
    const yesterday = dateIn(nowMs - 24 * hourMs, zone)
    const elapsed = Math.floor((nowMs + 5.5 * hourMs) / hourMs) % 24
    const query = `from=${yesterday}&to=${today}&time_zone=${zone}&group_by=day&metrics=clicks&compare=previous_period&filter[integration]=${id}`
    const { data, meta } = await ask(query)
    const found = data.find(({ day }) => day === today)
    expect([found?.clicks ?? 0, meta.compare_excluded_days]).toEqual([elapsed, []])
    const before = (found?.compare as Record<string, Row> | undefined)?.clicks?.value ?? 0
    // Two days before there are only the hours of the last 72.
    const there = hours.filter((ms) => dateIn(ms, zone) === dateIn(nowMs - 48 * hourMs, zone))
    const cut = there.filter((ms) => Math.floor((ms + 5.5 * hourMs) / hourMs) % 24 < elapsed)
    expect(before).toBe(cut.length)

    const utcToday = iso(nowMs).slice(0, 10)
    const daily = await withRows({}, `date,clicks\n${utcToday},5\n`)
    const left = await ask(
      `from=${utcToday}&to=${utcToday}&compare=previous_period&metrics=clicks&filter[integration]=${daily}`,
    )
    const utcYesterday = iso(nowMs - 24 * hourMs).slice(0, 10)
    expect([left.data, left.meta.compare_excluded_days]).toEqual([[], [utcYesterday, utcToday]])
  })
})

test('finality=final_only sums the days that are final alone; an answer that compares is final where the earlier days are, too', async () => {
  const id = await withRows({}, 'date,clicks\n2026-01-01,1\n2026-01-02,2\n')
  await fixture.days()
  await fixture.days(later)
  await fixture.call('POST', `/v1/imports?type=stats&integration_id=${id}`, { csv: 'date,clicks\n2026-01-03,4\n' })
  await fixture.work()
  const query = `metrics=clicks&group_by=day&filter[integration]=${id}`
  const clicks = async (more: string) => (await ask(`${more}&${query}`)).data.map((row) => row.clicks)
  expect(await clicks('from=2026-01-01&to=2026-01-03')).toEqual([1, 2, 4])
  expect(await clicks('from=2026-01-01&to=2026-01-03&finality=final_only')).toEqual([1, 2])
  const isFinal = async (more: string) => (await ask(`${more}&${query}`)).meta.is_final
  expect(await isFinal('from=2026-01-02&to=2026-01-02&compare=previous_period')).toBe(true)
  expect(await isFinal('from=2026-01-01&to=2026-01-01&compare=previous_period')).toBe(false)
  expect(await isFinal('from=2026-01-01&to=2026-01-03')).toBe(false)
})

describe('POST /v1/stats/query', () => {
  test('C20: answers what GET does, page by page, and stores nothing', async () => {
    const id = await withRows(
      {},
      'date,campaign,country,clicks\n2026-05-01,a,DE,1\n2026-05-02,b,SE,2\n2026-05-02,c,,4\n',
    )
    const text = `from=2026-05-01&to=2026-05-31&group_by=campaign&metrics=clicks,epc&limit=2&filter_not[country]=SE`
    const got = await fixture.call('GET', `/v1/stats?${text}&order_by=-clicks&filter[integration]=${id}`)
    const json = {
      from: '2026-05-01',
      to: '2026-05-31',
      group_by: ['campaign'],
      metrics: ['clicks', 'epc'],
      limit: 2,
      filter: { integration: [id] },
      filter_not: { country: ['SE'] },
      order_by: '-clicks',
    }
    const before = await fixture.adminPool.query('select count(*) from api.stream_events')
    const posted = await fixture.call('POST', '/v1/stats/query', { json })
    const generated = expect.any(String)
    expect(posted.body).toEqual({ ...got.body, meta: { ...(got.body.meta as object), generated } })
    expect(posted.body.data).toMatchObject([{ campaign_external_id: 'c' }, { campaign_external_id: 'a' }])
    const first = await fixture.call('POST', '/v1/stats/query', { json: { ...json, limit: 1 } })
    const second = { ...json, limit: 1, cursor: String(first.body.next_cursor) }
    expect((await fixture.call('POST', '/v1/stats/query', { json: second })).body).toMatchObject({
      data: [{ campaign_external_id: 'a' }],
      has_more: false,
    })
    const other = { ...second, order_by: 'clicks' }
    expect((await fixture.call('POST', '/v1/stats/query', { json: other })).body.code).toBe('invalid_cursor')
    expect((await fixture.adminPool.query('select count(*) from api.stream_events')).rows).toEqual(before.rows)
  })

  test.each([
    [{ from: '2026-05-02', to: '2026-05-01' }, '/from', 'invalid_value'],
    [{ from: '2026-05-01', to: '2026-05-01', group_by: ['day', 'week'] }, '/group_by', 'invalid_value'],
    [{ from: '2026-05-01', to: '2026-05-01', colour: 1 }, '/colour', 'unknown_field'],
  ])('C05, C11: %j is refused at %s', async (json, pointer, code) => {
    const { status, body } = await fixture.call('POST', '/v1/stats/query', { json })
    expect([status, body.errors]).toEqual([422, [expect.objectContaining({ pointer, code })]])
  })
})

test('queries of one workspace that take as long as they may hold at most half of the connections: others are answered beside them', async () => {
  const holder = await fixture.adminPool.connect()
  let settled = 0
  try {
    await holder.query('begin')
    // Every query of rows waits here, as one that reads millions would.
    await holder.query('lock table api.stats_rows in access exclusive mode')
    const path = '/v1/stats?from=2026-05-01&to=2026-05-31'
    const heavy = Array.from({ length: 30 }, async () => {
      await fixture.call('GET', path)
      settled += 1
    })
    const waiting = async () => {
      const { rows } = await fixture.adminPool.query<{ n: number }>(
        `select count(*)::integer as n from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and query ilike '%stats_rows%'`,
      )
      return rows[0]?.n ?? 0
    }
    const half = 5
    while ((await waiting()) < half);
    const others = await Promise.all(
      Array.from({ length: 3 }, () => fixture.call('GET', '/v1/integrations', { as: 'b' })),
    )
    expect([others.map(({ status }) => status), await waiting(), settled]).toEqual([[200, 200, 200], half, 0])
    await holder.query('rollback')
    await Promise.all(heavy)
  } finally {
    await holder.query('rollback')
    holder.release()
  }
})
