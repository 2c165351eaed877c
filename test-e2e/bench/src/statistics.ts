/** Percentiles and sums of what was measured. */

export interface Distribution {
  count: number
  p50: number
  p99: number
  max: number
}

/** Nearest rank; of milliseconds, rounded to a tenth. NaN without values. */
export function distributionOf(values: readonly number[]): Distribution {
  const sorted = Float64Array.from(values).sort()
  const at = (share: number) => {
    const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
    return Math.round(value * 10) / 10
  }
  return { count: sorted.length, p50: at(0.5), p99: at(0.99), max: at(1) }
}

export const rounded = (value: number, digits = 0): number => Math.round(value * 10 ** digits) / 10 ** digits
