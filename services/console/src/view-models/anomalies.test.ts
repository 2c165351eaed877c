import { describe, expect, test } from '@jest/globals'
import { actionsOn, amountText, changeText, metricName, periodText, usualText } from './anomalies.ts'
import { daysAround } from './stats-series.ts'

const count = { currency: null }
const money = { currency: 'EUR' }

describe('the numbers of an anomaly', () => {
  test('counts and money, and what is not known', () => {
    expect([amountText(count, 1284), amountText(count, 1284.36), amountText(count, 2.41)]).toEqual([
      '1,284',
      '1,284',
      '2.4',
    ])
    expect([amountText(money, 1250), amountText(money, 1250.4), amountText(money, null)]).toEqual([
      '€12.50',
      '€12.50',
      '–',
    ])
  })

  test('a usual count is not below 0, money may be', () => {
    expect(usualText({ ...count, lower: -0.4, upper: 21.2 })).toBe('0 to 21')
    expect(usualText({ ...money, lower: -2_000, upper: 500 })).toBe('-€20.00 to €5.00')
    expect(usualText({ ...count, lower: null, upper: null })).toBe(null)
  })

  test('how far it lies off, where something was expected', () => {
    expect(changeText({ direction: 'drop', observed: 76, expected: 200 })).toBe('Drop, -62%')
    expect(changeText({ direction: 'spike', observed: 900, expected: 200 })).toBe('Spike, +350%')
    expect(changeText({ direction: 'spike', observed: 9, expected: 0 })).toBe('Spike')
    expect(changeText({ direction: 'drop', observed: -9, expected: null })).toBe('Drop')
  })

  test('a day, or the days that it ends; a metric that is not known', () => {
    expect(periodText({ day: '2026-11-22', window_days: 1 })).toBe('22 Nov 2026')
    expect(periodText({ day: '2026-11-22', window_days: 7 })).toBe('the week until 22 Nov 2026')
    expect(periodText({ day: '2026-11-22', window_days: 30 })).toBe('the 30 days until 22 Nov 2026')
    expect([metricName('ftds'), metricName('toString')]).toEqual(['FTDs', 'toString'])
  })

  test('what each state lets be done', () => {
    const actions = (['open', 'acknowledged', 'resolved', 'dismissed'] as const).map((status) => actionsOn({ status }))
    expect(actions.map((one) => one.length)).toEqual([3, 2, 0, 0])
  })
})

test('the chart shows the days around it, not beyond today', () => {
  const noon = Date.parse('2026-11-23T12:00:00Z')
  expect(daysAround('2026-11-01', noon)).toEqual({ from: '2026-10-04', to: '2026-11-08' })
  expect(daysAround('2026-11-22', noon)).toEqual({ from: '2026-10-25', to: '2026-11-23' })
  // A day of a zone that is ahead.
  expect(daysAround('2026-11-24', noon).to).toBe('2026-11-24')
})
