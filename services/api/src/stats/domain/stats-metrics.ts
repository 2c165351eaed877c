// Decides the metrics of a stats answer: sums of measures, and ratios of sums computed after summing (domain.md 3.5).
// It never averages ratios.
import { isMeasure, type Measure, type MeasureValues, measures } from './measures.ts'
import { ratio } from './round-half-even.ts'

/** Sums that are no measures. */
type Sum = 'commission' | 'margin' | 'sub_affiliate_cost'
export type Term = Measure | Sum

/** Derived metrics that are ratios: numerator and denominator. */
const ratios = {
  ctr: ['clicks', 'impressions'],
  signup_rate: ['signups', 'clicks'],
  ftd_rate: ['ftds', 'signups'],
  conversion_rate: ['ftds', 'clicks'],
  epc: ['commission', 'clicks'],
  cpa_effective: ['cpa_commission', 'qualified_ftds'],
  ngr_per_ftd: ['ngr', 'ftds'],
} as const satisfies Record<string, readonly [Term, Term]>

/** The two terms of a metric that is a ratio; of another one itself. */
export function termsOf(name: string): readonly [Term] | readonly [Term, Term] {
  return name in ratios ? ratios[name as keyof typeof ratios] : [name as Term]
}

/** Every metric that a query may name. */
export const metricNames: readonly string[] = [
  ...measures,
  'sub_affiliate_cost',
  'commission',
  'margin',
  ...Object.keys(ratios),
]

/** Metrics of a query that names none. */
export const defaultMetrics = [
  'clicks',
  'signups',
  'ftds',
  'deposits_amount',
  'ngr',
  'commission',
  'epc',
  'conversion_rate',
]

/** A metric of summed measures: an integer sum, a ratio with 6 places, or null (domain.md 3.5). */
export function metricOf(name: string, sums: MeasureValues): bigint | number | null {
  const [term, denominator] = termsOf(name)
  return denominator === undefined ? termOf(term, sums) : ratio(termOf(term, sums), termOf(denominator, sums))
}

function termOf(term: Term, sums: MeasureValues): bigint | null {
  if (isMeasure(term)) return sums[term]
  if (term === 'sub_affiliate_cost') return null
  const { cpa_commission, revshare_commission, other_commission } = sums
  if (term === 'margin') return null
  if (cpa_commission === null && revshare_commission === null && other_commission === null) return null
  return (cpa_commission ?? 0n) + (revshare_commission ?? 0n) + (other_commission ?? 0n)
}
