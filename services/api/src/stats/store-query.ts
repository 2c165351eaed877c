// Sums stats by dimensions (domain.md 3.5). Names of columns come from tables, never from a request.
import { Problem } from '@wds/http-service/problem'
import { sqlStateOf, type Transaction } from '@wds/postgres/transaction'
import { isSummed, noSums, type SummedMeasure, type SumValues } from './domain/measures.ts'
import { commissionParts, measuresOf, type Term, termsOf } from './domain/stats-metrics.ts'
import { divideHalfEvenSql, type Fx } from './store-convert.ts'
import { type Grouping, groupsSql, keyNames } from './store-groups.ts'
import type { Param, StatsDimension } from './store-source.ts'

export interface StatsQuery extends Grouping {
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
  /** Values of the grouping, in its order; one null where nothing is grouped by. */
  key: (string | null)[]
  sums: SumValues
  position: StatsPosition
}

export interface StatsAnswer {
  groups: StatsGroup[]
  /** Of all groups, by currency. */
  totals: { currency: string; sums: SumValues }[]
  /** Of all groups, at most one more than allowed; the totals hold only where they are not more. */
  count: number
  approximate: boolean
}

/** `numeric_value_out_of_range`. */
const numericOutOfRange = '22003'

/** Most groups of one query (domain.md 3.5). */
export const groupsMax = 10_000

/**
 * A page of the groups in their order, null first in both the value and the key, and the totals of all of them: converted ones are those of
 * the days and currencies, whatever the grouping. The index stats_rows_day and the unique index of stats_rollups serve it.
 */
export async function sumStats(tx: Transaction, o: StatsQuery): Promise<StatsAnswer> {
  const values: unknown[] = []
  const param: Param = (value) => `$${values.push(value)}`
  const keys = keyNames(o.groupBy)
  const { value } = orderValue(o)
  const needed = measuresOf([...o.metrics, o.orderBy.name])
  const place = placeOf(o)
  const columns = needed.map((measure) => `, ${measure}`).join('')
  const { rows } = await refuseOverflow(() =>
    tx.query<Record<string, string | null>>(
      `with ${groupsSql({ ...o, limit: groupsMax + 2, hasTotal: o.fx !== null }, needed, param)}, page as (
       select ${keys.join(', ')}${columns}, (${value})::text as value,
         row_number() over (order by ${place.join(', ')}) as place
       from groups where not is_total ${o.after === null ? '' : `and (${place.join(', ')}) > (${positionOf(o.after, signOf(o), param)})`}
       order by place limit ${param(o.rows)}
     )
     select ${keys.join(', ')}${columns}, value, place, null as total, null as count, null as approximate, null as missing
     from page
     union all
     ${totalsSql(o, needed)}
     order by place, total`,
      values,
    ),
  )
  refuseMissing(rows, o.fx)
  const totals = rows.filter((row) => row.place === null)
  return {
    groups: rows.filter((row) => row.place !== null).map((row) => toGroup(row, { keys, needed })),
    totals: totals.map((row) => ({ currency: o.fx?.currency ?? row.total ?? '', sums: toSums(row, needed) })),
    count: Number(totals[0]?.count ?? 0),
    approximate: totals.some((row) => row.approximate === 'true'),
  }
}

/** The sums of some groups, by the JSON text of their key, where there are any. */
export async function sumGroups(
  tx: Transaction,
  o: Grouping & { keys: readonly (readonly (string | null)[])[] },
): Promise<Map<string, SumValues>> {
  const values: unknown[] = []
  const param: Param = (value) => `$${values.push(value)}`
  const needed = measuresOf(o.metrics)
  const names = keyNames(o.groupBy)
  const groups = groupsSql({ ...o, limit: null, hasTotal: false }, needed, param)
  const wanted = names.map((_, index) => `${param(o.keys.map((key) => key[index] ?? ''))}::text[]`)
  const { rows } = await refuseOverflow(() =>
    tx.query<Record<string, string | null>>(
      `with ${groups}
     select groups.* from groups join unnest(${wanted.join(', ')}) as wanted(${names.join(', ')})
     on ${names.map((name) => `coalesce(groups.${name}, '') = wanted.${name}`).join(' and ')}`,
      values,
    ),
  )
  refuseMissing(rows, o.fx)
  return new Map(rows.map((row) => [JSON.stringify(names.map((name) => row[name])), toSums(row, needed)]))
}

/** One row per currency, with the columns of a page. */
function totalsSql({ groupBy, fx }: Grouping, needed: readonly SummedMeasure[]): string {
  const keys = keyNames(groupBy)
    .map(() => 'null, ')
    .join('')
  const rest = `(${countSql})::text`
  if (fx !== null) {
    const columns = needed.map((measure) => `${measure}, `).join('')
    return `select ${keys}${columns}null, null, null, ${rest}, approximate::text, missing from groups where is_total`
  }
  const currency = `k${groupBy.indexOf('currency')}`
  const sums = needed.map((measure) => `sum(${measure}), `).join('')
  return `select ${keys}${sums}null, null, ${currency}, ${rest}, bool_or(approximate)::text, null from groups group by ${currency}`
}

const countSql = 'select count(*) from groups where not is_total'

/** A sum beyond bigint is beyond what an answer may carry, too (domain.md M1). */
export async function refuseOverflow<T>(query: () => Promise<T>): Promise<T> {
  try {
    return await query()
  } catch (error) {
    if (sqlStateOf(error) !== numericOutOfRange) throw error
    throw new Problem('amount_overflow')
  }
}

export function refuseMissing(rows: readonly { missing?: string | null }[], fx: Fx | null): void {
  const missing = rows.find((row) => row.missing != null)?.missing
  if (missing == null || fx === null) return
  const detail = `There is no rate of ${missing}, or the 7 days before, to ${fx.currency}.`
  throw new Problem('rate_missing', { detail })
}

function toSums(row: Record<string, unknown>, needed: readonly SummedMeasure[]): SumValues {
  const sums = needed.map((measure) => [measure, row[measure] == null ? null : BigInt(String(row[measure]))])
  return { ...noSums(), ...Object.fromEntries(sums) }
}

function toGroup(
  row: Record<string, string | null>,
  { keys, needed }: { keys: string[]; needed: readonly SummedMeasure[] },
): StatsGroup {
  const key = keys.map((name) => row[name] ?? null)
  return { key, sums: toSums(row, needed), position: [row.value ?? null, ...key] }
}

const signOf = ({ orderBy }: Pick<StatsQuery, 'orderBy'>) => (orderBy.descending ? '-' : '')

/** What groups are ordered by. The empty text stands for null: no key is empty. Where values are turned round for a descending order, so is the least one. */
export function placeOf(o: Pick<StatsQuery, 'orderBy' | 'groupBy'>): string[] {
  const keys = keyNames(o.groupBy).map((name) => `coalesce(${name}, '') collate "C"`)
  return [`${signOf(o)}coalesce(${orderValue(o).number}, '-infinity')`, ...keys]
}

/** What a group is ordered by, as it is and as a number. */
function orderValue(o: Pick<StatsQuery, 'orderBy' | 'groupBy'>): { value: string; number: string } {
  const at = o.groupBy.indexOf(o.orderBy.name as StatsDimension)
  if (at >= 0) return { value: `k${at}`, number: `regexp_replace(k${at}, '\\D', '', 'g')::numeric` }
  const [term, denominator] = termsOf(o.orderBy.name).map(sqlOf)
  const metric = denominator === undefined ? String(term) : ratioSql(String(term), denominator)
  return { value: metric, number: metric }
}

function sqlOf(term: Term): string {
  if (isSummed(term)) return term
  const sum = commissionParts.map((part) => `coalesce(${part}, 0)`).join(' + ')
  const commission = `case when num_nonnulls(${commissionParts.join(', ')}) > 0 then ${sum} end`
  return term === 'commission' ? commission : `(${commission}) - sub_affiliate_cost`
}

/** As `ratio` of the domain rounds it, half to even at the sixth place, so that what is shown as equal is equal. No denominator is negative. */
function ratioSql(numerator: string, denominator: string): string {
  return `${divideHalfEvenSql(`1000000 * (${numerator})`, `nullif(${denominator}, 0)`)} / 1000000`
}

function positionOf([value, ...key]: StatsPosition, sign: string, param: Param): string {
  const number = value == null ? '-infinity' : /^\d{4}-/.test(String(value)) ? String(value).replace(/\D/g, '') : value
  return [`${sign}${param(number)}::numeric`, ...key.map((part) => param(part ?? ''))].join(', ')
}
