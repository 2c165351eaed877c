// Decides whether a line of a file of rates is one, and why not (domain.md 3.12). It stops at the first fault of a line.
import { isCurrency } from '@wds/contracts/currencies'
import { dayNumber } from '../../calendar/domain/calendar.ts'
import type { Cells } from '../../files/domain/named-columns.ts'
import { baseCurrency, parseRate, type RateLine } from '../../fx/domain/rate-set.ts'
import { earliestDate, type RejectedRow, rejected } from '../../sources/domain/check-row.ts'

/** The columns of a file of rates, in any order: one of `base` costs `rate` of `quote` on the day. */
export const rateColumns = { required: ['date', 'base', 'quote', 'rate'], optional: [] } as const
type RateCells = Cells<(typeof rateColumns.required)[number]>

export type CheckedRate = { ok: true; line: RateLine } | RejectedRow

/** `today`: the latest date anywhere. A rate of a later day is a mistake. */
export function checkRateLine(cells: RateCells, today: string): CheckedRate {
  const missing = rateColumns.required.find((column) => cells[column] === '')
  if (missing !== undefined) return rejected('missing_required', missing)
  const { date, base, quote, rate } = cells
  if (dayNumber(date) === null) return rejected('bad_date', 'date', date)
  if (date > today) return rejected('date_in_future', 'date', date)
  if (date < earliestDate) return rejected('date_too_old', 'date', date)
  for (const column of ['base', 'quote'] as const)
    if (!isCurrency(cells[column])) return rejected('unknown_currency', column, cells[column])
  if ((base === baseCurrency) === (quote === baseCurrency)) return rejected('not_against_euro', 'quote', quote)
  if (parseRate(rate) === null) return rejected('bad_rate', 'rate', rate)
  const isInverse = quote === baseCurrency
  return { ok: true, line: { day: date, currency: isInverse ? base : quote, isInverse, rate } }
}
