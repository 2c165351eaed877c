// Decides which closed months a payout pays for (domain.md 3.9): what was earned first is paid first. A closed month never comes to less
// than 0 (decision 67), so what was earned by its end only grows from month to month.
import { addDays } from '../../calendar/domain/calendar.ts'
import { monthAfter } from '../../ledger/domain/month.ts'

/** A month without payouts; `month` as `2026-01`. */
export interface ClosedMonth {
  month: string
  amount: bigint
  entries: number
}

/** `months`: all that are closed, in their order. `paid`: what payouts have taken of them before. Throws where they come to less than both. */
export function coveredMonths(
  months: readonly ClosedMonth[],
  o: { paid: bigint; amount: bigint },
): { period: { from: string; to: string }; entries: number } {
  let earned = 0n
  let from: string | null = null
  let entries = 0
  for (const one of months) {
    earned += one.amount
    if (earned <= o.paid) continue
    from ??= `${one.month}-01`
    entries += one.entries
    if (earned >= o.paid + o.amount)
      return { period: { from, to: addDays(`${monthAfter(one.month)}-01`, -1) }, entries }
  }
  throw new RangeError('a payout of more than was earned')
}
