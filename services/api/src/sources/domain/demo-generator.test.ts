// The demo provider against domain.md 4.3: whole rows as an independent program computed them, and the story of a restatement.
import { createHash } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { fieldFaults, withDefaults } from '../../integrations/domain/integration-form.ts'
import { largestValue, measures } from '../../stats/domain/measures.ts'
import { clicksOfBusiestDay, demoDefaults, demoFailure, demoRow } from './demo-generator.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest()
const late = Date.parse('2027-01-01T00:00:00Z')

type Settings = Partial<typeof demoDefaults>
function row(hour: string, cell: { campaign: string; country: string }, given: Settings, nowMs = late): number[] {
  const settings = { ...demoDefaults, ...given }
  const startMs = Date.parse(hour)
  const made = demoRow({ ...cell, settings, startMs, day: hour.slice(0, 10), currency: 'EUR', nowMs, sha256 })
  return measures.map((measure) => Number(made.values[measure]))
}

describe('a demo row', () => {
  test('of the defaults on a Saturday', () => {
    const cell = { campaign: 'demo-2', country: 'SE' }
    const expected = [150, 6, 5, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    expect(row('2026-01-03T05:00:00Z', cell, {})).toEqual(expected)
  })

  test('of a busy Monday', () => {
    const cell = { campaign: 'demo-1', country: 'DE' }
    const settings = { seed: 7, countries: ['DE'], clicks_per_day: 50_000 }
    expect(row('2026-02-02T13:00:00Z', cell, settings)).toEqual([
      57_700, 2308, 2077, 165, 45, 38, 135, 313_605, 940_815, 376_326, 294_353, 47_040, 18_816, 0, 228_497, 570_000,
      57_124, 0,
    ])
  })

  test('of a Thursday with an anomaly and a negative NGR: money is rounded down, away from 0', () => {
    const cell = { campaign: 'demo-20', country: 'CA' }
    const settings = {
      seed: 7,
      countries: ['CA', 'DE'],
      clicks_per_day: 30_000,
      anomalies: [
        { date: '2026-02-05', factor: 0.25, campaign: 'demo-20' },
        { date: '2026-02-05', factor: 9, campaign: 'demo-1' },
        { date: '2026-02-04', factor: 9 },
      ],
    }
    expect(row('2026-02-05T22:00:00Z', cell, settings)).toEqual([
      3925, 157, 141, 9, 3, 2, 9, 17_211, 51_633, 20_653, -4017, 2581, 1032, 0, -7630, 30_000, -1908, 0,
    ])
  })

  test('of a Sunday', () => {
    const cell = { campaign: 'demo-1', country: 'MT' }
    const settings = { seed: 42, countries: ['MT'], clicks_per_day: 20_000 }
    expect(row('2025-12-28T23:00:00Z', cell, settings)).toEqual([
      22_025, 881, 792, 69, 21, 18, 63, 92_463, 277_389, 110_955, -17_068, 13_869, 5547, 0, -36_484, 270_000, -9121, 0,
    ])
  })

  test('with u10 0.211 and u11 0.388 shows FTDs and money 4 of 10 days after its hour, traffic at once', () => {
    const cell = { campaign: 'demo-1', country: 'DE' }
    const settings = { seed: 7, countries: ['DE'], clicks_per_day: 50_000, restate_days: 10 }
    const traffic = [50_775, 2031, 1827, 135]
    const money = [35, 29, 105, 252_000, 756_000, 302_400, 80_035, 37_800, 15_120, 0, 27_115, 435_000, 6778, 0]
    const hidden = money.map(() => 0)
    const at = (instant: string) => row('2026-02-02T00:00:00Z', cell, settings, Date.parse(instant))
    expect(at('2026-02-05T23:59:59Z')).toEqual([...traffic, ...hidden])
    expect(at('2026-02-06T00:00:00Z')).toEqual([...traffic, ...money])
  })
})

test('each n-th run fails its first attempts with the code', () => {
  const settings = { ...demoDefaults, failures: { every_runs: 3, attempts: 2, code: 'timeout' } }
  const codes = [1, 2, 3, 4, 5, 6].map((runSeq) => [1, 2, 3].map((attempt) => demoFailure(settings, runSeq, attempt)))
  const fine = [null, null, null]
  expect(codes).toEqual([fine, fine, ['timeout', 'timeout', null], fine, fine, ['timeout', 'timeout', null]])
})

describe('anomalies of one date', () => {
  const faultsOf = (settings: Settings) =>
    fieldFaults(withDefaults({ name: 'One', brand_slug: 'acme', provider: 'demo', settings }))
  const date = '2026-02-05'

  test('multiply for a campaign, and not beyond it or the date', () => {
    const anomalies = [
      { date, factor: 3 },
      { date, factor: 5, campaign: 'demo-1' },
      { date, factor: 7, campaign: 'demo-2' },
      { date: '2026-02-06', factor: 11 },
    ]
    expect(clicksOfBusiestDay({ clicks_per_day: 100, anomalies })).toBe(2100)
    expect(clicksOfBusiestDay({ clicks_per_day: 100, anomalies: [{ date, factor: 0 }] })).toBe(100)
  })

  test('regression: 100 of them are refused where their product has no bound, and taken where it has', () => {
    const anomalies = (factor: number) => Array.from({ length: 100 }, () => ({ date, factor }))
    expect(faultsOf({ anomalies: anomalies(1000) })).toMatchObject([
      { pointer: '/settings/anomalies', code: 'out_of_range' },
    ])
    expect(faultsOf({ anomalies: anomalies(1.1) })).toEqual([])
    expect(faultsOf({ clicks_per_day: 10_000_000, anomalies: [{ date, factor: 1000 }] })).toEqual([])
    expect(
      faultsOf({
        clicks_per_day: 10_000_000,
        anomalies: [
          { date, factor: 1000 },
          { date, factor: 2 },
        ],
      }),
    ).toHaveLength(1)
  })

  test('that the form takes make no measure that is out of range', () => {
    const factor = fc.integer({ min: 1, max: 1000 })
    const anomaly = fc.record({ date: fc.constant(date), factor })
    const clicks_per_day = fc.integer({ min: 0, max: 10_000_000 })
    fc.assert(
      fc.property(fc.array(anomaly, { maxLength: 4, size: 'max' }), clicks_per_day, (anomalies, clicks) => {
        const settings = { countries: ['DE'], clicks_per_day: clicks, anomalies }
        fc.pre(faultsOf(settings).length === 0)
        const values = row('2026-02-05T12:00:00Z', { campaign: 'demo-1', country: 'DE' }, settings)
        expect(values.filter((value) => !(Math.abs(value) <= Number(largestValue)))).toEqual([])
      }),
    )
  })
})
