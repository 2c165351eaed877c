// Decides what a stats row is, its key and the text its hash is made of (domain.md 3.5, 4.5).
// It never hashes by itself: the hash function is passed in.
import { type MeasureValues, measures } from './measures.ts'

/** What identifies a row within its integration. `hourMs`: start of the hour, epoch milliseconds. */
export interface StatsRowKey {
  day: string
  hourMs: number | null
  campaignExternalId: string | null
  country: string | null
  subAffiliateId: string | null
  currency: string
}

/** One row after mapping and checks. */
export interface StatsRow extends StatsRowKey {
  values: MeasureValues
}

/** Canonical text of a key; two rows are the same row exactly if these are equal. */
export function rowKeyText(key: StatsRowKey, brandSlug: string): string {
  return JSON.stringify([
    key.day,
    key.hourMs,
    brandSlug,
    key.campaignExternalId,
    key.country,
    key.subAffiliateId,
    key.currency,
  ])
}

/** Text whose SHA-256 gives the row hash (its first 16 bytes): the measures in the order of 3.5, empty for null. */
export function rowHashText(values: MeasureValues): string {
  return measures.map((measure) => values[measure]?.toString() ?? '').join('|')
}

/** Sum of two rows of one key: null plus null stays null, else null counts as 0. */
export function addValues(a: MeasureValues, b: MeasureValues): MeasureValues {
  const sums = { ...a }
  for (const measure of measures) {
    const [left, right] = [a[measure], b[measure]]
    sums[measure] = left === null ? right : left + (right ?? 0n)
  }
  return sums
}
