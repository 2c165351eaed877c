// GET /v1/stats: sums by dimensions, with derived metrics computed after summing (domain.md 3.5).
// Final days are read as they were told, all others as they are now; what is final has one answer, with a strong entity tag.
import { etagOfContent } from '@wds/http-service/etag'
import { Problem, problemOfFaults } from '@wds/http-service/problem'
import type { ApiAnswer, ApiRequest } from '@wds/http-service/route'
import type { Transaction } from '@wds/postgres/transaction'
import { dayNumber, daysBetween, localDate, toInstant } from '../calendar/domain/calendar.ts'
import type { ApiDependencies } from '../dependencies.ts'
import type { operations, Stats } from '../openapi.generated.ts'
import { readSettings } from '../settings/read-settings.ts'
import { readCalendar } from '../stats-calendar/store-calendar.ts'
import { readDays } from '../stats-calendar/store-finality.ts'
import { type Finality, finalityOf } from './domain/finality.ts'
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
  const { cursor, limit: _limit, ...filters } = request.query
  const { workspaceId } = request.client
  const binding = { workspaceId, route: 'stats', filters }
  const after = cursor === undefined ? null : cursors.decode(cursor, binding)
  const answer = await request.read(
    async (tx) => {
      const timeZone = await zoneOf(tx, workspaceId)
      const asked = readStatsRequest(request, timeZone)
      const days = await readDays(tx, { workspaceId, from: asked.from, to: asked.to })
      const finality = finalityOf(asked, { days, timeZone })
      const query: StatsQuery = {
        ...{ workspaceId, ...asked, finalDays: finality.finalDays, filters: readFilters(request.query) },
        ...{ after: after as StatsPosition | null, rows: asked.limit + 1 },
      }
      return { asked, finality, timeZone, found: await sumStats(tx, query) }
    },
    { snapshot: true },
  )
  const { asked, found, finality } = answer
  if (found.count > groupsMax) throw new Problem('result_too_large')
  const shown = found.groups.slice(0, asked.limit)
  const last = shown.at(-1)
  const more = found.groups.length > asked.limit && last !== undefined
  const body: Stats = {
    object: 'stats',
    data: shown.map((group) => toApiRow(group, asked)),
    totals: found.totals.map(({ currency, sums }) => Object.assign({ currency }, metricsOf(sums, asked))),
    meta: metaOf({ ...answer, approximate: found.approximate, nowMs: request.now() }),
    has_more: more,
    next_cursor: more ? cursors.encode({ ...binding, position: last.position }) : null,
  }
  if (!finality.isFinal) return { status: 200, body }
  return { status: 200, body, headers: { etag: etagOfContent(JSON.stringify(body)) } }
}

/** By which the workspace's rows are cut; before its first integration by which they would be. */
async function zoneOf(tx: Transaction, workspaceId: string): Promise<string> {
  return (await readCalendar(tx, workspaceId))?.timeZone ?? (await readSettings(tx)).time_zone
}

function readStatsRequest(request: ApiRequest<QueryStats>, timeZone: string): StatsRequest {
  const { query } = request
  const asked: StatsDimension[] = query.group_by ?? []
  const metrics = query.metrics ?? defaultMetrics
  const today = localDate(request.now(), timeZone)
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

function metaOf(o: {
  asked: StatsRequest
  finality: Finality
  timeZone: string
  approximate: boolean
  nowMs: number
}): Stats['meta'] {
  const { asked, finality } = o
  return {
    from: asked.from,
    to: asked.to,
    time_zone: o.timeZone,
    currency: null,
    fx: null,
    final_through: finality.finalThrough,
    watermark: finality.watermarkMs === null ? null : toInstant(finality.watermarkMs),
    revision_max: finality.revisionMax,
    is_final: finality.isFinal,
    approximate: o.approximate,
    incomplete_integrations: finality.incomplete,
    compare_excluded_days: [],
    // A final answer is as old as the last of its revisions: the same bytes whenever it is asked for.
    generated: toInstant(finality.sinceMs ?? o.nowMs),
  }
}
