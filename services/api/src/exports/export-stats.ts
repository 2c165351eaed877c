// Exports of stats: all rows of a stats query (domain.md 3.12).
import { Problem } from '@wds/http-service/problem'
import { planStats } from '../stats/plan-stats.ts'
import type { GivenByPost } from '../stats/read-request.ts'
import { metaOf, type RowShape, toApiRow } from '../stats/stats-answer.ts'
import { type StatsDimension, statsDimensions } from '../stats/store-source.ts'
import type { HeldResult } from './domain/export.ts'
import type { AskedExport, ExportSource } from './export-source.ts'
import { holdRows, takeRows } from './store-rows.ts'

/** How its rows are written; once they are held it never changes. */
interface StatsShape {
  group_by: readonly string[]
  metrics: readonly string[]
  /** Measures whose sums are held, in the order that they are held in. */
  measures: readonly string[]
  compares: boolean
}

export const statsExport: ExportSource = {
  scope: 'stats:read',
  async judge(tx, asked) {
    await planStats(tx, planned(asked))
  },
  async hold(tx, { exportId, rowsMax, ...given }) {
    const { workspaceId, nowMs } = given
    const plan = await planStats(tx, planned(given))
    const { asked, source, fx, compared } = plan
    const earlier = compared && { source: compared.source, fx: fx?.earlier ?? null }
    const query = { ...asked, source, fx: fx?.now ?? null, earlier }
    const { rows, approximate, measures } = await holdRows(tx, { workspaceId, exportId, query, rowsMax })
    const shape: StatsShape = { group_by: asked.groupBy, metrics: asked.metrics, measures, compares: compared !== null }
    return { rows, shape, meta: metaOf(plan, { approximate, nowMs }) }
  },
  columnsOf(result) {
    const { groupBy, metrics, compares } = shapeOf(result)
    const own = [...groupBy.map((dimension) => statsDimensions[dimension].field), ...metrics]
    if (!compares) return own
    return [...own, ...metrics.flatMap((name) => compareParts.map(([suffix]) => `${name}_${suffix}`))]
  },
  async take(tx, { result, ...place }) {
    const shape = shapeOf(result)
    const { measures } = result.shape as StatsShape
    return (await takeRows(tx, { ...place, measures })).map((group) => {
      const row = toApiRow(group, shape)
      const { compare, ...own } = row
      const compared = shape.metrics.flatMap((name) => compareParts.map(([, part]) => compare?.[name]?.[part] ?? null))
      const cells = [...Object.values(own), ...(shape.compares ? compared : [])] as (string | number | null)[]
      return { json: row, cells }
    })
  },
  periodOf(query) {
    const { from, to } = query as { from: string; to: string }
    return `${from}-${to}`
  },
}

const planned = ({ query, ...asked }: AskedExport) => ({
  ...asked,
  given: query as GivenByPost,
  where: 'query' as const,
})

function shapeOf(result: HeldResult): RowShape {
  const { group_by, metrics, compares } = result.shape as StatsShape
  return { groupBy: group_by as readonly StatsDimension[], metrics, compares, beyondRange }
}

function beyondRange(): never {
  throw new Problem('amount_overflow')
}

const compareParts = [
  ['compare', 'value'],
  ['delta', 'delta'],
  ['delta_pct', 'delta_pct'],
] as const
