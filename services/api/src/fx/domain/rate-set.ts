// Decides by which rate an amount of a day is converted (domain.md M3): exact fractions of integers, no floating point, no look-up elsewhere.
import { isCurrency, minorUnits } from '@wds/contracts/currencies'
import { addDays, dayNumber } from '../../calendar/domain/calendar.ts'

/** Units of a currency for one of the base, as a fraction of positive numbers. */
export interface Rate {
  numerator: bigint
  denominator: bigint
}

/** Rates of days, under an id that always names the same ones. */
export interface RateSet {
  id: string
  /** By day, then by currency. */
  days: ReadonlyMap<string, ReadonlyMap<string, Rate>>
}

/** What all rates are counted against. */
export const baseCurrency = 'EUR'
const ofBase: Rate = { numerator: 1n, denominator: 1n }

/** A rate as it was written: of the currency for one euro, or where `isInverse` of the euro for one of the currency. */
export interface RateLine {
  day: string
  currency: string
  isInverse: boolean
  rate: string
}

/** One rate of a workspace's own. */
export interface OwnRate {
  day: string
  currency: string
  rate: Rate
}

/** Minor units of `currency` on the day, times numerator / denominator, are minor units of the currency converted to. */
export interface Conversion {
  day: string
  currency: string
  numerator: bigint
  /** Positive. */
  denominator: bigint
}

/** Days before one without a rate whose rate it may take: weekends and holidays (domain.md M3). */
export const daysBack = 7

/** Reads the ECB's file: a line of currencies, then a line per day with units for one euro, `N/A` for none. Throws where it is no such file. */
export function parseEcbRates(id: string, text: string): RateSet {
  const [header = '', ...lines] = text.trimEnd().split('\n')
  const [first, ...currencies] = header.split(',')
  if (first !== 'Date') throw new Error(`rate set ${id}: the first column is not Date`)
  const days = new Map<string, ReadonlyMap<string, Rate>>()
  for (const line of lines) {
    const [day = '', ...cells] = line.split(',')
    if (dayNumber(day) === null || days.has(day) || cells.length !== currencies.length)
      throw new Error(`rate set ${id}: no line of rates: ${line.slice(0, 40)}`)
    const given = currencies.flatMap((currency, at) => {
      const cell = cells[at] ?? ''
      // A currency that has ended is not in the table, so no amount has it.
      return cell === 'N/A' || !isCurrency(currency) ? [] : [[currency, toRate(id, cell)] as const]
    })
    days.set(day, new Map([[baseCurrency, ofBase], ...given]))
  }
  return { id, days }
}

function toRate(id: string, text: string): Rate {
  const rate = parseRate(text)
  if (rate === null) throw new Error(`rate set ${id}: no positive decimal: ${text.slice(0, 40)}`)
  return rate
}

/** A positive decimal of at most 12 digits before and 12 after the point, or null. */
export function parseRate(text: string): Rate | null {
  const [, whole, fraction = ''] = /^(\d{1,12})(?:\.(\d{1,12}))?$/.exec(text) ?? []
  const numerator = whole === undefined ? 0n : BigInt(`${whole}${fraction}`)
  return numerator === 0n ? null : { numerator, denominator: powerOfTen(fraction.length) }
}

/** The set in which the rates stand in place of those that it has for their days and currencies. */
export function overlaid(set: RateSet, id: string, own: readonly OwnRate[]): RateSet {
  const days = new Map(set.days)
  for (const [day, rates] of Map.groupBy(own, (one) => one.day)) {
    const given = rates.map(({ currency, rate }) => [currency, rate] as const)
    days.set(day, new Map([[baseCurrency, ofBase], ...(set.days.get(day) ?? []), ...given]))
  }
  return { id, days }
}

/** How the amounts of each day and currency become `to`; those without a rate are not in it. */
export function conversionsTo(to: string, { days }: RateSet, range: { from: string; to: string }): Conversion[] {
  const found: Conversion[] = []
  for (let day = range.from; day <= range.to; day = addDays(day, 1)) {
    found.push({ day, currency: to, numerator: 1n, denominator: 1n })
    const known = new Set([to])
    for (let back = 0; back <= daysBack; back++) {
      const rates = days.get(addDays(day, -back))
      const target = rates?.get(to)
      if (rates === undefined || target === undefined) continue
      for (const [currency, source] of rates) {
        if (known.has(currency)) continue
        known.add(currency)
        found.push({ day, currency, ...fractionOf({ currency, rate: source }, { currency: to, rate: target }) })
      }
    }
  }
  return found
}

interface Leg {
  currency: string
  rate: Rate
}

/** Both rates count units for one of the base, so it cancels out; minor units differ by their decimals. */
function fractionOf(from: Leg, to: Leg): Pick<Conversion, 'numerator' | 'denominator'> {
  const numerator = to.rate.numerator * from.rate.denominator * powerOfTen(unitsOf(to.currency))
  const denominator = from.rate.numerator * to.rate.denominator * powerOfTen(unitsOf(from.currency))
  const divisor = greatestDivisor(numerator, denominator)
  return { numerator: numerator / divisor, denominator: denominator / divisor }
}

/** Small numbers are cheap to reckon with where there are many. Both are positive. */
function greatestDivisor(a: bigint, b: bigint): bigint {
  let [one, other] = [a, b]
  while (other > 0n) [one, other] = [other, one % other]
  return one
}

/** Asked for with every rate that is read, of which the file has 20,000. */
const powersOfTen = Array.from({ length: 13 }, (_, places) => 10n ** BigInt(places))
const powerOfTen = (places: number) => powersOfTen[places] ?? 10n ** BigInt(places)

function unitsOf(currency: string): number {
  const units = minorUnits(currency)
  if (units === null) throw new Error(`${currency} is not in the table of currencies`)
  return units
}
