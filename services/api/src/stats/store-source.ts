// Where the sums of a stats query come from, as SQL: rollups of final days and rows of the others, by the day that is asked for
// (domain.md 3.5). Names of columns come from the tables below, never from a request.
import type { Transaction } from '@wds/postgres/transaction'
import { datesOf, toInstant } from '../calendar/domain/calendar.ts'
import type { DayCuts } from '../calendar/domain/workspace-day.ts'
import type { CampaignPlace } from '../campaign-places/store-places.ts'
import type { Pair } from './domain/compare-period.ts'
import { measures, type SummedMeasure } from './domain/measures.ts'
import { dayOfHourSql, toStarts } from './store-recut.ts'

/** Dimensions by their word in the query: the member of the answer and its expression. */
export const statsDimensions = {
  day: { field: 'day', sql: "to_char(day, 'YYYY-MM-DD')" },
  week: { field: 'week', sql: `to_char(day, 'IYYY-"W"IW')` },
  month: { field: 'month', sql: "to_char(day, 'YYYY-MM')" },
  brand: { field: 'brand_slug', sql: 'brand_slug' },
  campaign: { field: 'campaign_external_id', sql: 'campaign_external_id' },
  /** Whose campaign it is: joins `campaign`, since external ids are unique within an integration. Shown as `campaign_id`. */
  campaign_of: { field: 'campaign_id', sql: 'case when campaign_external_id is not null then integration_id end' },
  integration: { field: 'integration_id', sql: 'integration_id' },
  country: { field: 'country', sql: 'country' },
  sub_affiliate: { field: 'sub_affiliate_id', sql: 'sub_affiliate_id' },
  currency: { field: 'currency', sql: 'currency' },
} as const
export type StatsDimension = keyof typeof statsDimensions

export interface StatsFilter {
  dimension: StatsDimension
  values: readonly string[]
  not: boolean
  /** Beside the values, of the dimension `campaign`. */
  places?: readonly CampaignPlace[]
}

/** Where sums come from. */
export interface StatsSource {
  workspaceId: string
  /** Days that are summed, as they are asked for. */
  days: { from: string; to: string }
  /** Of them, those that are read as their rollup has them; of the others the rows as they are now. */
  rolledUp: readonly string[]
  /** Where days begin by another zone than rows are cut by; rows without an hour are left out then. */
  cuts: DayCuts | null
  /** These days alone. */
  only: readonly string[] | null
  /** Of this day the hours before the instant; it is not rolled up. */
  cut: { day: string; beforeMs: number } | null
  /** Days count for others. */
  pairs: readonly Pair[] | null
}

/** Gives the placeholder of a value. */
export type Param = (value: unknown) => string

/** A place in which rows of some of the days stand. */
export interface RowsOfDays {
  /** The rows, as SQL that ends in a condition. */
  from: string
  /** Its column of the day. */
  day: string
  days: readonly string[]
  /** An index finds the rows of one day alone. */
  isByDay: boolean
  /** What of a row is summed. */
  sqlOf(measure: SummedMeasure): string
  /** Which sums are left out. */
  having?: string
}

/** The ledger follows final days (domain.md 3.9): what it does not name has cost nothing there, and is not known of other days. */
const measureOf = (cost: '0' | 'null') => (measure: SummedMeasure) =>
  measure === 'sub_affiliate_cost' ? `${cost}::bigint` : measure

/** Where the rows of the days stand, in one place at least: of a final day no row is looked at, of another one no rollup. */
export function placesOfRows(source: StatsSource, param: Param): RowsOfDays[] {
  const { cut, cuts } = source
  const days = summedDays(source)
  const before = (day: string) =>
    cut === null
      ? ''
      : `and (${day} <> ${param(cut.day)}::date or hour < ${param(toInstant(cut.beforeMs))}::timestamptz)`
  if (cuts !== null)
    return [
      {
        from: `${otherZoneSql(source, cuts, param)} where true ${before('day')}`,
        day: 'day',
        days,
        isByDay: false,
        sqlOf: measureOf('null'),
      },
    ]
  const isRolledUp = new Set(source.rolledUp)
  const [fresh, final] = [days.filter((day) => !isRolledUp.has(day)), days.filter((day) => isRolledUp.has(day))]
  const places: RowsOfDays[] = []
  if (fresh.length > 0 || final.length === 0) {
    const from = `stats_rows where workspace_id = ${param(source.workspaceId)} and not deleted ${before('workspace_day')}`
    places.push({ from, day: 'workspace_day', days: fresh, isByDay: true, sqlOf: measureOf('null') })
  }
  if (final.length > 0) {
    const from = `stats_rollups where workspace_id = ${param(source.workspaceId)}`
    places.push({ from, day: 'day', days: final, isByDay: true, sqlOf: measureOf('0') })
  }
  return places
}

/** All rows of the days, each with its day. */
export function sourceSql(source: StatsSource, columns: string, param: Param): string {
  const selects = placesOfRows(source, param).map(({ from, day, days }) => {
    return `select ${day} as day, ${columns} from ${from} and ${day} = any(${param(days)}::date[])`
  })
  return selects.join(' union all ')
}

/** Each once, whatever days it counts for. */
export function summedDays({ days: range, pairs, only }: StatsSource): string[] {
  const days = pairs === null ? datesOf(range) : [...new Set(pairs.map(({ earlier }) => earlier))]
  return only === null ? days : days.filter((day) => only.includes(day))
}

/** By another zone than the workspace's only hours can be cut; the day before and after hold the edges. */
function otherZoneSql({ workspaceId, days }: StatsSource, cuts: DayCuts, param: Param): string {
  const [names, starts] = [param(cuts.days), param(toStarts(cuts))]
  return `(select ${dayOfHourSql('hour', names, starts)} as day, hour, ${rowColumns} from stats_rows
      where workspace_id = ${param(workspaceId)} and not deleted and hour >= (${starts}::timestamptz[])[1]
        and workspace_day between ${param(days.from)}::date - 1 and ${param(days.to)}::date + 1) cut`
}

const rowColumns = [
  ...['integration_id', 'brand_slug', 'campaign_external_id', 'country', 'sub_affiliate_id', 'currency'],
  ...['approximate', ...measures],
].join(', ')

/** Conditions of the filters, each with `and` before it. */
export function conditionsOf(filters: StatsFilter[], param: Param): string {
  const conditions = filters.map(({ dimension, values, not, places = [] }) => {
    const equal = `${statsDimensions[dimension].sql} = any(${param(values)}::text[])`
    const test = places.length === 0 ? equal : `(${equal} or ${isOneOf(places, param)})`
    return not ? `(${test}) is not true` : test
  })
  return conditions.map((condition) => `and ${condition}`).join(' ')
}

function isOneOf(places: readonly CampaignPlace[], param: Param): string {
  const integrations = param(places.map(({ integrationId }) => integrationId))
  const externalIds = param(places.map(({ externalId }) => externalId))
  return `(integration_id, campaign_external_id) in (select * from unnest(${integrations}::text[], ${externalIds}::text[]))`
}

/** Integrations that have rows of whole days among those asked for. The index stats_rows_day serves it. */
export async function findDailyIntegrations(
  tx: Transaction,
  o: { workspaceId: string; from: string; to: string; filters: StatsFilter[] },
): Promise<string[]> {
  const values: unknown[] = [o.workspaceId, o.from, o.to]
  const conditions = conditionsOf(o.filters, (value) => `$${values.push(value)}`)
  const { rows } = await tx.query<{ integration_id: string }>(
    `select distinct integration_id from stats_rows
     where workspace_id = $1 and workspace_day between $2 and $3 and not deleted and hour is null ${conditions} order by 1`,
    values,
  )
  return rows.map(({ integration_id }) => integration_id)
}
