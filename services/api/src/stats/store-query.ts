// Sums stats rows by dimensions (domain.md 3.5). Names of columns come from the tables below, never from a request.
import type { Transaction } from '@wds/postgres/transaction'
import { isMeasure, type MeasureValues, measures } from './domain/measures.ts'
import { type Term, termsOf } from './domain/stats-metrics.ts'
import { toValues } from './store-staging.ts'

/** Dimensions by their word in the query: the member of the answer and its expression. */
export const statsDimensions = {
  day: { field: 'day', sql: "to_char(day, 'YYYY-MM-DD')" },
  week: { field: 'week', sql: `to_char(day, 'IYYY-"W"IW')` },
  month: { field: 'month', sql: "to_char(day, 'YYYY-MM')" },
  brand: { field: 'brand_slug', sql: 'brand_slug' },
  campaign: { field: 'campaign_external_id', sql: 'campaign_external_id' },
  integration: { field: 'integration_id', sql: 'integration_id' },
  country: { field: 'country', sql: 'country' },
  sub_affiliate: { field: 'sub_affiliate_id', sql: 'sub_affiliate_id' },
  currency: { field: 'currency', sql: 'currency' },
} as const
export type StatsDimension = keyof typeof statsDimensions

export interface StatsQuery {
  workspaceId: string
  from: string
  to: string
  /** Days that are read as their rollup has them; of the others the rows as they are now. */
  finalDays: readonly string[]
  groupBy: StatsDimension[]
  filters: { dimension: StatsDimension; values: readonly string[]; not: boolean }[]
  /** A metric, or the time dimension of the grouping. */
  orderBy: { name: string; descending: boolean }
  /** Groups after this one only. */
  after: StatsPosition | null
  /** Groups to give, at most. */
  rows: number
}

/** Where a group stands: its value of the order, then its key. */
export type StatsPosition = (string | number | null)[]

export interface StatsGroup {
  /** Values of the grouping, in its order. */
  key: (string | null)[]
  sums: MeasureValues
  position: StatsPosition
}

export interface StatsAnswer {
  groups: StatsGroup[]
  /** Of all groups, by currency. */
  totals: { currency: string; sums: MeasureValues }[]
  /** Of all groups, at most one more than allowed; the totals hold only where they are not more. */
  count: number
  approximate: boolean
}

/** Most groups of one query (domain.md 3.5). */
export const groupsMax = 10_000

/**
 * A page of the groups in their order, null first in both the value and the key, and the totals of all of them. `groupBy` holds
 * `currency`. The index stats_rows_day and the unique index of stats_rollups serve it.
 */
export async function sumStats(tx: Transaction, o: StatsQuery): Promise<StatsAnswer> {
  const values: unknown[] = [o.workspaceId, o.from, o.to, o.finalDays]
  const param = (value: unknown) => `$${values.push(value)}`
  const keys = o.groupBy.map((_, index) => `k${index}`)
  const currency = `k${o.groupBy.indexOf('currency')}`
  const { value, number } = orderValue(o)
  const sign = o.orderBy.descending ? '-' : ''
  // The empty text stands for null: no key is empty. Where values are turned round for a descending order, so is the least one.
  const place = [`${sign}coalesce(${number}, '-infinity')`, ...keys.map((key) => `coalesce(${key}, '') collate "C"`)]
  const { rows } = await tx.query<Record<string, string | null>>(
    `with source as (${sourceSql}), groups as materialized (
       select ${[
         ...o.groupBy.map((dimension, index) => `${statsDimensions[dimension].sql} as ${keys[index]}`),
         ...measures.map((measure) => `sum(${measure}) as ${measure}`),
       ].join(', ')}, bool_or(approximate) as approximate
       from source where ${conditionsOf(o, param).join(' and ')}
       group by ${keys.map((_, index) => index + 1).join(', ')} limit ${groupsMax + 1}
     ), page as (
       select ${keys.join(', ')}, ${measures.join(', ')}, (${value})::text as value,
         row_number() over (order by ${place.join(', ')}) as place
       from groups ${o.after === null ? '' : `where (${place.join(', ')}) > (${positionOf(o.after, sign, param)})`}
       order by place limit ${param(o.rows)}
     )
     select ${keys.join(', ')}, ${measures.join(', ')}, value, place, null as count, null as approximate from page
     union all
     select ${keys.map((key) => (key === currency ? key : 'null')).join(', ')},
       ${measures.map((measure) => `sum(${measure})`).join(', ')}, null, null, count(*)::text, bool_or(approximate)::text
     from groups group by ${currency}
     order by place, ${currency}`,
    values,
  )
  const totals = rows.filter((row) => row.place === null)
  return {
    groups: rows.filter((row) => row.place !== null).map((row) => toGroup(row, keys)),
    totals: totals.map((row) => ({ currency: row[currency] ?? '', sums: toValues(row) })),
    count: totals.reduce((sum, row) => sum + Number(row.count), 0),
    approximate: totals.some((row) => row.approximate === 'true'),
  }
}

const sourceColumns = [
  ...['integration_id', 'brand_slug', 'campaign_external_id', 'country', 'sub_affiliate_id', 'currency', 'approximate'],
  ...measures,
].join(', ')
/** The rows of days by their key: $2 to $3, of which $4 are final. */
const sourceSql = `
  select workspace_day as day, ${sourceColumns} from stats_rows
  where workspace_id = $1 and workspace_day between $2 and $3 and not deleted and workspace_day <> all($4::date[])
  union all
  select day, ${sourceColumns} from stats_rollups where workspace_id = $1 and day = any($4::date[])`

function toGroup(row: Record<string, string | null>, keys: string[]): StatsGroup {
  const key = keys.map((name) => row[name] ?? null)
  return { key, sums: toValues(row), position: [row.value ?? null, ...key] }
}

function conditionsOf(o: StatsQuery, param: (value: unknown) => string): string[] {
  const conditions = ['true']
  for (const { dimension, values, not } of o.filters) {
    const test = `${statsDimensions[dimension].sql} = any(${param(values)}::text[])`
    conditions.push(not ? `(${test}) is not true` : test)
  }
  return conditions
}

/** What a group is ordered by, as it is and as a number. */
function orderValue(o: StatsQuery): { value: string; number: string } {
  const at = o.groupBy.indexOf(o.orderBy.name as StatsDimension)
  if (at >= 0) return { value: `k${at}`, number: `regexp_replace(k${at}, '\\D', '', 'g')::numeric` }
  const [term, denominator] = termsOf(o.orderBy.name).map(sqlOf)
  const metric = denominator === undefined ? String(term) : ratioSql(String(term), denominator)
  return { value: metric, number: metric }
}

function sqlOf(term: Term): string {
  if (isMeasure(term)) return term
  if (term !== 'commission') return 'null::numeric'
  const parts = ['cpa_commission', 'revshare_commission', 'other_commission']
  const sum = parts.map((part) => `coalesce(${part}, 0)`).join(' + ')
  return `case when num_nonnulls(${parts.join(', ')}) > 0 then ${sum} end`
}

/** As `ratio` of the domain rounds it, half to even at the sixth place, so that what is shown as equal is equal. No denominator is negative. */
function ratioSql(numerator: string, denominator: string): string {
  const [part, whole] = [`1000000 * (${numerator})`, `nullif(${denominator}, 0)`]
  const quotient = `div(${part}, ${whole})`
  const isUp = `2 * abs(mod(${part}, ${whole})) + abs(mod(${quotient}, 2)) > ${whole}`
  return `(${quotient} + case when ${isUp} then sign(${part}) else 0 end) / 1000000`
}

function positionOf([value, ...key]: StatsPosition, sign: string, param: (value: unknown) => string): string {
  const number = value == null ? '-infinity' : /^\d{4}-/.test(String(value)) ? String(value).replace(/\D/g, '') : value
  return [`${sign}${param(number)}::numeric`, ...key.map((part) => param(part ?? ''))].join(', ')
}
