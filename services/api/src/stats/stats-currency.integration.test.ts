// Stats converted to one currency, against a computation from the rows as they were sent and the rates as the ECB's file says them.
import { readFileSync } from 'node:fs'
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

  test('M1, regression: rows whose sum no integer of the database holds cost their own sums alone', async () => {
    const id = await withRows(
      {},
      'date,campaign,currency,clicks,ngr\n2025-05-05,a,USD,1,90071992547409.91\n2025-05-05,b,USD,2,1.00\n',
    )
    await fixture.adminPool.query(
      `insert into api.stats_rows select copied.* from api.stats_rows r, generate_series(1, 1100) n,
         jsonb_populate_record(r, jsonb_build_object('sub_affiliate_id', n::text, 'row_key', n::text)) copied
       where r.integration_id = $1 and r.campaign_external_id = 'a'`,
      [id],
    )
    for (const currency of ['', '&currency=EUR']) {
      const path = `/v1/stats?from=2025-05-05&to=2025-05-05&metrics=clicks,ngr&group_by=campaign&order_by=-ngr&filter[integration]=${id}${currency}`
      const { status, body } = await fixture.call('GET', path)
      expect([status, body.totals, (body.meta as { beyond_range: unknown }).beyond_range]).toMatchObject([
        ...[200, [{ clicks: 1103, ngr: null }], ['ngr']],
      ])
      expect(body.data).toMatchObject([
        { campaign_external_id: 'a', clicks: 1101, ngr: null },
        { campaign_external_id: 'b', clicks: 2, ngr: currency === '' ? 100 : expect.any(Number) },
      ])
    }
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
