// Decides with which days a range is compared, and which of them stands against which (domain.md 3.5, `compare`).
import { addDays, dateOf, dayNumberOf, daysBetween } from '../../calendar/domain/calendar.ts'

export const compareModes = [
  'previous_period',
  'previous_period_weekday_aligned',
  'previous_month',
  'previous_year',
] as const
export type CompareMode = (typeof compareModes)[number]

export interface Range {
  from: string
  to: string
}

/** The day that stands against one of the range. */
export function counterpart(day: string, mode: CompareMode, range: Range): string {
  const length = daysBetween(range.from, range.to)
  switch (mode) {
    case 'previous_period':
      return addDays(day, -length)
    case 'previous_period_weekday_aligned':
      return addDays(day, -7 * Math.ceil(length / 7))
    case 'previous_month':
      return monthsBefore(day, 1)
    case 'previous_year':
      return monthsBefore(day, 12)
  }
}

/** The same day of an earlier month, or its last one. */
function monthsBefore(day: string, months: number): string {
  const [year = 0, month = 1, number = 1] = day.split('-').map(Number)
  const count = year * 12 + month - 1 - months
  const [toYear, toMonth] = [Math.floor(count / 12), (count % 12) + 1]
  for (let last = number; ; last -= 1) {
    const found = dayNumberOf(toYear, toMonth, last)
    if (found !== null) return dateOf(found)
  }
}

/** The range that is compared with. */
export function compareRange(range: Range, mode: CompareMode): Range {
  return { from: counterpart(range.from, mode, range), to: counterpart(range.to, mode, range) }
}

/** A day of the earlier range, and the day of the range whose group it belongs to. */
export interface Pair {
  earlier: string
  day: string
}

/**
 * Which earlier day counts for which day of the range. `byDay`: each day has its own counterpart, the last ones of a month may share one.
 * Else each earlier day counts once: for the last day whose counterpart is not after it.
 */
export function comparePairs(range: Range, mode: CompareMode, { byDay }: { byDay: boolean }): Pair[] {
  const own: Pair[] = []
  for (let day = range.from; day <= range.to; day = addDays(day, 1))
    own.push({ earlier: counterpart(day, mode, range), day })
  if (byDay) return own
  const { from, to } = compareRange(range, mode)
  const pairs: Pair[] = []
  let at = 0
  for (let earlier = from; earlier <= to; earlier = addDays(earlier, 1)) {
    while (own[at + 1] !== undefined && (own[at + 1] as Pair).earlier <= earlier) at += 1
    pairs.push({ earlier, day: (own[at] as Pair).day })
  }
  return pairs
}
