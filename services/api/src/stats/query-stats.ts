// GET /v1/stats: sums by dimensions, with derived metrics computed after summing (domain.md 3.5).
// The workspace's zone is UTC until its settings come; conversion, comparison and finality are not served yet.
import { Problem, problemOfFaults } from '@wds/http-service/problem'
import type { ApiAnswer, ApiRequest } from '@wds/http-service/route'
import { dayNumber, daysBetween, localDate, toInstant } from '../calendar/domain/calendar.ts'
import { workspaceZone } from '../calendar/domain/workspace-day.ts'
import type { ApiDependencies } from '../dependencies.ts'
import type { operations, Stats } from '../openapi.generated.ts'
import { largestValue, type MeasureValues } from './domain/measures.ts'
import { defaultMetrics, metricNames, metricOf } from './domain/stats-metrics.ts'
import {
  groupsMax,
  type StatsDimension,
  type StatsGroup,
  type StatsPosition,
  type StatsQuery,
  statsDimensions,
  sumStats,
} from './store-query.ts'

const timeDimensions = ['day', 'week', 'month']
const filterDimensions = ['brand', 'campaign', 'integration', 'country', 'sub_affiliate', 'currency'] as const

type QueryStats = operations['queryStats']

interface StatsRequest {
  from: string
  to: string
  /** As asked for, with `currency` joined at the end. */
  groupBy: StatsDimension[]
  metrics: string[]
  orderBy: { name: string; descending: boolean }
  limit: number
}

export async function queryStats(
  request: ApiRequest<QueryStats>,
  { cursors }: ApiDependencies,
): Promise<ApiAnswer<QueryStats>> {
  const asked = readStatsRequest(request)
  const { cursor, limit: _limit, ...filters } = request.query
  const binding = { workspaceId: request.client.workspaceId, route: 'stats', filters }
  const after = cursor === undefined ? null : cursors.decode(cursor, binding)
  const query: StatsQuery = {
    workspaceId: request.client.workspaceId,
    ...asked,
    filters: readFilters(request.query),
    after: after as StatsPosition | null,
    rows: asked.limit + 1,
  }
  const found = await request.read((tx) => sumStats(tx, query))
  if (found.count > groupsMax) throw new Problem('result_too_large')
  const shown = found.groups.slice(0, asked.limit)
  const last = shown.at(-1)
  const more = found.groups.length > asked.limit && last !== undefined
  const body: Stats = {
    object: 'stats',
    data: shown.map((group) => toApiRow(group, asked)),
    totals: found.totals.map(({ currency, sums }) => Object.assign({ currency }, metricsOf(sums, asked))),
    meta: metaOf(asked, found.approximate, request.now()),
    has_more: more,
    next_cursor: more ? cursors.encode({ ...binding, position: last.position }) : null,
  }
  return { status: 200, body }
}

function readStatsRequest(request: ApiRequest<QueryStats>): StatsRequest {
  const { query } = request
  const asked: StatsDimension[] = query.group_by ?? []
  const metrics = query.metrics ?? defaultMetrics
  const today = localDate(request.now(), workspaceZone)
  const refuse = (parameter: string, detail: string) =>
    problemOfFaults([{ parameter, code: 'invalid_parameter', detail }])
  if (dayNumber(query.from) === null) throw refuse('from', 'Must be a date, YYYY-MM-DD.')
  if (dayNumber(query.to) === null || query.to > today)
    throw refuse('to', 'Must be a date, YYYY-MM-DD, not after today.')
  if (query.from > query.to) throw refuse('from', 'Must not be after to.')
  if (daysBetween(query.from, query.to) > 366) throw refuse('to', 'At most 366 days at once.')
  if (new Set(asked).size !== asked.length) throw refuse('group_by', 'Names a dimension twice.')
  if (asked.filter((name) => timeDimensions.includes(name)).length > 1)
    throw refuse('group_by', 'At most one of day, week, month.')
  for (const name of metrics)
    if (!metricNames.includes(name)) throw refuse('metrics', 'Names a metric that is not known.')
  if (metrics.includes('unique_clicks') && query.from !== query.to && !asked.includes('day'))
    throw new Problem('metric_not_additive')
  const groupBy = asked.includes('currency') ? asked : [...asked, 'currency' as const]
  return {
    from: query.from,
    to: query.to,
    groupBy,
    metrics,
    orderBy: orderOf(query.order_by, asked, refuse),
    limit: query.limit,
  }
}

function orderOf(
  text: string | undefined,
  asked: StatsDimension[],
  refuse: (parameter: string, detail: string) => Problem,
) {
  const time = asked.find((name) => timeDimensions.includes(name))
  if (text === undefined) return time ? { name: time, descending: false } : { name: 'commission', descending: true }
  const name = text.replace(/^-/, '')
  if (!metricNames.includes(name) && name !== time)
    throw refuse('order_by', 'Must be a metric or the time dimension of group_by.')
  return { name, descending: text.startsWith('-') }
}

function readFilters(query: ApiRequest<QueryStats>['query']): StatsQuery['filters'] {
  return filterDimensions.flatMap((dimension) =>
    (['filter', 'filter_not'] as const).flatMap((kind) => {
      const values = query[`${kind}[${dimension}]`]
      return values ? [{ dimension, values, not: kind === 'filter_not' }] : []
    }),
  )
}

function toApiRow(group: StatsGroup, asked: StatsRequest): Stats['data'][number] {
  const keys = asked.groupBy.map((dimension, index) => [statsDimensions[dimension].field, group.key[index] ?? null])
  return { ...Object.fromEntries(keys), ...metricsOf(group.sums, asked) }
}

function metricsOf(sums: MeasureValues, asked: StatsRequest): Record<string, number | null> {
  return Object.fromEntries(
    asked.metrics.map((name) => {
      const value = metricOf(name, sums)
      return [name, typeof value === 'bigint' ? exactNumber(name, value) : value]
    }),
  )
}

/** JSON numbers are exact up to here only; a sum beyond is refused rather than rounded (domain.md M1). */
function exactNumber(metric: string, sum: bigint): number {
  if (sum <= largestValue && sum >= -largestValue) return Number(sum)
  const detail = `A sum of ${metric} lies beyond ±9,007,199,254,740,991.`
  throw problemOfFaults([{ parameter: 'metrics', code: 'amount_overflow', detail }])
}

function metaOf(asked: StatsRequest, approximate: boolean, nowMs: number): Stats['meta'] {
  return {
    from: asked.from,
    to: asked.to,
    time_zone: workspaceZone,
    currency: null,
    fx: null,
    final_through: null,
    watermark: null,
    revision_max: 0,
    is_final: false,
    approximate,
    incomplete_integrations: [],
    compare_excluded_days: [],
    generated: toInstant(nowMs),
  }
}
