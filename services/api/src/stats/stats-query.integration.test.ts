// GET /v1/stats over random rows against a computation from the raw input, walked by random pages; and over as many groups as there may be.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { holdsLoopAtMost } from '@wds/telemetry/event-loop'
import fc from 'fast-check'
import { type Fixture, startFixture } from '../api-service.fixture.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture()
})
afterAll(() => fixture?.stop())

const integration = (extra: object = {}) => fixture.createIntegration({ name: 'Query', ...extra })

async function ingest(id: string, csv: string): Promise<void> {
  const { status } = await fixture.call('POST', `/v1/imports?type=stats&integration_id=${id}`, { csv })
  expect(status).toBe(202)
  await fixture.work()
}

type Found = Record<string, string | number | null>
interface Page {
  data: Found[]
  totals: Found[]
  next_cursor: string | null
}

/** All pages of a query; each has the totals of all. */
async function walk(query: string, limit: number): Promise<Page[]> {
  const pages: Page[] = []
  for (let cursor = ''; pages.length === 0 || cursor !== ''; ) {
    const after = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const path = `/v1/stats?from=2026-01-01&to=2026-01-31&limit=${limit}&${query}${after}`
    const { status, text, body } = await fixture.call('GET', path)
    expect([status, text]).toEqual([200, expect.any(String)])
    pages.push(body as unknown as Page)
    cursor = (body as unknown as Page).next_cursor ?? ''
  }
  return pages
}

const numbers = ['clicks', 'signups', 'ftds', 'ngr', 'cpa_commission', 'other_commission'] as const
type Raw = { day: string; campaign: string | null; country: string | null; currency: string; of: string } & Record<
  (typeof numbers)[number],
  bigint | null
>

const raw: fc.Arbitrary<Raw[]> = fc.array(
  fc.record({
    day: fc.integer({ min: 1, max: 15 }).map((day) => `2026-01-${String(day).padStart(2, '0')}`),
    campaign: fc.constantFrom(null, 'a', 'B', 'Ä', '\u{1F3B2}', '\uFF5E', 'a b', 'c,d'),
    country: fc.constantFrom(null, 'DE', 'SE', 'CA'),
    currency: fc.constantFrom('EUR', 'SEK', 'JPY'),
    // Its integration, once there is one.
    of: fc.constant(''),
    // Few and round values: ratios that are equal, and such as end in a half of the sixth place.
    clicks: fc.constantFrom(0n, 1n, 7n, 128n, 640n, 10n ** 14n),
    signups: fc.constantFrom(0n, 1n, 3n, 5n),
    ftds: fc.constantFrom(0n, 1n, 2n),
    ngr: fc.bigInt({ min: -500n, max: 500n }),
    cpa_commission: fc.bigInt({ min: -9n, max: 9n }),
    other_commission: fc.constant(null),
  }),
  { minLength: 60, maxLength: 60 },
)

/** One upload per integration; the second one's has no column of some measures. */
function csvOf(rows: Raw[], without: readonly string[]): string {
  const columns = ['day', 'campaign', 'country', 'currency', ...numbers].filter((name) => !without.includes(name))
  const quoted = (value: unknown) => (value === null ? '' : `"${String(value)}"`)
  const lines = rows.map((row) => columns.map((name) => quoted(row[name as keyof Raw])).join(','))
  return `${columns.join(',').replace('day', 'date')}\n${lines.join('\n')}\n`
}

/** Decided here once more: half to even, to 6 places. */
function ratioOf(part: bigint | null, whole: bigint | null): number | null {
  if (part === null || whole === null || whole === 0n) return null
  const size = (part < 0n ? -part : part) * 10_000_000n
  const [tenths, rest] = [size / whole, size % whole]
  const [millionths, digit] = [tenths / 10n, tenths % 10n]
  const isUp = digit > 5n || (digit === 5n && (rest > 0n || millionths % 2n === 1n))
  return (Number(millionths + (isUp ? 1n : 0n)) / 1e6) * (part < 0n && millionths + (isUp ? 1n : 0n) > 0n ? -1 : 1)
}

const metrics = ['clicks', 'ftds', 'ngr', 'commission', 'conversion_rate', 'signup_rate', 'epc', 'ngr_per_ftd'] as const

function metricsOf(rows: Raw[]): Found {
  const sum = (name: (typeof numbers)[number]) => {
    const given = rows.map((row) => row[name]).filter((value) => value !== null)
    return given.length === 0 ? null : given.reduce((all, value) => all + value, 0n)
  }
  const parts = [sum('cpa_commission'), sum('other_commission')].filter((value) => value !== null)
  const commission = parts.length === 0 ? null : parts.reduce((all, value) => all + value, 0n)
  const [clicks, signups, ftds, ngr] = [sum('clicks'), sum('signups'), sum('ftds'), sum('ngr')]
  const number = (value: bigint | null) => (value === null ? null : Number(value))
  return {
    clicks: number(clicks),
    ftds: number(ftds),
    ngr: number(ngr),
    commission: number(commission),
    conversion_rate: ratioOf(ftds, clicks),
    signup_rate: ratioOf(signups, clicks),
    epc: ratioOf(commission, clicks),
    ngr_per_ftd: ratioOf(ngr, ftds),
  }
}

const keys = {
  day: { field: 'day', of: (row: Raw) => row.day },
  month: { field: 'month', of: (row: Raw) => row.day.slice(0, 7) },
  campaign: { field: 'campaign_external_id', of: (row: Raw) => row.campaign },
  campaign_of: { field: 'campaign_id', of: (row: Raw) => (row.campaign === null ? null : row.of) },
  country: { field: 'country', of: (row: Raw) => row.country },
}
type Key = keyof typeof keys

/** By bytes, null first. */
function compareValues(a: string | number | null, b: string | number | null): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? -1 : 1
  return typeof a === 'number' ? a - Number(b) : Buffer.compare(Buffer.from(a), Buffer.from(String(b)))
}

/** As the API answers, but for `campaign_id`, which is the id of the campaign's integration here. */
function expected(rows: Raw[], asked: Key[], order: { name: string; descending: boolean }) {
  const groupBy = asked.flatMap((key): Key[] => (key === 'campaign' ? ['campaign', 'campaign_of'] : [key]))
  const fields = [...groupBy.map((key) => keys[key].field), 'currency']
  const groups = Map.groupBy(rows, (row) => JSON.stringify([...groupBy.map((key) => keys[key].of(row)), row.currency]))
  const data = [...groups].map(([key, members]): Found => {
    const values = JSON.parse(key) as (string | null)[]
    return {
      ...Object.fromEntries(fields.map((field, index) => [field, values[index] ?? null])),
      ...metricsOf(members),
    }
  })
  data.sort((a, b) => {
    const first = compareValues(a[order.name] ?? null, b[order.name] ?? null) * (order.descending ? -1 : 1)
    return fields.reduce((so, field) => so || compareValues(a[field] ?? null, b[field] ?? null), first)
  })
  const byCurrency = Map.groupBy(rows, (row) => row.currency)
  const totals = [...byCurrency].sort().map(([currency, members]) => ({ currency, ...metricsOf(members) }))
  return { data, totals }
}

test('any query over any rows has the groups, order, pages and totals that the raw rows give it', async () => {
  const query = fc.record({
    groupBy: fc
      .subarray(['campaign', 'country'] as Key[])
      .chain((some) => fc.constantFrom<Key[]>(some, ['day', ...some], [...some, 'month'])),
    name: fc.constantFrom<string>(...metrics, 'time'),
    descending: fc.boolean(),
    limit: fc.constantFrom(5, 17, 1000),
  })
  const ofRows = fc.record({ rows: raw, queries: fc.array(query, { minLength: 6, maxLength: 6 }) })
  await fc.assert(
    fc.asyncProperty(ofRows, async ({ rows, queries }) => {
      const [first, second] = [await integration(), await integration()]
      const lacking = ['ftds', 'cpa_commission', 'other_commission'] as const
      const some = rows.slice(0, 30).map((row) => ({ ...row, of: first }))
      const half = rows
        .slice(30)
        .map((row) => ({ ...row, of: second, ...Object.fromEntries(lacking.map((name) => [name, null])) }))
      await ingest(first, csvOf(some, ['other_commission']))
      await ingest(second, csvOf(half, lacking))
      // Money is written in major units.
      const sourceOf = await sourcesOfCampaigns([first, second])
      const scaled = [...some, ...half].map((row) => inMinor(row as Raw))
      for (const { groupBy, name, descending, limit } of queries) {
        const time = groupBy.find((key) => key === 'day' || key === 'month')
        const order = { name: name === 'time' ? (time ?? 'clicks') : name, descending }
        const group = groupBy.length > 0 ? `&group_by=${groupBy.join(',')}` : ''
        const text = `metrics=${metrics.join(',')}${group}&order_by=${descending ? '-' : ''}${order.name}`
        const pages = await walk(`${text}&filter[integration]=${first},${second}`, limit)
        const { data, totals } = expected(scaled, groupBy, order)
        const found = pages.flatMap((page) => page.data)
        expect(found.map((row) => ('campaign_id' in row ? { ...row, campaign_id: sourceOf(row) } : row))).toEqual(data)
        for (const page of pages) expect(page.totals).toEqual(totals)
      }
    }),
    { numRuns: 3, endOnFailure: true },
  )
})

/** The integration of a row's campaign, by the list of campaigns; null where it has none. */
async function sourcesOfCampaigns(ids: string[]): Promise<(row: Found) => string | null> {
  const { body } = await fixture.call('GET', `/v1/campaigns?limit=100&integration_id=${ids}`)
  const campaigns = body.data as { id: string; integration_id: string; external_id: string }[]
  return ({ campaign_id, campaign_external_id }) => {
    const found = campaigns.find(({ id, external_id }) => id === campaign_id && external_id === campaign_external_id)
    if ((campaign_external_id === null) !== (found === undefined)) throw new Error('a group without its campaign')
    return found?.integration_id ?? null
  }
}

function inMinor(row: Raw): Raw {
  const units = row.currency === 'JPY' ? 1n : 100n
  const scaled = (value: bigint | null) => (value === null ? null : value * units)
  return { ...row, ngr: scaled(row.ngr), cpa_commission: scaled(row.cpa_commission) }
}

describe('a query of 10,000 groups', () => {
  let id: string
  beforeAll(async () => {
    id = await integration()
    await ingest(id, 'date,clicks,ftds,ngr\n2026-01-05,1000,1,1\n')
    await fixture.adminPool.query(
      `insert into api.stats_rows select copied.*
         from api.stats_rows r, generate_series(1, 9999) n, jsonb_populate_record(r, jsonb_build_object(
           'campaign_external_id', n::text, 'row_key', n::text, 'clicks', n, 'ftds', n % 7)) copied
        where r.integration_id = $1`,
      [id],
    )
  })

  test('regression: does not hold the event loop, on any page', async () => {
    const query = `from=2026-01-05&to=2026-01-05&group_by=campaign&order_by=-conversion_rate&filter[integration]=${id}`
    let cursor = ''
    for (const limit of [20, 1000, 20]) {
      const ask = () => fixture.call('GET', `/v1/stats?${query}&limit=${limit}${cursor}`)
      const result = await holdsLoopAtMost(50, ask)
      expect([result.status, result.body.totals]).toEqual([200, [expect.objectContaining({ clicks: 49_996_000 })]])
      cursor = `&cursor=${encodeURIComponent(String(result.body.next_cursor))}`
    }
  })
})
