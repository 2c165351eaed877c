// The result of an export as it was found, until it stands in the file: held in one statement, taken out in the order of its places.
import type { Bind } from '@wds/aggregate/list'
import type { Transaction } from '@wds/postgres/transaction'
import { isSummed, noSums, type SumValues } from '../stats/domain/measures.ts'
import { type OrderedQuery, orderedGroupsSql, type SummedGroup } from '../stats/store-ordered.ts'
import { refuseMissing, refuseOverflow } from '../stats/store-query.ts'

/**
 * Holds the result of the query where it has no more than `rowsMax` rows; `rows` says how many it has, at most one more. Throws Problems
 * `rate_missing` and `amount_overflow`.
 */
export async function holdRows(
  tx: Transaction,
  o: { workspaceId: string; exportId: string; query: Omit<OrderedQuery, 'limit'>; rowsMax: number },
): Promise<{ rows: number; approximate: boolean; measures: readonly string[] }> {
  const values: unknown[] = []
  const param = (value: unknown) => `$${values.push(value)}`
  const { sql, measures } = orderedGroupsSql({ ...o.query, limit: o.rowsMax + 1 }, param)
  const { rows } = await refuseOverflow(() =>
    tx.query<{ rows: number; approximate: boolean | null; missing: string | null }>(
      `with found as materialized (${sql}),
       judged as (select count(*)::integer as rows, bool_or(approximate) as approximate, min(missing) as missing from found),
       held as (
         insert into export_rows (workspace_id, export_id, place, key, sums, earlier)
         select ${param(o.workspaceId)}, ${param(o.exportId)}, place, key, sums, earlier from found, judged
         where judged.rows <= ${param(o.rowsMax)} and judged.missing is null)
       select rows, approximate, missing from judged`,
      values,
    ),
  )
  refuseMissing(rows, o.query.fx)
  return { rows: rows[0]?.rows ?? 0, approximate: rows[0]?.approximate === true, measures }
}

/** Takes the rows after one place, up to another, out in their order. The primary key serves it. */
export async function takeRows(
  tx: Transaction,
  o: { workspaceId: string; exportId: string; after: number; upTo: number; measures: readonly string[] },
): Promise<SummedGroup[]> {
  const { rows } = await tx.query<{ key: (string | null)[]; sums: Sums; earlier: Sums | null }>(
    `with taken as (
       delete from export_rows where workspace_id = $1 and export_id = $2 and place > $3 and place <= $4
       returning place, key, sums, earlier)
     select key, sums, earlier from taken order by place`,
    [o.workspaceId, o.exportId, o.after, o.upTo],
  )
  return rows.map(({ key, sums, earlier }) => ({
    key,
    sums: toValues(sums, o.measures),
    earlier: earlier && toValues(earlier, o.measures),
  }))
}

/**
 * Holds what a statement finds, `place` from 1 and `listed`, where that is no more than `rowsMax` rows; gives how many it has, at most one
 * more.
 */
export async function holdListed(
  tx: Transaction,
  o: { workspaceId: string; exportId: string; foundSql: (bind: Bind) => string; rowsMax: number },
): Promise<number> {
  const values: unknown[] = []
  const param: Bind = (value) => `$${values.push(value)}`
  const { rows } = await tx.query<{ rows: number }>(
    `with found as materialized (${o.foundSql(param)} limit ${param(o.rowsMax + 1)}),
     judged as (select count(*)::integer as rows from found),
     held as (
       insert into export_rows (workspace_id, export_id, place, listed)
       select ${param(o.workspaceId)}, ${param(o.exportId)}, place, listed from found, judged
       where judged.rows <= ${param(o.rowsMax)})
     select rows from judged`,
    values,
  )
  return rows[0]?.rows ?? 0
}

/** Takes the rows after one place, up to another, out in their order, as they were listed. The primary key serves it. */
export async function takeListed(
  tx: Transaction,
  o: { workspaceId: string; exportId: string; after: number; upTo: number },
): Promise<object[]> {
  const { rows } = await tx.query<{ listed: object }>(
    `with taken as (
       delete from export_rows where workspace_id = $1 and export_id = $2 and place > $3 and place <= $4
       returning place, listed)
     select listed from taken order by place`,
    [o.workspaceId, o.exportId, o.after, o.upTo],
  )
  return rows.map(({ listed }) => listed)
}

type Sums = (string | null)[]

function toValues(sums: Sums, measures: readonly string[]): SumValues {
  const values = noSums()
  for (const [index, name] of measures.entries()) {
    const sum = sums[index] ?? null
    if (isSummed(name)) values[name] = sum === null ? null : BigInt(sum)
  }
  return values
}

/** Removes rows of an export, at most `limit`; how many there were. The primary key serves it. */
export async function dropRows(
  tx: Transaction,
  o: { workspaceId: string; exportId: string; limit: number },
): Promise<number> {
  const { rowCount } = await tx.query(
    `delete from export_rows where ctid = any(array(
       select ctid from export_rows where workspace_id = $1 and export_id = $2 limit $3))`,
    [o.workspaceId, o.exportId, o.limit],
  )
  return rowCount ?? 0
}
