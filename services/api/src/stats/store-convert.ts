// Converts sums as SQL (domain.md M3): those of a day and a currency once each, rounded half to even, then added.
import { type Conversion, conversionsTo, type RateSet } from '../fx/domain/rate-set.ts'
import { isCount, type SummedMeasure } from './domain/measures.ts'
import type { Param } from './store-source.ts'

/** What to convert to, and by which rates. */
export interface Fx {
  currency: string
  rates: RateSet
}

/** The rates of the days as a table `fx`. */
export function ratesSql({ currency, rates }: Fx, days: { from: string; to: string }, param: Param): string {
  const found = conversionsTo(currency, rates, days)
  const column = (of: (conversion: Conversion) => unknown, type: string) => `${param(found.map(of))}::${type}[]`
  const [day, own] = [column((one) => one.day, 'date'), column((one) => one.currency, 'text')]
  const [numerator, denominator] = [
    column((one) => String(one.numerator), 'numeric'),
    column((one) => String(one.denominator), 'numeric'),
  ]
  const most = column((one) => String(smallMost(one)), 'bigint')
  const [above, below] = ['numerator', 'denominator'].map(
    (part) => `case when most < 0 then 1 else ${part} end::bigint`,
  )
  // Days and currencies are unique already; `distinct on` tells the planner, which else hashes the sums instead of the rates.
  return `fx as (
    select distinct on (rate_day, own_currency) *, ${above} as small_numerator, ${below} as small_denominator
    from unnest(${day}, ${own}, ${numerator}, ${denominator}, ${most}) as fx(rate_day, own_currency, numerator, denominator, most))`
}

/** The largest amount whose conversion stays within bigint on the way, -1 for none. */
function smallMost({ numerator, denominator }: Conversion): bigint {
  const bound = 2n ** 62n - 1n
  return numerator > bound || denominator > bound ? -1n : bound / numerator
}

/** Sums of days and currencies, joined with their rates, as one sum: where they are `isWide` (numeric) none is too large, else each is a bigint. */
export function convertedSumSql(measure: SummedMeasure, isWide: boolean): string {
  return `sum(${isCount(measure) ? measure : convertSql(measure, isWide)})`
}

/** Names a currency and a day that has money and no rate: the sums hold only where there is none. */
export function missingSql(needed: readonly SummedMeasure[]): string {
  const money = needed.filter((measure) => !isCount(measure))
  if (money.length === 0) return 'null'
  return `min(own_currency || ' on ' || to_char(rate_day, 'YYYY-MM-DD'))
      filter (where fx.numerator is null and num_nonnulls(${money.join(', ')}) > 0)`
}

/** By bigint it is four times as fast as by numeric, and summed faster too; the greatest amounts take the slow way. Both are exact. */
function convertSql(measure: SummedMeasure, isWide: boolean): string {
  const part = `(${measure}::bigint * fx.small_numerator)`
  const isUp = `2 * abs(${part} % fx.small_denominator) + abs(${part} / fx.small_denominator % 2) > fx.small_denominator`
  const up = `case when ${isUp} then case when ${measure} < 0 then -1 else 1 end else 0 end`
  const slow = divideHalfEvenSql(`${measure} * fx.numerator`, 'fx.denominator')
  const type = isWide ? 'numeric' : 'bigint'
  return `case when abs(${measure}) <= fx.most then ${part} / fx.small_denominator + ${up} else (${slow})::${type} end`
}

/** As `divideHalfEven` of the domain: the whole must be positive, and null makes null. */
export function divideHalfEvenSql(part: string, whole: string): string {
  const quotient = `div(${part}, ${whole})`
  const isUp = `2 * abs(mod(${part}, ${whole})) + abs(mod(${quotient}, 2)) > ${whole}`
  return `(${quotient} + case when ${isUp} then sign(${part}) else 0 end)`
}
