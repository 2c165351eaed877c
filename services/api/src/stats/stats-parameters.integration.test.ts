// The parameters of a stats query that the raw rows alone do not answer: another zone, comparison, finality, and the query as JSON.
// What is expected is computed here once more, from the rows as they were sent, with zones by Intl.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createPool, type Pool } from '@wds/postgres/pool'
import fc from 'fast-check'
import { type Fixture, startFixture } from '../test-fixture.ts'

let fixture: Fixture
let later: Pool
beforeAll(async () => {
  fixture = await startFixture()
  const url = `${fixture.workerUrl}?options=-c%20app.clock_offset_ms%3D${7 * 3_600_000}`
  later = createPool({ connectionString: url, applicationName: 'test-later', max: 2 })
})
afterAll(async () => {
  await later?.end()
  await fixture?.stop()
})

async function withRows(fields: object, csv: string): Promise<string> {
  const id = await fixture.createIntegration({ name: 'Parameters', ...fields })
  const sent = await fixture.call('POST', `/v1/imports?type=stats&integration_id=${id}`, { csv })
  expect([sent.status, sent.text]).toEqual([202, expect.any(String)])
  await fixture.work()
  return id
}

type Row = Record<string, unknown>
async function ask(query: string): Promise<{ data: Row[]; totals: Row[]; meta: Row }> {
  const { status, text, body } = await fixture.call('GET', `/v1/stats?limit=1000&${query}`)
  expect([status, text]).toEqual([200, expect.any(String)])
  return body as never
}

const hourly = { granularity: 'hour', source_time_zone: 'UTC' }
const iso = (ms: number) => new Date(ms).toISOString()
const dateIn = (ms: number, zone: string) => new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(ms)
const hourMs = 3_600_000
const days = (from: string, count: number) =>
  Array.from({ length: count }, (_, at) => iso(Date.parse(`${from}T00:00Z`) + at * 24 * hourMs).slice(0, 10))

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
        ...{
          campaign_external_id: 'a',
          campaign_id: expect.any(String),
          currency: 'EUR',
          clicks: 496,
          ngr: 6200,
          ngr_per_ftd: null,
        },
        compare: {
          clicks: { value: 280, delta: 216, delta_pct: 77.142857 },
          ngr: { value: -11_200, delta: 17_400, delta_pct: 155.357143 },
          ngr_per_ftd: unknown,
        },
      },
      {
        ...{
          campaign_external_id: 'new',
          campaign_id: expect.any(String),
          currency: 'EUR',
          clicks: 7,
          ngr: 0,
          ngr_per_ftd: null,
        },
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

describe('M3: currency', () => {
  const [head = '', ...lines] = readFileSync(new URL('../fx/ecb/2026-10-30.1.csv', import.meta.url), 'utf8').split('\n')
  const published = new Map(lines.map((line) => [line.slice(0, 10), line.split(',')]))
  /** Units for one euro, times a million, as the file says them; of the nearest day before where the day is a holiday. */
  const perEuro = (day: string, currency: string): bigint => {
    if (currency === 'EUR') return 1_000_000n
    const at = iso(Date.parse(day)).slice(0, 10)
    const cell = published.get(at)?.[head.split(',').indexOf(currency)]
    if (cell === undefined) return perEuro(iso(Date.parse(day) - 24 * hourMs).slice(0, 10), currency)
    const [whole = '', fraction = ''] = cell.split('.')
    return BigInt(whole + fraction.padEnd(6, '0'))
  }
  const scale = (currency: string) => (currency === 'JPY' ? 1n : 100n)
  /** Computed here once more: the even one of the two nearest integers where both are as near. */
  function toCurrency(amount: bigint, o: { day: string; from: string; to: string }): bigint {
    const part = amount * perEuro(o.day, o.to) * scale(o.to)
    const whole = perEuro(o.day, o.from) * scale(o.from)
    const below = part / whole - (part % whole < 0n ? 1n : 0n)
    const above = 2n * (part - below * whole) - whole
    return above > 0n || (above === 0n && below % 2n !== 0n) ? below + 1n : below
  }
  /** Days of each run are its own: the first half becomes final, so no other test may have rows of them. Easter is among the first. */
  const datesOf = (run: number) => days(iso(Date.parse('2024-03-25') + run * 14 * 24 * hourMs).slice(0, 10), 10)
  const half = 5
  const raw = fc.record({
    at: fc.nat({ max: 9 }),
    country: fc.constantFrom('DE', 'SE', 'CA'),
    currency: fc.constantFrom('EUR', 'USD', 'JPY', 'SEK', 'HUF'),
    clicks: fc.integer({ min: 0, max: 9 }),
    ngr: fc.oneof(
      fc.constant(null),
      fc.integer({ min: -99, max: 99 }),
      fc.integer({ min: -(10 ** 9), max: 10 ** 9 }),
      fc.integer({ min: 10 ** 11, max: 4 * 10 ** 11 }),
    ),
  })
  type Raw = (typeof raw extends fc.Arbitrary<infer T> ? T : never) & { day: string }
  /** Money is written in major units; a file that has no column of it supplies none. */
  const csvOf = (rows: Raw[]) => {
    const line = ({ day, country, currency, clicks, ngr }: Raw) => {
      if (ngr === null) return [day, country, currency, clicks]
      const digits = String(Math.abs(ngr)).padStart(3, '0')
      const major = currency === 'JPY' ? Number(digits) : `${digits.slice(0, -2)}.${digits.slice(-2)}`
      return [day, country, currency, clicks, `${ngr < 0 ? '-' : ''}${major}`]
    }
    const columns = `date,country,currency,clicks${rows[0]?.ngr === null ? '' : ',ngr'}`
    return `${columns}\n${rows.map((row) => line(row).join(',')).join('\n')}\n`
  }
  function sumOf(rows: Raw[], to: string): number | null {
    const given = rows.filter(({ ngr }) => ngr !== null)
    if (given.length === 0) return null
    const groups = Map.groupBy(given, ({ day, currency }) => `${day} ${currency}`)
    const converted = [...groups.values()].map((members) => {
      const [one] = members
      const sum = members.reduce((all, { ngr }) => all + BigInt(ngr ?? 0), 0n)
      return toCurrency(sum, { day: one?.day ?? '', from: one?.currency ?? '', to })
    })
    return Number(converted.reduce((all, value) => all + value, 0n))
  }

  /** The ISO week of a day, decided by its Thursday. */
  function weekOf(day: string): string {
    const midnight = Date.parse(day)
    const thursday = midnight + (3 - ((new Date(midnight).getUTCDay() + 6) % 7)) * 24 * hourMs
    const year = iso(thursday).slice(0, 4)
    const number = Math.floor((thursday - Date.parse(`${year}-01-01`)) / (7 * 24 * hourMs)) + 1
    return `${year}-W${String(number).padStart(2, '0')}`
  }
  const keys = {
    day: ({ day }: Raw) => day,
    week: ({ day }: Raw) => weekOf(day),
    month: ({ day }: Raw) => day.slice(0, 7),
    country: ({ country }: Raw) => country,
    currency: ({ currency }: Raw) => currency,
  }
  type Key = keyof typeof keys
  const groupings: Key[][] = [
    ...[['day'], ['week'], ['country'], ['currency']],
    ...[
      ['day', 'country'],
      ['country', 'week', 'currency'],
      ['month', 'currency'],
    ],
  ] as Key[][]
  const filters: [string, (row: Raw) => boolean][] = [
    ['', () => true],
    ['&filter[country]=DE,SE', ({ country }) => country !== 'CA'],
    [
      '&filter_not[currency]=JPY,EUR&filter[country]=DE',
      (row) => !/JPY|EUR/.test(row.currency) && row.country === 'DE',
    ],
  ]

  test('sums of each day and currency are converted by the rate of their day, then added, of rollups and rows, under any grouping and filter; totals are those of any grouping', async () => {
    const story = fc.record({
      rows: fc.uniqueArray(raw, {
        minLength: 60,
        maxLength: 60,
        selector: (row) => `${row.at},${row.country},${row.currency}`,
      }),
      to: fc.constantFrom('EUR', 'USD', 'JPY', 'HUF'),
    })
    let run = 0
    await fc.assert(
      fc.asyncProperty(story, async ({ rows: drawn, to }) => {
        const dates = datesOf(run++)
        const rows = drawn.map((row) => ({ ...row, day: dates[row.at] ?? '' }))
        const ids: string[] = []
        const early = rows.filter(({ at }) => at < half)
        for (const part of [early, rows.filter(({ at }) => at >= half)]) {
          for (const file of [part.filter(({ ngr }) => ngr !== null), part.filter(({ ngr }) => ngr === null)])
            if (file.length > 0) ids.push(await withRows({}, csvOf(file)))
          if (part === early) await fixture.days(later)
        }
        const { rows: finals } = await fixture.adminPool.query(
          "select id from api.stats_days where workspace_id = $1 and status = 'final' and id between $2 and $3 order by id",
          [fixture.workspaces.a, dates[0], dates.at(-1)],
        )
        expect(finals.map(({ id }) => id)).toEqual([...new Set(early.map(({ day }) => day))].sort())
        const query = `metrics=clicks,ngr&currency=${to}&filter[integration]=${ids}`
        const sumsOf = (some: Raw[]) => [some.reduce((all, { clicks }) => all + clicks, 0), sumOf(some, to)]
        for (const [filter, isFound] of filters)
          for (const groupBy of groupings) {
            const found = rows.filter(isFound)
            const groups = Map.groupBy(found, (row) => groupBy.map((key) => keys[key](row)).join())
            const { data, totals, meta } = await ask(
              `from=${dates[0]}&to=${dates[9]}&group_by=${groupBy}&${query}${filter}`,
            )
            expect(new Map(data.map((row) => [groupBy.map((key) => row[key]).join(), [row.clicks, row.ngr]]))).toEqual(
              new Map([...groups].map(([key, members]) => [key, sumsOf(members)])),
            )
            const [clicks, ngr] = sumsOf(found)
            expect([totals, meta.currency]).toEqual([found.length === 0 ? [] : [{ currency: to, clicks, ngr }], to])
            expect(meta.fx).toEqual({
              policy: 'rate_of_day',
              rate_set: '2026-10-30.1',
              sources: ['European Central Bank'],
            })
          }
        const compared = await ask(
          `from=${dates[half]}&to=${dates[9]}&compare=previous_period&group_by=country&${query}`,
        )
        for (const { country, compare } of compared.data)
          expect([country, compare]).toMatchObject([
            country,
            {
              ngr: {
                value: sumOf(
                  early.filter((row) => row.country === country),
                  to,
                ),
              },
            },
          ])
      }),
      { numRuns: 5, endOnFailure: true },
    )
  })

  test('what is compared with takes the rates of its own days, and a page goes on in the order of what was converted', async () => {
    const rows = [
      '2025-04-14,a,USD,1000.00',
      '2025-04-15,a,USD,1000.00',
      '2025-04-15,b,JPY,1000',
      '2025-04-15,c,EUR,500.00',
    ]
    const id = await withRows({}, `date,campaign,currency,ngr\n${rows.join('\n')}\n`)
    const query = `from=2025-04-15&to=2025-04-15&metrics=ngr&group_by=campaign&order_by=-ngr&currency=EUR&filter[integration]=${id}`
    const dollars = (day: string) => Number(toCurrency(100_000n, { day, from: 'USD', to: 'EUR' }))
    const [now, was] = [dollars('2025-04-15'), dollars('2025-04-14')]
    expect(now).not.toBe(was)
    const found: Row[] = []
    for (let cursor = '', more = true; more; ) {
      const { body } = await fixture.call('GET', `/v1/stats?limit=1&compare=previous_period&${query}${cursor}`)
      found.push(...(body.data as Row[]))
      cursor = `&cursor=${String(body.next_cursor)}`
      more = body.has_more === true
    }
    expect(found.map((row) => [row.campaign_external_id, row.ngr])).toEqual([
      ['a', now],
      ['c', 50_000],
      ['b', Number(toCurrency(1000n, { day: '2025-04-15', from: 'JPY', to: 'EUR' }))],
    ])
    const { body: first } = await fixture.call('GET', `/v1/stats?limit=1&${query}`)
    const after = `&cursor=${String(first.next_cursor)}`
    // A cursor goes on with the rates it began with: those that were the newest then are the same when they are named.
    const pinned = await fixture.call('GET', `/v1/stats?limit=1&${query}&rate_set=2026-10-30.1${after}`)
    expect([pinned.status, pinned.body.data]).toMatchObject([200, [{ campaign_external_id: 'c' }]])
    expect(found[0]?.compare).toMatchObject({ ngr: { value: was, delta: now - was } })
  })

  test('M1: a sum of a day that no integer of the database holds is refused as too large', async () => {
    const id = await withRows({}, 'date,currency,ngr\n2025-05-05,USD,90071992547409.91\n')
    await fixture.adminPool.query(
      `insert into api.stats_rows select copied.* from api.stats_rows r, generate_series(1, 1100) n,
         jsonb_populate_record(r, jsonb_build_object('campaign_external_id', n::text, 'row_key', n::text)) copied
       where r.integration_id = $1`,
      [id],
    )
    const path = `/v1/stats?from=2025-05-05&to=2025-05-05&metrics=ngr&currency=EUR&filter[integration]=${id}`
    const { status, body } = await fixture.call('GET', path)
    expect([status, body.code]).toEqual([422, 'amount_overflow'])
  })

  test('rate_missing: money without a rate is refused and named; a count alone and money in that currency need none', async () => {
    const id = await withRows({}, 'date,currency,clicks,ngr\n2025-04-15,KWD,1,1.234\n')
    const counts = await withRows({}, 'date,currency,clicks\n2025-04-16,EUR,2\n')
    const path = (more: string) =>
      fixture.call('GET', `/v1/stats?from=2025-04-15&to=2025-04-16&filter[integration]=${id},${counts}&${more}`)
    const refused = await path('metrics=ngr&currency=EUR')
    expect([refused.status, refused.body.code]).toEqual([422, 'rate_missing'])
    expect(refused.body.detail).toContain('KWD on 2025-04-15')
    const totals = async (more: string) => (await path(more)).body.totals
    expect(await totals('metrics=clicks&order_by=clicks&currency=EUR')).toEqual([{ currency: 'EUR', clicks: 3 }])
    expect(await totals('metrics=ngr,clicks&currency=KWD')).toEqual([{ currency: 'KWD', ngr: 1234, clicks: 3 }])
    expect(await totals('metrics=ngr&currency=USD&filter[currency]=EUR')).toEqual([{ currency: 'USD', ngr: null }])
    expect(await totals('metrics=ngr&currency=USD&filter[currency]=GBP')).toEqual([])
  })

  test.each([
    ['currency=XYZ', 422, 'unknown_currency'],
    ['currency=eur', 422, 'unknown_currency'],
    ['rate_set=2026-10-30.1', 400, 'invalid_parameter'],
    ['currency=EUR&rate_set=2020-01-01.1', 400, 'invalid_parameter'],
    ['currency=EUR&rate_set=2026-10-30.1', 200, undefined],
  ])('%s is answered by %i', async (query, status, code) => {
    const answer = await fixture.call('GET', `/v1/stats?from=2024-06-03&to=2024-06-03&${query}`)
    expect([answer.status, answer.body.code]).toEqual([status, code])
  })
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
      ...{ from: '2026-05-01', to: '2026-05-31', group_by: ['campaign'], metrics: ['clicks', 'epc'], limit: 2 },
      ...{ filter: { integration: [id] }, filter_not: { country: ['SE'] }, order_by: '-clicks' },
    }
    const before = await fixture.adminPool.query('select count(*) from api.stream_events')
    const posted = await fixture.call('POST', '/v1/stats/query', { json })
    const generated = expect.any(String)
    expect(posted.body).toEqual({ ...got.body, meta: { ...(got.body.meta as object), generated } })
    expect(posted.body.data).toMatchObject([{ campaign_external_id: 'c' }, { campaign_external_id: 'a' }])
    const first = await fixture.call('POST', '/v1/stats/query', { json: { ...json, limit: 1 } })
    const second = { ...json, limit: 1, cursor: String(first.body.next_cursor) }
    expect((await fixture.call('POST', '/v1/stats/query', { json: second })).body).toMatchObject({
      ...{ data: [{ campaign_external_id: 'a' }], has_more: false },
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
