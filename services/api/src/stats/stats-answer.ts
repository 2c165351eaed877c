// Shows what a stats query found: rows with their metrics, and what is to be known of them (domain.md 3.5). It never asks the database.
import { toInstant } from '../calendar/domain/calendar.ts'
import type { Stats } from '../openapi.generated.ts'
import { compareMetric } from './domain/compare-metric.ts'
import { largestValue, type SumValues } from './domain/measures.ts'
import { metricOf } from './domain/stats-metrics.ts'
import type { StatsPlan } from './plan-stats.ts'
import type { SummedGroup } from './store-ordered.ts'
import { type StatsDimension, statsDimensions } from './store-source.ts'

/** What a row shows. */
export interface RowShape {
  groupBy: readonly StatsDimension[]
  metrics: readonly string[]
  /** Whether it stands against earlier days. */
  compares: boolean
  /** What is shown of a sum that no JSON number holds exactly: null, unless it throws. */
  beyondRange(metric: string): null
}

/** The key as it is shown: the id of a campaign in the place of `campaign_of`. */
export function toApiRow({ key, sums, earlier }: SummedGroup, shape: RowShape): Stats['data'][number] {
  const keys = shape.groupBy.map((dimension, index) => [statsDimensions[dimension].field, key[index] ?? null])
  const row = { ...Object.fromEntries(keys), ...metricsOf(sums, shape) }
  if (!shape.compares) return row
  const compare = shape.metrics.map((name) => {
    const was = earlier === null ? null : metricOf(name, earlier)
    return [name, compareMetric(metricOf(name, sums), was, (value) => exactNumber(name, value, shape))]
  })
  return { ...row, compare: Object.fromEntries(compare) }
}

export function metricsOf(
  sums: SumValues,
  shape: Pick<RowShape, 'metrics' | 'beyondRange'>,
): Record<string, number | null> {
  return Object.fromEntries(
    shape.metrics.map((name) => {
      const value = metricOf(name, sums)
      return [name, typeof value === 'bigint' ? exactNumber(name, value, shape) : value]
    }),
  )
}

/** JSON numbers are exact up to here only; a sum beyond is never rounded (domain.md M1). */
function exactNumber(metric: string, sum: bigint, { beyondRange }: Pick<RowShape, 'beyondRange'>): number | null {
  return sum <= largestValue && sum >= -largestValue ? Number(sum) : beyondRange(metric)
}

export function metaOf(plan: StatsPlan, o: { approximate: boolean; nowMs: number }): Stats['meta'] {
  const { asked, fx, finality, compared } = plan
  return {
    from: asked.from,
    to: asked.to,
    time_zone: asked.timeZone,
    currency: asked.currency,
    fx: fx === null ? null : { policy: 'rate_of_day', rate_set: fx.rateSet, sources: fx.sources },
    final_through: finality.finalThrough,
    watermark: finality.watermarkMs === null ? null : toInstant(finality.watermarkMs),
    revision_max: finality.revisionMax,
    is_final: finality.isFinal,
    approximate: o.approximate,
    incomplete_integrations: finality.incomplete,
    compare_excluded_days: compared?.excluded ?? [],
    beyond_range: [],
    // A final answer is as old as the last of its revisions: the same bytes whenever it is asked for.
    generated: toInstant(finality.sinceMs ?? o.nowMs),
  }
}
