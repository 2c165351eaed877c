// Which rows of the outbox a batch reads, and in which order: oldest first, fair between keys (stack.md 6).
import type { PublishableRow } from '@wds/event-log/port'
import { ownConnection, type Pool, type Queryable } from '@wds/postgres/pool'
import type { TracedRecord } from '@wds/telemetry/messaging-spans'
import { isTracing } from '@wds/telemetry/spans'

/** A row as it is stored. */
export interface OutboxRow {
  id: string
  topic: string
  key: string
  event_id: string
  headers: Record<string, string>
  payload: Buffer | null
}

/**
 * Settings of the connection that runs these statements ({@link relayConnection}). A session keeps its plans, and those are made while the
 * outbox is nearly empty, where every index and a read of the whole table cost the same. So nothing is left to choose: each access asks for
 * an order that only the index meant for it has (hence `between` where `=` would do: a column that equals one value needs no order), and
 * nothing may be sorted or read whole instead. The one sort that remains is a disabled one, whose made-up cost would have the server
 * compile each statement, 0.4 s.
 */
const planByKeys = { enable_seqscan: 'off', enable_sort: 'off', jit: 'off' }

/** The connection of a relay, for all that it does with the outbox. It ends with `pool`. */
export function relayConnection(pool: Pool): Pool {
  return ownConnection(pool, 'relay', planByKeys)
}

// The oldest rows, and the first rows of up to 500 keys however late they are: 100,000 events of one workspace must not delay the others.
// Both parts take the rows of a key from its oldest on, so within a key the order is that of the ids. Only a backlog pays for the second
// part. Served by the primary key and by outbox_key. The size is part of the text: with a parameter the statement would be planned at
// every call, which costs five times its execution.
// `of`: a condition on the rows; without one nothing of the text changes, nor of its plan.
const windowSql = (size: number, of = 'true'): string => `
  with recursive backlog(yes) as (
    select count(*) > ${size} from (select from outbox order by id limit ${size} + 1) f
  ), keys(key, n) as (
    (select key, 1 from outbox where (select yes from backlog) order by key limit 1)
    union all
    select (select o.key from outbox o where o.key > k.key order by o.key limit 1), k.n + 1
    from keys k where k.key is not null and k.n < 500
  ), candidates as (
    (select id, key from outbox where ${of} order by id limit ${size} * 4)
    union
    (select f.id, f.key from keys k cross join lateral
      (select id, key from outbox o where ${of} and o.key between k.key and k.key order by key, id limit 4) f where k.key is not null)
  ), picked as materialized (
    select id from candidates order by row_number() over (partition by key order by id), id limit ${size}
  )`

/** True when the outbox has rows: the cheap poll of an idle relay. The primary key serves it. */
export async function findsRows(pool: Pool): Promise<boolean> {
  const { rowCount } = await pool.query({ name: 'outbox-look', text: 'select from outbox order by id limit 1' })
  return rowCount === 1
}

const rowOf = (id: string, columns: string): string =>
  `(select ${columns} from outbox where id between ${id} and ${id} order by id limit 1)`

/** Deletes the rows with the ids `$1`. */
export const removeSql = `delete from outbox where ctid = any(array(
  select o.ctid from unnest($1::bigint[]) as gone(id) cross join lateral ${rowOf('gone.id', 'ctid')} o))`
/** The same, and returns the rows: for a log that publishes them in the same statement. */
export const removal = `${removeSql} returning id, topic, key, event_id, headers, payload`

/** What a move is told of its rows, and their spans where somebody records. */
export async function findRows(tx: Queryable, size: number): Promise<(PublishableRow & TracedRecord)[]> {
  const traced = isTracing()
  const { rows } = await tx.query<Omit<OutboxRow, 'payload'> & { size: number | null }>({
    name: `outbox-find-${size}${traced ? '-traced' : ''}`,
    text: `${windowSql(size)} select o.id, o.topic, o.key, o.event_id,
        ${traced ? 'o.headers, octet_length(o.payload) as size' : `'{}'::json as headers, null::integer as size`}
      from picked p cross join lateral ${rowOf('p.id', '*')} o`,
  })
  return inOrder(rows).map(({ id, topic, key, event_id: eventId, headers, size: byteLength }) => {
    return { id, topic, key, eventId, headers, payload: byteLength === null ? null : { byteLength } }
  })
}

/** `without`: topics, and queues of them by `queueOf`, whose rows are left out. */
export async function readRows(tx: Queryable, size: number, without: string[] = []): Promise<OutboxRow[]> {
  const [name, of, values] =
    without.length === 0
      ? ['', undefined, []]
      : ['-without', `topic <> all($1::text[]) and topic || ' ' || key <> all($1::text[])`, [without]]
  const { rows } = await tx.query<OutboxRow>({
    name: `outbox-read-${size}${name}`,
    text: `${windowSql(size, of)} select o.id, o.topic, o.key, o.event_id, o.headers, o.payload
      from picked p cross join lateral ${rowOf('p.id', '*')} o`,
    values,
  })
  return inOrder(rows)
}

/** Identity values stay below 2^53 for longer than any database lives. */
function inOrder<R extends { id: string }>(rows: R[]): R[] {
  return rows.sort((a, b) => Number(a.id) - Number(b.id))
}
