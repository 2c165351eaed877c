// Lists read rows of aggregates, newest first, by keyset (C53). Filter columns come from the caller's code, never from a request.
import type { Transaction } from '@wds/postgres/transaction'
import { aggregateColumns, type Loaded, toLoaded } from './aggregate.ts'

export interface ListQuery {
  workspaceId: string
  table: 'integrations' | 'sync_runs' | 'imports'
  /** Equality with one of several values, by column; a column of text[] matches when it shares a value. */
  equals: { column: string; values: readonly string[]; overlaps?: boolean }[]
  created: { op: '>=' | '>' | '<=' | '<'; instant: string }[]
  /** Deleted ones are never listed. */
  withoutStatus?: string
  after: { createdMs: number; id: string } | null
  /** Rows asked for, one more than the page. */
  rows: number
}

/** Most rows that a list reads for one page (decision 26). */
export const walkRowsMax = 10_000

/** Rows of a page and one more; `walkedTo`: the last row read where the walk ended before the page was full and before the list's end, else null. */
export interface Walked<S> {
  rows: Loaded<S>[]
  walkedTo: { createdMs: number; id: string } | null
}

const order = 'order by created desc, id desc'

/**
 * The rows of a page and one more. The walk goes through the `…_list` index, or that of one filter with a single value, in its order;
 * what else is asked for is looked at row by row, at most `walkRowsMax` of them.
 */
export async function listAggregates<S>(tx: Transaction, o: ListQuery): Promise<Walked<S>> {
  const values: unknown[] = [o.workspaceId]
  const bind = (value: unknown) => `$${values.push(value)}`
  const leading = o.equals.find(({ overlaps, values: wanted }) => !overlaps && wanted.length === 1)
  const walk = walkOf(o, leading, bind)
  const walkValues = [...values]
  const filters = o.equals
    .filter((filter) => filter !== leading)
    .map(({ column, values: wanted, overlaps }) =>
      overlaps ? `${column} && ${bind(wanted)}::text[]` : `${column} = any(${bind(wanted)}::text[])`,
    )
  if (o.withoutStatus !== undefined) filters.push(`status <> ${bind(o.withoutStatus)}`)
  const where = filters.length === 0 ? '' : `where ${filters.join(' and ')}`
  const { rows } = await tx.query<Parameters<typeof toLoaded<S>>[0]>(
    `select ${aggregateColumns} from (select * ${walk} limit ${bind(walkRowsMax)}) walked ${where} ${order} limit ${bind(o.rows)}`,
    values,
  )
  const found = rows.map((row) => toLoaded<S>(row))
  if (found.length === o.rows || filters.length === 0) return { rows: found, walkedTo: null }
  const { rows: last } = await tx.query<{ id: string; created: Date }>(
    `select id, created ${walk} offset $${walkValues.length + 1} limit 1`,
    [...walkValues, walkRowsMax - 1],
  )
  const [end] = last
  return { rows: found, walkedTo: end ? { createdMs: end.created.getTime(), id: end.id } : null }
}

function walkOf(o: ListQuery, leading: ListQuery['equals'][number] | undefined, bind: (value: unknown) => string) {
  const conditions = ['workspace_id = $1']
  if (leading) conditions.push(`${leading.column} = ${bind(leading.values[0])}`)
  for (const { op, instant } of o.created) conditions.push(`created ${op} ${bind(instant)}::timestamptz`)
  if (o.after) {
    conditions.push(
      `(created, id) < (to_timestamp(${bind(o.after.createdMs)}::float8 / 1000)::timestamptz(3), ${bind(o.after.id)})`,
    )
  }
  return `from ${o.table} where ${conditions.join(' and ')} ${order}`
}
