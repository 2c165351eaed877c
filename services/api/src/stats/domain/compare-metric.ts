// Decides how a metric stands against that of an earlier time: the difference, and the difference in per cent of it (domain.md 3.5).
import { ratio } from './round-half-even.ts'

export interface ComparedMetric {
  value: number | null
  delta: number | null
  delta_pct: number | null
}

/** Ratios have at most 6 places, so a millionth is their unit, exactly. */
const toUnits = (value: bigint | number) =>
  typeof value === 'bigint' ? value * 1_000_000n : BigInt(Math.round(value * 1_000_000))

/** `exact` gives a bigint as a number, null where it cannot be one. */
export function compareMetric(
  now: bigint | number | null,
  before: bigint | number | null,
  exact: (value: bigint) => number | null,
): ComparedMetric {
  const value = typeof before === 'bigint' ? exact(before) : before
  if (now === null || before === null) return { value, delta: null, delta_pct: null }
  const [unitsNow, unitsBefore] = [toUnits(now), toUnits(before)]
  const difference = unitsNow - unitsBefore
  const delta = typeof now === 'bigint' ? exact(difference / 1_000_000n) : ratio(difference, 1_000_000n)
  const delta_pct = ratio(100n * difference, unitsBefore < 0n ? -unitsBefore : unitsBefore)
  return { value, delta, delta_pct }
}
