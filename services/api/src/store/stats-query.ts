// Sums stats rows by dimensions (domain.md 3.5). Names of columns come from the tables below, never from a request.
import type { Transaction } from '@wds/postgres/transaction'
import { type MeasureValues, measures } from '../domain/measures.ts'
import { toValues } from './staging.ts'

/** Dimensions by their word in the query: the member of the answer and its expression. */
export const statsDimensions = {
  day: { field: 'day', sql: "to_char(workspace_day, 'YYYY-MM-DD')" },
  week: { field: 'week', sql: `to_char(workspace_day, 'IYYY-"W"IW')` },
  month: { field: 'month', sql: "to_char(workspace_day, 'YYYY-MM')" },
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
  groupBy: StatsDimension[]
  filters: { dimension: StatsDimension; values: readonly string[]; not: boolean }[]
}

export interface StatsGroup {
  /** Values of the grouping, in its order. */
  key: (string | null)[]
  sums: MeasureValues
  approximate: boolean
}

/** Most groups of one query (domain.md 3.5). */
export const groupsMax = 10_000

/** Groups of the query, at most one more than allowed. The index stats_rows_day serves it. */
export async function sumStats(tx: Transaction, o: StatsQuery): Promise<StatsGroup[]> {
  const values: unknown[] = [o.workspaceId, o.from, o.to]
  const conditions = ['workspace_id = $1', 'workspace_day between $2 and $3', 'not deleted']
  for (const { dimension, values: wanted, not } of o.filters) {
    const column = statsDimensions[dimension].sql
    const test = `${column} = any($${values.push(wanted)}::text[])`
    conditions.push(not ? `(${test}) is not true` : test)
  }
  const keys = o.groupBy.map((dimension, index) => `${statsDimensions[dimension].sql} as k${index}`)
  const grouping = keys.length > 0 ? `group by ${keys.map((_, index) => index + 1).join(', ')}` : 'having count(*) > 0'
  const sums = measures.map((measure) => `sum(${measure}) as ${measure}`)
  const { rows } = await tx.query<Record<string, string | null> & { approximate: never }>(
    `select ${[...keys, ...sums, 'bool_or(approximate) as approximate'].join(', ')} from stats_rows
     where ${conditions.join(' and ')} ${grouping} limit ${groupsMax + 1}`,
    values,
  )
  return rows.map((row) => ({
    key: o.groupBy.map((_, index) => row[`k${index}`] ?? null),
    sums: toValues(row),
    approximate: Boolean(row.approximate),
  }))
}
