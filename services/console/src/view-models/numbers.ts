// Writes numbers, money and days as people read them, by Intl (ui.md 6). Null is a dash, never 0.

import { minorUnits } from '@wds/contracts/currencies'
import { numberText } from '../texts/counts.ts'
import { texts } from '../texts.ts'

/** `1,284`. */
export function countText(count: number | null | undefined, locale = 'en'): string {
  return typeof count === 'number' ? numberText(count, locale) : texts.time.none
}

/** An estimate of a count: `1,284`, and `2.4` where it is small. */
export function roundText(value: number | null | undefined, locale = 'en'): string {
  if (typeof value !== 'number') return texts.time.none
  const maximumFractionDigits = Math.abs(value) < 10 && !Number.isInteger(value) ? 1 : 0
  return new Intl.NumberFormat(locale, { maximumFractionDigits }).format(value)
}

/** From minor units: `€12.50`; a currency that is not known keeps its code and minor units. */
export function moneyText(minor: number | null | undefined, currency: string, locale = 'en'): string {
  if (typeof minor !== 'number') return texts.time.none
  const units = minorUnits(currency)
  if (units === null) return `${countText(minor, locale)} ${currency}`
  const digits = { minimumFractionDigits: units, maximumFractionDigits: units }
  return new Intl.NumberFormat(locale, { style: 'currency', currency, ...digits }).format(minor / 10 ** units)
}

/** A calendar date, which is of no zone here: `23 Nov` or, with its year, `23 Nov 2026`. */
export function dayText(date: string, locale = 'en-GB', hasYear = false): string {
  const year = hasYear ? 'numeric' : undefined
  return new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year, timeZone: 'UTC' }).format(
    Date.parse(`${date}T00:00:00Z`),
  )
}

/** Days from the first to the last, both included: `1 – 23 Nov 2026`. */
export function rangeText(from: string, to: string, locale = 'en-GB'): string {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
  return format.formatRange(Date.parse(`${from}T00:00:00Z`), Date.parse(`${to}T00:00:00Z`))
}

/** For an axis, where there is little room: `1.2K`, `€12K`. Money in minor units; null: no money. */
export function compactText(value: number, currency: string | null, locale = 'en'): string {
  if (currency === null) return new Intl.NumberFormat(locale, { notation: 'compact' }).format(value)
  const format = { notation: 'compact', style: 'currency', currency, maximumFractionDigits: 1 } as const
  return new Intl.NumberFormat(locale, { ...format, minimumFractionDigits: 0 }).format(
    value / 10 ** (minorUnits(currency) ?? 0),
  )
}
