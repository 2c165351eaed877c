/** I17 of reliability.md 5: the checker of days, which `sources-killed` and the suites of stats ask, is shown to see each damage. */
import { describe, expect, test } from '@jest/globals'
import {
  checksumOf,
  type DayRecord,
  type DayRow,
  dayFaults,
} from '../../../services/api/src/stats-days/day-checker.fixture.ts'

const measures =
  'impressions clicks unique_clicks signups ftds qualified_ftds deposits ftd_amount deposits_amount withdrawals_amount ggr bonuses_amount fees_amount chargebacks_amount ngr cpa_commission revshare_commission other_commission'.split(
    ' ',
  )
const none = Object.fromEntries(measures.map((name) => [name, null]))
const key = { integration_id: 'int_1', brand_slug: 'acme', country: 'DE', sub_affiliate_id: null, currency: 'EUR' }

const row = (day: string, campaign: string, clicks: string, hour_ms: number | null = null): DayRow => ({
  ...none,
  ...key,
  workspace_day: day,
  hour_ms,
  campaign_external_id: campaign,
  clicks,
})
const rollup = (day: string, campaign: string, clicks: string) => ({
  ...none,
  ...key,
  day,
  campaign_external_id: campaign,
  clicks,
})
const told = (type: string, date: string, more: object = {}) => ({ type: `stats.${type}`, data: { date, ...more } })

const [first, second, open] = ['2026-01-01', '2026-01-02', '2026-01-03'] as const

function goodRecord(): DayRecord {
  const rows = [row(first, 'a', '9'), row(first, 'b', '1', 0), row(first, 'b', '2', 3_600_000), row(second, 'a', '5')]
  const of = (day: string) => checksumOf(rows.filter(({ workspace_day }) => workspace_day === day))
  return {
    rows: [...rows, row(open, 'a', '7')],
    rollups: [rollup(first, 'a', '9'), rollup(first, 'b', '3'), rollup(second, 'a', '5')],
    days: [
      {
        date: first,
        status: 'final',
        pending: false,
        revisions: [
          { revision: 1, checksum: 'sha256:of what was' },
          { revision: 2, checksum: of(first) },
        ],
      },
      { date: second, status: 'final', pending: false, revisions: [{ revision: 1, checksum: of(second) }] },
      { date: open, status: 'provisional', pending: false, revisions: [] },
    ],
    told: [told('daily_ready', first), told('restated', first, { revision: 2 }), told('daily_ready', second)],
  }
}

describe('the checker of days', () => {
  test('finds nothing in a good record, with a restated day and one that is not final yet', () => {
    expect(dayFaults(goodRecord())).toEqual([])
  })

  test.each<[string, string, (record: DayRecord) => unknown]>([
    ['I17', 'a changed sum', ({ rollups }) => Object.assign(rollups[1] as object, { clicks: '4' })],
    ['I17', 'a sum of what nobody supplied', ({ rollups }) => Object.assign(rollups[2] as object, { ftds: '0' })],
    ['I17', 'a rollup that is missing', ({ rollups }) => rollups.pop()],
    ['I17', 'a rollup that is there twice', ({ rollups }) => rollups.push(structuredClone(rollups[0] as never))],
    ['I17', 'a rollup of a day that is not final', ({ rollups }) => rollups.push(rollup(open, 'a', '7') as never)],
    ['I17', 'a rollup of no day', ({ rollups }) => rollups.push(rollup('2025-12-31', 'a', '7') as never)],
    [
      'I17',
      'rows that changed behind the last revision',
      ({ rows }) => Object.assign(rows[3] as object, { clicks: '6' }),
    ],
    [
      'I17',
      'rows that moved from one hour to another',
      ({ rows }) => {
        Object.assign(rows[1] as object, { clicks: '2' })
        Object.assign(rows[2] as object, { clicks: '1' })
      },
    ],
    ['I17', 'another checksum', ({ days }) => Object.assign(days[1]?.revisions[0] as object, { checksum: 'sha256:x' })],
    ['I17', 'a revision that was left out', ({ days }) => days[0]?.revisions.shift()],
    ['I17', 'a day that is ready twice', (record) => record.told.push(told('daily_ready', second))],
    ['I17', 'a day that nobody was told is ready', (record) => record.told.pop()],
    [
      'I17',
      'a day that is told to be ready before it is final',
      (record) => record.told.push(told('daily_ready', open)),
    ],
    ['I17', 'a day that is not there and was told', (record) => record.told.push(told('daily_ready', '2026-01-09'))],
    ['I17', 'a restatement told twice', (record) => record.told.push(told('restated', first, { revision: 2 }))],
    ['I17', 'a restatement that nobody was told', (record) => record.told.splice(1, 1)],
    ['I16', 'a final day without a revision', ({ days }) => Object.assign(days[2] as object, { status: 'final' })],
  ])('%s: names %s', (wanted, _, damage) => {
    const record = goodRecord()
    damage(record)
    expect([...new Set(dayFaults(record).map((fault) => fault.split(':', 1)[0]))]).toEqual([wanted])
  })
})
