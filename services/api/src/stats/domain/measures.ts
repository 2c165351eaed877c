// Decides which measures a stats row has, in which order, and which of them may be negative (domain.md 3.5).
// The order is part of the row hash and must never change.

/** Every pulled measure in the order of domain.md 3.5. */
export const measures = [
  'impressions',
  'clicks',
  'unique_clicks',
  'signups',
  'ftds',
  'qualified_ftds',
  'deposits',
  'ftd_amount',
  'deposits_amount',
  'withdrawals_amount',
  'ggr',
  'bonuses_amount',
  'fees_amount',
  'chargebacks_amount',
  'ngr',
  'cpa_commission',
  'revshare_commission',
  'other_commission',
] as const
export type Measure = (typeof measures)[number]

/** What a query sums: the pulled measures, and the one that the ledger gives. */
export const summedMeasures = [...measures, 'sub_affiliate_cost'] as const
export type SummedMeasure = (typeof summedMeasures)[number]

/** A sum per measure; null where there is none. */
export type SumValues = Record<SummedMeasure, bigint | null>

/** One value per measure; null where the source does not supply it. Counts, or money in minor units. */
export type MeasureValues = Record<Measure, bigint | null>

const counts: ReadonlySet<string> = new Set(measures.slice(0, 7))
const signed: ReadonlySet<string> = new Set(['ggr', 'ngr', 'cpa_commission', 'revshare_commission', 'other_commission'])

/** Largest absolute value of a measure (api-conventions.md 1). */
export const largestValue = 9_007_199_254_740_991n

export function isMeasure(name: string): name is Measure {
  return (measures as readonly string[]).includes(name)
}

export function isSummed(name: string): name is SummedMeasure {
  return (summedMeasures as readonly string[]).includes(name)
}

/** Whether a measure is a whole number of things, not money. */
export function isCount(measure: SummedMeasure): boolean {
  return counts.has(measure)
}

/** Whether a measure may be negative. */
export function isSigned(measure: Measure): boolean {
  return signed.has(measure)
}

/** All measures null. */
export function noMeasures(): MeasureValues {
  return Object.fromEntries(measures.map((measure) => [measure, null])) as MeasureValues
}

/** All sums null. */
export function noSums(): SumValues {
  return Object.fromEntries(summedMeasures.map((measure) => [measure, null])) as SumValues
}
