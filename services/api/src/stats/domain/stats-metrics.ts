// Decides the metrics of a stats answer: sums of measures, and ratios of sums computed after summing (domain.md 3.5).
// It never averages ratios.
import { isSummed, type SummedMeasure, type SumValues, summedMeasures } from './measures.ts'
import { ratio } from './round-half-even.ts'

/** A measure, or sums of measures. */
export type Term = SummedMeasure | 'commission' | 'margin'

/** The measures that `commission` is made of. */
export const commissionParts = ['cpa_commission', 'revshare_commission', 'other_commission'] as const

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
export const metricNames: readonly string[] = [...summedMeasures, 'commission', 'margin', ...Object.keys(ratios)]

/** Measures that the metrics are made of. */
export function measuresOf(metrics: readonly string[]): SummedMeasure[] {
  const terms = new Set<string>(metrics.flatMap((name) => termsOf(name)))
  if (terms.has('margin')) for (const term of ['commission', 'sub_affiliate_cost']) terms.add(term)
  if (terms.has('commission')) for (const part of commissionParts) terms.add(part)
  return summedMeasures.filter((measure) => terms.has(measure))
}

/** Whether the ledger has part in a metric: it knows days that are final, and no countries. */
export const isOfLedger = (metric: string): boolean => measuresOf([metric]).includes('sub_affiliate_cost')

/** Metrics of a query that names none: none of the ledger, which would be read for each query. */
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
export function metricOf(name: string, sums: SumValues): bigint | number | null {
  const [term, denominator] = termsOf(name)
  return denominator === undefined ? termOf(term, sums) : ratio(termOf(term, sums), termOf(denominator, sums))
}

function termOf(term: Term, sums: SumValues): bigint | null {
  if (isSummed(term)) return sums[term]
  const parts = commissionParts.map((part) => sums[part]).filter((part) => part !== null)
  if (parts.length === 0) return null
  const commission = parts.reduce((sum, part) => sum + part, 0n)
  if (term === 'commission') return commission
  return sums.sub_affiliate_cost === null ? null : commission - sums.sub_affiliate_cost
}
