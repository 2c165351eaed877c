import { expect, test } from '@jest/globals'
import type { components } from '@wds/api-client/schemas'
import { layChart } from './line-chart.ts'
import { compactText } from './numbers.ts'
import { currenciesOf, periodOf, seriesOf, totalOf } from './stats-series.ts'
import { syncHealthOf } from './sync-health.ts'

const rows = [
  { day: '2026-11-01', currency: 'EUR', clicks: 10, commission: 500 },
  { day: '2026-11-01', currency: 'USD', clicks: 5, commission: 9_000 },
  { day: '2026-11-03', currency: 'EUR', clicks: 7, commission: null },
]
const period = { from: '2026-11-01', to: '2026-11-04' }

test('U17: the line has a point for each day, counts of all currencies, money of one, and null where nothing came', () => {
  const valuesOf = (metric: 'clicks' | 'commission', currency: string | null) =>
    seriesOf(rows, { ...period, metric, currency }).map(({ value }) => value)
  expect(valuesOf('clicks', null)).toEqual([15, null, 7, null])
  expect(valuesOf('commission', 'EUR')).toEqual([500, null, null, null])
  expect(currenciesOf(rows, 'commission')).toEqual(['USD', 'EUR'])
  expect(totalOf(seriesOf(rows, { ...period, metric: 'clicks', currency: null }))).toBe(22)
  expect(totalOf(seriesOf([], { ...period, metric: 'clicks', currency: null }))).toBe(null)
})

test('a period ends with today and has as many days as it says, across the end of summer time too', () => {
  expect(periodOf(Date.parse('2026-11-01T23:59:00Z'), 30)).toEqual({ from: '2026-10-03', to: '2026-11-01' })
})

const box = { width: 200, height: 100, left: 40, bottom: 20 }
const points = [10, null, 30, 40].map((value, nth) => ({ day: `2026-11-0${nth + 1}`, value }))

test('a chart stands in its box, broken where nothing is known', () => {
  const { path, ticks, places, labels, finalX } = layChart(points, box, { finalThrough: '2026-11-03' })
  expect(path.split('M')).toEqual(['', '40 62', '138.7 26L188 8'])
  expect(ticks.map(({ value }) => value)).toEqual([0, 10, 20, 30, 40])
  expect([ticks[0]?.y, ticks.at(-1)?.y]).toEqual([80, 8])
  expect(places[1]).toEqual({ day: '2026-11-02', value: null, x: 89.3, y: null })
  expect(labels.map(({ day }) => day)).toEqual(['2026-11-02', '2026-11-04'])
  expect(finalX).toBe(138.7)
})

test('a chart of zeros, of one day, of losses and of nothing has an axis all the same', () => {
  const ticksOf = (values: (number | null)[]) => {
    const { ticks } = layChart(
      values.map((value, nth) => ({ day: `2026-11-0${nth + 1}`, value })),
      box,
    )
    return ticks.map(({ value }) => value)
  }
  expect(ticksOf([0, 0])).toEqual([0, 1])
  expect(ticksOf([3])).toEqual([0, 1, 2, 3])
  expect(ticksOf([-5, 10])).toEqual([-5, 0, 5, 10])
  expect(ticksOf([null])).toEqual([0, 1])
  expect(layChart(points, box, { finalThrough: '2026-10-01' }).finalX).toBe(null)
})

test('an axis has short words', () => {
  expect([compactText(1_500, null), compactText(1_200_000, 'EUR'), compactText(0, 'JPY')]).toEqual([
    '1.5K',
    '€12K',
    '¥0',
  ])
})

type Integration = components['schemas']['Integration']

test('what is broken comes first, the longest broken at the top', () => {
  const one = (status: string, since: string | null, finished: string | null) =>
    ({ status, health: { broken_since: since }, last_sync: finished && { finished } }) as unknown as Integration
  const health = syncHealthOf([
    one('active', null, '2026-11-03T00:00:00Z'),
    one('broken', '2026-11-02T00:00:00Z', '2026-11-01T00:00:00Z'),
    one('broken', '2026-11-01T00:00:00Z', null),
  ])
  expect(health.counts).toEqual([
    { status: 'broken', count: 2 },
    { status: 'active', count: 1 },
  ])
  expect(health.broken.map((broken) => broken.health?.broken_since?.slice(0, 10))).toEqual(['2026-11-01', '2026-11-02'])
  expect([health.lastRun, syncHealthOf([]).lastRun]).toEqual(['2026-11-03T00:00:00Z', null])
})
