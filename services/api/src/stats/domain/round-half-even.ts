// Decides rounding: half to even, on integers alone. No floating point takes part (domain.md M1).

/** numerator / denominator as an integer, rounded half to even. The denominator must be positive. */
export function divideHalfEven(numerator: bigint, denominator: bigint): bigint {
  const negative = numerator < 0n
  const absolute = negative ? -numerator : numerator
  const quotient = absolute / denominator
  const twice = (absolute % denominator) * 2n
  const up = twice > denominator || (twice === denominator && quotient % 2n === 1n)
  const rounded = up ? quotient + 1n : quotient
  return negative ? -rounded : rounded
}

/** Ratio of two integers as a JSON number rounded half-even to 6 places; null if a part is null or the denominator 0. */
export function ratio(numerator: bigint | null, denominator: bigint | null): number | null {
  if (numerator === null || denominator === null || denominator === 0n) return null
  const sign = denominator < 0n ? -1n : 1n
  const millionths = divideHalfEven(sign * numerator * 1_000_000n, sign * denominator)
  const digits = (millionths < 0n ? -millionths : millionths).toString().padStart(7, '0')
  return Number(`${millionths < 0n ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`)
}
