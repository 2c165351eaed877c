// Decides the anomaly that a rule makes of what it compared first (domain.md 9.6). Nothing was expected by a method, so nothing ends it but a
// person.
import type { Finding } from '../../anomalies/domain/anomaly.ts'
import type { Evidence } from './judge-conditions.ts'
import type { Condition } from './rule.ts'

/** Where the numbers lie that meet a condition: above what it names or below it; null: it does not say. */
export function directionOf({ op, value }: Pick<Condition, 'op' | 'value'>): Finding['direction'] | null {
  if (op === 'gt' || op === 'gte') return 'spike'
  if (op === 'lt' || op === 'lte') return 'drop'
  return op === 'changed_by_pct' ? (Number(value) > 0 ? 'spike' : 'drop') : null
}

/** Null where nothing was compared that has a direction. */
export function findingOfRule(
  [first]: readonly Evidence[],
  about: Pick<
    Finding,
    'brand_slug' | 'campaign_id' | 'integration_id' | 'severity' | 'day' | 'time_zone' | 'window_days' | 'is_final_day'
  >,
): Finding | null {
  const direction = first ? directionOf(first) : null
  if (first === undefined || direction === null) return null
  const { metric, observed, before: expected, currency } = first
  return {
    ...about,
    metric,
    observed,
    expected,
    lower: null,
    upper: null,
    currency,
    score: null,
    direction,
    method: 'rule',
    baseline_days: expected === null ? 0 : about.window_days,
  }
}
