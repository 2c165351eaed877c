// Decides how a rate of conversion is shown.
import { minorUnits } from '@wds/contracts/currencies'
import { divideHalfEven } from '../../stats/domain/round-half-even.ts'
import type { Fraction } from './ledger-entry.ts'

/** Units of `to` for one of `from`, with 12 decimals, as people read it. */
export function rateText(fx: Fraction, from: string, to: string): string {
  const units = (currency: string) => 10n ** BigInt(minorUnits(currency) ?? 0)
  const scaled = divideHalfEven(BigInt(fx.numerator) * units(from) * 10n ** 12n, BigInt(fx.denominator) * units(to))
  const digits = String(scaled).padStart(13, '0')
  return `${digits.slice(0, -12)}.${digits.slice(-12)}`.replace(/\.?0+$/, '')
}
