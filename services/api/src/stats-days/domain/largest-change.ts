// Decides the largest relative change between two rollups of a day: of sums by brand and currency (domain.md 7). Integers alone.
import { ratio } from '../../stats/domain/round-half-even.ts'

/** The change in per cent whose size is largest, rounded to 6 places; null where all were 0 before. Null measures count as 0. */
export function largestChangePct(sums: readonly { before: bigint | null; after: bigint | null }[]): number | null {
  let largest: number | null = null
  for (const { before, after } of sums) {
    const from = before ?? 0n
    const change = ratio(100n * ((after ?? 0n) - from), from < 0n ? -from : from)
    if (change !== null && (largest === null || Math.abs(change) > Math.abs(largest))) largest = change
  }
  return largest
}
