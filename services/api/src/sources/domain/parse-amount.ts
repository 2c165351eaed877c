// Decides how a cell becomes an integer: counts as they are, money from decimal major units to minor units (domain.md 4.4, M1).
// It never goes through a floating-point number.
import type { RowRejectionCode } from '@wds/contracts/error-classes'
import type { Result } from '@wds/contracts/result'
import { largestValue } from '../../stats/domain/measures.ts'
import { divideHalfEven } from '../../stats/domain/round-half-even.ts'

const decimal = /^(-?)(\d{1,400})(?:\.(\d{1,400}))?$/

/** A count: an integer from 0 on. */
export function parseCount(cell: string): Result<bigint, RowRejectionCode> {
  const match = decimal.exec(cell)
  if (!match) return { ok: false, error: 'bad_number' }
  if (match[3] !== undefined) return { ok: false, error: 'fraction_not_allowed' }
  const value = BigInt(match[2] ?? '0')
  if (match[1] === '-' && value !== 0n) return { ok: false, error: 'negative_value' }
  return value > largestValue ? { ok: false, error: 'amount_overflow' } : { ok: true, value }
}

/** An amount in minor units. `digits`: decimals of the currency (0 where the cell is in minor units already). */
export function parseAmount(
  cell: string,
  digits: number,
  round: 'half_even' | 'reject',
): Result<bigint, RowRejectionCode> {
  const match = decimal.exec(cell)
  if (!match) return { ok: false, error: 'bad_number' }
  const fraction = match[3] ?? ''
  const surplus = fraction.slice(digits).replace(/0+$/, '')
  if (surplus !== '' && round === 'reject') return { ok: false, error: 'too_many_decimals' }
  const kept = fraction.slice(0, digits).padEnd(digits, '0')
  const absolute = divideHalfEven(BigInt(`${match[2]}${kept}${surplus}`), 10n ** BigInt(surplus.length))
  if (absolute > largestValue) return { ok: false, error: 'amount_overflow' }
  return { ok: true, value: match[1] === '-' ? -absolute : absolute }
}
