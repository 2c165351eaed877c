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

/** The rows of a page and one more. The `…_list` indexes serve it. */
export async function listAggregates<S>(tx: Transaction, o: ListQuery): Promise<Loaded<S>[]> {
  const values: unknown[] = [o.workspaceId]
  const bind = (value: unknown) => `$${values.push(value)}`
  const conditions = ['workspace_id = $1']
  for (const { column, values: wanted, overlaps } of o.equals) {
    conditions.push(overlaps ? `${column} && ${bind(wanted)}::text[]` : `${column} = any(${bind(wanted)}::text[])`)
  }
  for (const { op, instant } of o.created) conditions.push(`created ${op} ${bind(instant)}::timestamptz`)
  if (o.withoutStatus !== undefined) conditions.push(`status <> ${bind(o.withoutStatus)}`)
  if (o.after) {
    conditions.push(
      `(created, id) < (to_timestamp(${bind(o.after.createdMs)}::float8 / 1000)::timestamptz(3), ${bind(o.after.id)})`,
    )
  }
  const { rows } = await tx.query<Parameters<typeof toLoaded<S>>[0]>(
    `select ${aggregateColumns} from ${o.table} where ${conditions.join(' and ')}
     order by created desc, id desc limit ${bind(o.rows)}`,
    values,
  )
  return rows.map((row) => toLoaded<S>(row))
}
