// Decides whether the numbers of a subject meet the conditions of a rule (domain.md 9.2). A number that is not there meets nothing.
import type { Condition, RuleFields } from './rule.ts'

/** A metric of the window, and of as many days before it; null: nothing is known. */
export interface Observed {
  now: number | null
  before: number | null
}

/** What one condition compared. */
export interface Evidence extends Condition {
  observed: number
  /** Of `changed_by_pct` alone. */
  before: number | null
}

/** What was compared, where all conditions hold and there is enough of everything; else null. */
export function judgeConditions(
  { conditions, min_sample }: Pick<RuleFields, 'conditions' | 'min_sample'>,
  observe: (metric: string, currency: string | null) => Observed,
): Evidence[] | null {
  for (const [metric, least] of Object.entries(min_sample)) if ((observe(metric, null).now ?? -1) < least) return null
  const evidence: Evidence[] = []
  for (const condition of conditions) {
    const { now, before } = observe(condition.metric, condition.currency)
    if (now === null || !holds(condition, now, before)) return null
    evidence.push({ ...condition, observed: now, before: condition.op === 'changed_by_pct' ? before : null })
  }
  return evidence
}

function holds({ op, value }: Condition, now: number, before: number | null): boolean {
  const [first = Number.NaN, last = Number.NaN] = typeof value === 'number' ? [value] : value
  switch (op) {
    case 'gt':
      return now > first
    case 'gte':
      return now >= first
    case 'lt':
      return now < first
    case 'lte':
      return now <= first
    case 'eq':
      return now === first
    case 'neq':
      return now !== first
    case 'between':
      return now >= first && now <= last
    case 'changed_by_pct': {
      if (before === null || before === 0) return false
      const change = ((now - before) / Math.abs(before)) * 100
      return first > 0 ? change >= first : change <= first
    }
  }
}
