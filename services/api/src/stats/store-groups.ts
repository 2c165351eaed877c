// The groups of a stats query, as SQL (domain.md 3.5, M3), in two steps: rows are summed per place, day and currency; then these few sums
// are joined with what depends on the day or the currency alone (the week or month, the day compared with, the rate) and summed into groups.
// Where campaigns were merged, their sums become one between the two.
import { mergedSql } from '../campaign-places/store-merged.ts'
import type { SummedMeasure } from './domain/measures.ts'
import { convertedSumSql, type Fx, missingSql, ratesSql } from './store-convert.ts'
import { costsOfDays } from './store-costs.ts'
import {
  conditionsOf,
  type Param,
  placesOfRows,
  type RowsOfDays,
  type StatsDimension,
  type StatsFilter,
  type StatsSource,
  statsDimensions,
  summedDays,
} from './store-source.ts'

export interface Grouping {
  source: StatsSource
  groupBy: StatsDimension[]
  metrics: readonly string[]
  filters: StatsFilter[]
  /** Whether campaigns are grouped by of which some were merged. */
  hasMerged: boolean
  /** Sums in numeric: slower, and none is too large. Left out: in bigint, and a sum beyond it throws Problem `amount_overflow`. */
  isWide?: boolean
  /** How money is converted; null leaves it in the currency of its row, which `groupBy` holds then. */
  fx: Fx | null
}

interface Groups extends Grouping {
  /** Groups at most; null: all. */
  limit: number | null
  /** Adds a row of all groups: the (day, currency) sums, converted. Absent where there are no rows. */
  hasTotal: boolean
}

/** Columns of a group's key. Where nothing is grouped by all rows are one group, which is there only if a row is. */
export function keyNames(groupBy: readonly StatsDimension[]): string[] {
  return groupBy.length === 0 ? ['k0'] : groupBy.map((_, index) => `k${index}`)
}

/**
 * The groups as a table `groups`, unordered: key, sums of the measures, whether a row is only nearly of its day (`approximate`), which
 * rate is missing, and whether the row is the total. The index stats_rows_day and the unique index of stats_rollups serve it;
 * where sums of the ledger are needed ledger_entries_by_day, too.
 */
export function groupsSql(o: Groups, needed: readonly SummedMeasure[], param: Param): string {
  const { source, groupBy, fx, limit, hasTotal } = o
  const keys = keysOf(o)
  const time = groupBy.find(isTime)
  const tables: string[] = []
  if (time !== undefined) tables.push(daysSql(source, time, param))
  if (fx !== null) tables.push(ratesSql(fx, source.days, param))
  const places = placesOfRows(source, param)
  if (needed.includes('sub_affiliate_cost')) places.push(costsOfDays(source, param))
  const parts = places.map((place) => partsSql(o, { place, needed, keys }, param))
  tables.push(`parts as (${parts.join(' union all ')})`)
  if (o.hasMerged) tables.push(...mergedPartsSql(o, { needed, keys }, param))
  const shown = keys.map(({ name, ofGroup }) => {
    // Keys that stand in the rows are null in the total through its grouping set.
    return `${hasTotal && ofGroup !== name ? `case when not is_total then ${ofGroup} end` : ofGroup} as ${name}`
  })
  const sums = needed.map(
    (measure) => `${fx === null ? `sum(${measure})` : convertedSumSql(measure, o.isWide === true)} as ${measure}`,
  )
  const missing = fx === null ? 'null' : missingSql(needed)
  const columns = [...shown, 'is_total', ...sums, 'bool_or(approximate) as approximate', `${missing} as missing`]
  const joined = [
    o.hasMerged ? 'merged_parts' : 'parts',
    time === undefined ? '' : 'join days using (rate_day)',
    fx === null ? '' : 'left join fx using (rate_day, own_currency)',
  ].join(' ')
  const grouped = `select ${columns.join(', ')} from ${joined} group by ${keys.map((_, index) => index + 1).join(', ')}, is_total`
  tables.push(`groups as materialized (${grouped} ${hasTotal ? 'order by is_total desc' : ''} limit ${limit ?? 'all'})`)
  return tables.join(', ')
}

interface Key {
  name: string
  /** Column of the rows; null where the day or the currency of the sums tells it. */
  ofRows: string | null
  ofGroup: string
}

function keysOf({ groupBy, fx }: Grouping): Key[] {
  if (groupBy.length === 0) return [{ name: 'k0', ofRows: 'null::text', ofGroup: 'k0' }]
  return groupBy.map((dimension, index) => {
    const name = `k${index}`
    if (isTime(dimension)) return { name, ofRows: null, ofGroup: 'days.time' }
    if (fx !== null && dimension === 'currency') return { name, ofRows: null, ofGroup: 'own_currency' }
    return { name, ofRows: statsDimensions[dimension].sql, ofGroup: name }
  })
}

const isTime = (dimension: StatsDimension) => dimension === 'day' || dimension === 'week' || dimension === 'month'

/** The day, week or month that the sums of a day belong to; in a comparison, that of the day it stands against. */
function daysSql(source: StatsSource, time: StatsDimension, param: Param): string {
  const pairs = source.pairs ?? summedDays(source).map((day) => ({ earlier: day, day }))
  const [earlier, days] = [param(pairs.map((pair) => pair.earlier)), param(pairs.map(({ day }) => day))]
  return `days as materialized (select rate_day, ${statsDimensions[time].sql} as time
    from unnest(${earlier}::date[], ${days}::date[]) as d(rate_day, day))`
}

/** The parts of campaigns that are one now as one: before anything is converted, since a sum of a day and a currency is rounded once (M3). */
function mergedPartsSql(
  { source, groupBy, fx, isWide = false }: Groups,
  { needed, keys }: { needed: readonly SummedMeasure[]; keys: Key[] },
  param: Param,
): string[] {
  const [at, of] = [`k${groupBy.indexOf('campaign')}`, `k${groupBy.indexOf('campaign_of')}`]
  const own = keys.flatMap(({ name, ofRows }) => (ofRows === null ? [] : [name]))
  const by = [...(fx !== null || groupBy.some(isTime) ? ['rate_day'] : []), ...(fx === null ? [] : ['own_currency'])]
  const columns = [
    ...[...by, 'is_total'],
    ...own.map((name) => (name === at ? `coalesce(m_into, ${name}) as ${name}` : name)),
    ...needed.map((measure) => `${isWide ? 'sum' : 'sum_of_bigints'}(${measure}) as ${measure}`),
    'bool_or(approximate) as approximate',
  ]
  const places = [...by, 'is_total', ...own].map((_, index) => index + 1)
  return [
    `merged as materialized (${mergedSql(param(source.workspaceId))})`,
    `merged_parts as (select ${columns.join(', ')} from parts left join merged on m_external = ${at} and m_integration = ${of}
      group by ${places.join(', ')})`,
  ]
}

/**
 * Sums of the rows of one place by the columns of the key, and by day and currency where these matter. Sums by day are made day after
 * day where an index finds a day: the hash table of one day stays small, that of all days would spill to disk.
 */
function partsSql(
  { groupBy, filters, fx, hasTotal, isWide = false }: Groups,
  { place, needed, keys }: { place: RowsOfDays; needed: readonly SummedMeasure[]; keys: Key[] },
  param: Param,
): string {
  const own = keys.flatMap(({ name, ofRows }) => (ofRows === null ? [] : [{ name, sql: ofRows }]))
  if (own.length === 0 && hasTotal) own.push({ name: 'no_key', sql: 'null::text' })
  const hasDay = fx !== null || groupBy.some(isTime)
  const isDayByDay = hasDay && place.isByDay
  const by = [...(hasDay && !isDayByDay ? [place.day] : []), ...(fx === null ? [] : ['currency'])]
  const columns = [
    ...(hasDay && !isDayByDay ? [`${place.day} as rate_day`] : []),
    ...(fx === null ? [] : ['currency as own_currency']),
    ...own.map(({ name, sql }) => `${sql} as ${name}`),
    `${hasTotal ? `grouping(${own[0]?.sql}) = 1` : 'false'} as is_total`,
    ...needed.map((measure) => `${isWide ? 'sum' : 'sum_of_bigints'}(${place.sqlOf(measure)}) as ${measure}`),
    'bool_or(approximate) as approximate',
  ]
  const ofKeys = own.map(({ sql }) => sql).join(', ')
  const grouped = [...by, ...(hasTotal ? [`grouping sets ((${ofKeys}), ())`] : own.map(({ sql }) => sql))].join(', ')
  const days = `${param(place.days)}::date[]`
  const day = isDayByDay ? 'd.rate_day' : `any(${days})`
  const sums = `select ${columns.join(', ')} from ${place.from} and ${place.day} = ${day} ${conditionsOf(filters, param)} group by ${grouped} ${place.having ?? ''}`
  return isDayByDay ? `select d.rate_day, sums.* from unnest(${days}) as d(rate_day), lateral (${sums}) sums` : sums
}
