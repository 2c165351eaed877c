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

const pickedSql = (size: number): string => `picked as materialized (
    select id from candidates order by row_number() over (partition by key order by id), id limit ${size}
  )`

// The oldest rows, and the first rows of up to 500 keys however late they are: 100,000 events of one workspace must not delay the others.
// Both parts take the rows of a key from its oldest on, so within a key the order is that of the ids. Only a backlog pays for the second
// part. Served by the primary key and by outbox_key. The size is part of the text: with a parameter the statement would be planned at
// every call, which costs five times its execution.
const windowSql = (size: number): string => `
  with recursive backlog(yes) as (
    select count(*) > ${size} from (select from outbox order by id limit ${size} + 1) f
  ), keys(key, n) as (
    (select key, 1 from outbox where (select yes from backlog) order by key limit 1)
    union all
    select (select o.key from outbox o where o.key > k.key order by o.key limit 1), k.n + 1
    from keys k where k.key is not null and k.n < 500
  ), candidates as (
    (select id, key from outbox order by id limit ${size} * 4)
    union
    (select f.id, f.key from keys k cross join lateral
      (select id, key from outbox o where o.key between k.key and k.key order by key, id limit 4) f where k.key is not null)
  ), ${pickedSql(size)}`

/** True when the outbox has rows: the cheap poll of an idle relay. The primary key serves it. */
export async function findsRows(pool: Pool): Promise<boolean> {
  const { rowCount } = await pool.query({ name: 'outbox-look', text: 'select from outbox order by id limit 1' })
  return rowCount === 1
}

const rowOf = (id: string, columns: string): string =>
  `(select ${columns} from outbox where id between ${id} and ${id} order by id limit 1)`

const rowsSql = `select o.id, o.topic, o.key, o.event_id, o.headers, o.payload
  from picked p cross join lateral ${rowOf('p.id', '*')} o`

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

export async function readRows(tx: Queryable, size: number): Promise<OutboxRow[]> {
  const { rows } = await tx.query<OutboxRow>({
    name: `outbox-read-${size}`,
    text: `${windowSql(size)} ${rowsSql}`,
  })
  return inOrder(rows)
}

/** A part of the outbox, by ids. `middle`: from where on the next part may begin; null in the last one. */
export interface Part {
  after: string
  upTo: string
  middle: string | null
}

/** Rows of a part: so many are looked through at once, whatever they are. */
const partRows = 10_000
/** Above every id. */
const noEnd = '9223372036854775807'
const nthId = (n: number): string => `(select id from outbox where id > $1 order by id offset ${n - 1} limit 1)`

/** The part behind the id `after`. */
export async function findPart(tx: Queryable, after: string): Promise<Part> {
  const { rows } = await tx.query<{ middle: string; end: string | null }>({
    name: 'outbox-part',
    text: `select ${nthId(partRows / 2)} as middle, ${nthId(partRows)} as end`,
    values: [after],
  })
  const { middle, end } = rows[0] ?? { middle: after, end: null }
  return end === null ? { after, upTo: noEnd, middle: null } : { after, upTo: end, middle }
}

// A part says only whose rows there are; of each key the first ones are taken, wherever they stand, so that none overtakes another.
// Hashed under every plan, where `<> all` would compare each row with each of `$1` once the plan is kept.
const isOther = `topic not in (select unnest($1::text[])) and topic || ' ' || key not in (select unnest($1::text[]))`
const othersSql = (size: number): string => `
  with part as (
    select key from outbox where id > $2 and id <= $3 and ${isOther} order by id
  ), keys as materialized (
    select distinct key from part limit 500
  ), candidates as (
    select f.id, f.key from keys k cross join lateral (
      select id, key from outbox o where ${isOther} and o.key between k.key and k.key order by key, id
      limit greatest(4, ${size} * 4 / (select count(*) from keys))) f
  ), ${pickedSql(size)}`

/** Rows but those of `without`: topics, and queues of them by `queueOf`. Of the keys that have some in a part. */
export async function readOthers(tx: Queryable, size: number, o: Part & { without: string[] }): Promise<OutboxRow[]> {
  const { rows } = await tx.query<OutboxRow>({
    name: `outbox-read-${size}-others`,
    text: `${othersSql(size)} ${rowsSql}`,
    values: [o.without, o.after, o.upTo],
  })
  return inOrder(rows)
}

/** Identity values stay below 2^53 for longer than any database lives. */
function inOrder<R extends { id: string }>(rows: R[]): R[] {
  return rows.sort((a, b) => Number(a.id) - Number(b.id))
}
