// Converts sums as SQL (domain.md M3): those of a day and a currency once each, rounded half to even, then added.
import { type Conversion, conversionsTo, type RateSet } from '../fx/domain/rate-set.ts'
import { isCount, type Measure } from './domain/measures.ts'
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
  return `fx as materialized (
    select * from unnest(${day}, ${own}, ${numerator}, ${denominator}) as fx(rate_day, own_currency, numerator, denominator))`
}

/**
 * Sums of days and currencies (`rate_day`, `own_currency`) as sums of the keys. `missing` names a currency and a day that has money and no
 * rate: the sums hold only where there is none.
 */
export function convertedSql(parts: string, keys: readonly string[], needed: readonly Measure[]): string {
  const money = needed.filter((measure) => !isCount(measure))
  const converted = (measure: Measure) =>
    isCount(measure) ? measure : divideHalfEvenSql(`${measure} * fx.numerator`, 'fx.denominator')
  const sums = needed.map((measure) => `sum(${converted(measure)}) as ${measure}, `).join('')
  const isMissing = money.length === 0 ? 'false' : `fx.numerator is null and num_nonnulls(${money.join(', ')}) > 0`
  return `select ${keys.map((key) => `${key}, `).join('')}${sums}bool_or(approximate) as approximate,
      min(own_currency || ' on ' || to_char(rate_day, 'YYYY-MM-DD')) filter (where ${isMissing}) as missing
    from ${parts} parts left join fx using (rate_day, own_currency)
    ${keys.length === 0 ? 'having count(*) > 0' : `group by ${keys.join(', ')}`}`
}

/** As `divideHalfEven` of the domain: the whole must be positive, and null makes null. */
export function divideHalfEvenSql(part: string, whole: string): string {
  const quotient = `div(${part}, ${whole})`
  const isUp = `2 * abs(mod(${part}, ${whole})) + abs(mod(${quotient}, 2)) > ${whole}`
  return `(${quotient} + case when ${isUp} then sign(${part}) else 0 end)`
}
