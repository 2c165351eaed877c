// The days that a range is compared with.
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { addDays, dateOf, dayNumber, daysBetween, weekdayOf } from '../../calendar/domain/calendar.ts'
import { type CompareMode, compareModes, comparePairs, compareRange } from './compare-period.ts'

test.each<[CompareMode, string, string, string, string]>([
  ['previous_period', '2026-03-10', '2026-03-12', '2026-03-07', '2026-03-09'],
  ['previous_period_weekday_aligned', '2026-03-10', '2026-03-12', '2026-03-03', '2026-03-05'],
  ['previous_period_weekday_aligned', '2026-03-01', '2026-03-07', '2026-02-22', '2026-02-28'],
  ['previous_period_weekday_aligned', '2026-03-01', '2026-03-08', '2026-02-15', '2026-02-22'],
  ['previous_month', '2026-03-01', '2026-03-31', '2026-02-01', '2026-02-28'],
  ['previous_month', '2026-01-15', '2026-02-10', '2025-12-15', '2026-01-10'],
  ['previous_year', '2024-02-29', '2024-03-01', '2023-02-28', '2023-03-01'],
])('%s of %s to %s is %s to %s', (mode, from, to, earlierFrom, earlierTo) => {
  expect(compareRange({ from, to }, mode)).toEqual({ from: earlierFrom, to: earlierTo })
})

test('by day, the last days of a long month share the last one of a short month; else each earlier day counts once', () => {
  const range = { from: '2026-03-27', to: '2026-03-31' }
  const earlier = (byDay: boolean) =>
    comparePairs(range, 'previous_month', { byDay }).map((pair) => pair.earlier.slice(5))
  expect(earlier(true)).toEqual(['02-27', '02-28', '02-28', '02-28', '02-28'])
  expect(earlier(false)).toEqual(['02-27', '02-28'])
})

test('any range: every earlier day counts once, for a day of the range; aligned ones have the same weekday', () => {
  const range = fc
    .tuple(fc.integer({ min: 18_000, max: 21_000 }), fc.integer({ min: 0, max: 365 }))
    .map(([first, more]) => ({ from: dateOf(first), to: dateOf(first + more) }))
  fc.assert(
    fc.property(range, fc.constantFrom(...compareModes), (asked, mode) => {
      const earlier = compareRange(asked, mode)
      const pairs = comparePairs(asked, mode, { byDay: false })
      const days = Array.from({ length: daysBetween(earlier.from, earlier.to) }, (_, at) => addDays(earlier.from, at))
      expect(pairs.map((pair) => pair.earlier)).toEqual(days)
      expect(pairs.every(({ day }) => day >= asked.from && day <= asked.to)).toBe(true)
      expect(earlier.to < asked.to).toBe(true)
      if (mode !== 'previous_period_weekday_aligned') return
      const weekday = (day: string) => weekdayOf(dayNumber(day) ?? 0)
      expect(pairs.every((pair) => weekday(pair.earlier) === weekday(pair.day))).toBe(true)
    }),
  )
})
