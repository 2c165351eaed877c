// Ninety days of a workspace, fed by the fake network and the demo provider, against an oracle that sums the raw rows one by one: sums,
// final days, restatements that were told, one injected anomaly, and weeks in which nothing was odd. WDS_FAULTS=full: larger, by more seeds.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { isFullRun } from '@wds/local-infra/test-size'
import { type Fixture, startFixture } from './api-service.fixture.ts'
import {
  away,
  backfilledDays,
  dateAt,
  days,
  injected,
  live,
  type Story,
  type Told,
  toldIn,
} from './ninety-days.fixture.ts'
import { type Measures, measureNames } from './ninety-days-oracle.fixture.ts'

const stories = isFullRun() ? [3, 4, 5].map((seed) => ({ seed, campaigns: 24 })) : [{ seed: 3, campaigns: 12 }]

describe.each(stories)('90 days of the network of seed $seed with $campaigns campaigns', (of) => {
  let fixture: Fixture
  let story: Story
  let told: Told[]
  let anomalies: Row[]
  beforeAll(async () => {
    fixture = await startFixture()
    story = await live(fixture, of)
    told = await toldIn(fixture)
    anomalies = (await pagesOf('/v1/anomalies?limit=100')).rows
  })
  afterAll(() => fixture?.stop())

  const whole = { from: dateAt(-backfilledDays), to: dateAt(days - 1) }
  /** All rows of a query, page by page. */
  async function pagesOf(path: string): Promise<{ rows: Row[]; last: Row }> {
    const rows: Row[] = []
    for (let cursor = ''; ; ) {
      const { status, body, text } = await fixture.call('GET', `${path}${cursor}`)
      expect([status, text]).toEqual([200, expect.any(String)])
      rows.push(...(body.data as Row[]))
      if (!body.has_more) return { rows, last: body }
      cursor = `&cursor=${encodeURIComponent(String(body.next_cursor))}`
    }
  }

  test.each<[string, string, (row: { day: string; brand: string; campaign: string; country: string }) => string]>([
    [
      'day, brand, campaign and country',
      'day,brand,campaign,country',
      (r) => [r.day, r.brand, r.campaign, r.country].join(),
    ],
    ['day', 'day', ({ day }) => day],
    ['month and brand', 'month,brand', ({ day, brand }) => [day.slice(0, 7), brand].join()],
    ['country', 'country', ({ country }) => country],
  ])('by %s the sums of every measure are those of the raw rows', async (_name, grouping, of) => {
    // Unique clicks are not summed over days.
    const metrics = measureNames.filter((name) => name !== 'unique_clicks' || grouping.includes('day'))
    const query = `from=${whole.from}&to=${whole.to}&group_by=${grouping}&metrics=${metrics},commission`
    const { rows, last } = await pagesOf(`/v1/stats?${query}&limit=1000`)
    const sums = story.oracle.sums(whole, of)
    const wanted = [...sums].map(([key, sum]) => lineOf(key, sum, metrics)).sort()
    const keyOf = (row: Row) =>
      grouping
        .split(',')
        .map((name) => row[fieldOf[name] ?? name])
        .join()
    expect(wanted.length).toBeGreaterThan(2)
    expect(rows.map((row) => lineOf(keyOf(row), row as Measures, metrics)).sort()).toEqual(wanted)
    expect(last.meta).toMatchObject({ is_final: true, final_through: whole.to })
    if (grouping.includes('day')) return
    const [total] = [...story.oracle.sums(whole, () => 'EUR').values()]
    expect((last.totals as Row[]).map((row) => lineOf('EUR', row as Measures, metrics))).toEqual([
      lineOf('EUR', total ?? {}, metrics),
    ])
  })

  test('each day is provisional until all have reported and its rows rest, then final, and told once', async () => {
    const ready = told.filter(({ type }) => type === 'stats.daily_ready')
    expect(ready.map(({ data }) => data.date).sort()).toEqual([...story.expected.keys()].sort())
    expect(story.expected.size).toBe(backfilledDays + days)
    expect(ready.filter(({ data }) => data.complete !== true || data.revision !== 1)).toEqual([])
    const finalBy = (nth: number) => (story.expected.get(dateAt(nth - 1))?.finalOn === nth ? 'final' : 'provisional')
    // The first look finds the day before the first integration as the backfill left it.
    expect(story.seen).toEqual(story.seen.map((_, nth) => [dateAt(nth - 1), 'provisional', finalBy(nth)]))
    expect(story.seen.filter(([, , after]) => after !== 'final').map(([date]) => date)).toEqual(
      away.map((nth) => dateAt(nth - 1)),
    )
    const delayed = told.filter(({ type }) => type === 'stats.delayed').map(({ data }) => [data.date, data.waiting_for])
    expect(delayed).toEqual(away.map((nth) => [dateAt(nth - 1), [story.integrations.network]]))
  })

  test('each correction of a final day is told as a restatement, with what changed', () => {
    const restated = told.filter(({ type }) => type === 'stats.restated').map(({ data }) => data)
    const lines = restated.map(({ date, revision, brand_slugs, metrics_changed }) => ({
      date,
      revision,
      brand_slugs: [...(brand_slugs as string[])].sort(),
      metrics_changed: [...(metrics_changed as string[])].sort(),
    }))
    const byDay = (a: { date?: unknown; revision?: unknown }, b: typeof a) =>
      `${a.date}${a.revision}`.localeCompare(`${b.date}${b.revision}`)
    const expected = [...story.expected].flatMap(([date, { restated: all }]) => all.map((one) => ({ date, ...one })))
    expect(expected.length).toBeGreaterThan(days)
    expect(lines.sort(byDay)).toEqual(expected.sort(byDay))
    expect(restated.filter(({ cause }) => cause !== 'sync')).toEqual([])
  })

  test('the injected anomaly is found, told once and over when three usual days have followed', () => {
    const found = anomalies.filter(isInjected)
    const [sum] = [...story.oracle.sums({ from: injected, to: injected }, ({ brand }) => brand)].filter(
      ([brand]) => brand === quiet,
    )
    expect(found.map(({ metric }) => metric).sort()).toEqual(['clicks', 'commission', 'ftds', 'signups'])
    for (const { metric, ...anomaly } of found) {
      expect(anomaly).toMatchObject({ dimension: { campaign_id: null }, direction: 'drop', is_final_day: true })
      expect([metric, anomaly.status, anomaly.resolution]).toEqual([metric, 'resolved', 'recovered'])
      // The brand's only campaign has left its baseline with it.
      if (metric === 'clicks') expect(anomaly.campaign_ids).toHaveLength(1)
      if (metric !== 'commission') expect([metric, anomaly.observed]).toEqual([metric, sum?.[1][String(metric)]])
    }
    const detected = told.filter(({ type }) => type === 'anomaly.detected').map(({ data }) => data.anomaly_id)
    expect(detected.sort()).toEqual(anomalies.map(({ id }) => id).sort())
  })

  test('weeks in which nothing happened have none: what was found elsewhere were numbers that were still to come', () => {
    const elsewhere = anomalies.filter((one) => !isInjected(one))
    expect(elsewhere.filter(({ dimension }) => (dimension as Row).brand_slug === quiet)).toEqual([])
    // A campaign of the network has a few clicks in each country, by chance: its brand is judged.
    const others = elsewhere.filter(({ dimension }) => (dimension as Row).campaign_id === null)
    // Of those with enough history.
    const weeks = Array.from({ length: 8 }, (_, nth) => [dateAt(28 + 7 * nth), dateAt(34 + 7 * nth)] as const)
    const calm = weeks.filter(([from, to]) => others.every(({ day }) => String(day) < from || String(day) > to))
    expect(calm.length).toBeGreaterThan(0)
    // Those of the last days are told with the next corrections.
    const over = others.filter(({ day }) => String(day) < dateAt(days - 7))
    expect(over.map(({ direction, resolution }) => [direction, resolution])).toEqual(
      over.map(() => ['drop', 'restated']),
    )
  })

  test('the network was read in spite of its errors, without its wrong rows, and not on the days on which it was away', () => {
    const [found, expected] = story.runs
    expect(expected.filter(([, attempts]) => attempts === 2).length).toBeGreaterThan(10)
    expect(expected.filter(([, , rejected]) => rejected > 0).length).toBeGreaterThan(10)
    expect(found).toEqual(expected)
  })
})

type Row = Record<string, unknown>
/** The brand whose numbers are never corrected. */
const quiet = 'northern-bets'
const isInjected = ({ day, dimension }: Row) => day === injected && (dimension as Row).brand_slug === quiet
const fieldOf: Record<string, string> = { brand: 'brand_slug', campaign: 'campaign_external_id' }

/** A key with its measures and the commission, as text that is compared. */
function lineOf(key: string, sum: Measures, metrics: string[]): string {
  const parts = ['cpa_commission', 'revshare_commission', 'other_commission'].map((name) => sum[name] ?? null)
  const commission = parts.every((part) => part === null)
    ? null
    : parts.reduce<number>((all, part) => all + (part ?? 0), 0)
  return `${key} ${metrics.map((name) => sum[name] ?? null)} ${sum.commission ?? commission}`
}
