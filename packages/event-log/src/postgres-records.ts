// The SQL that reads the log in Postgres. It must never read beyond what is committed below it: offsets become visible in
// order, so `off > position order by off` misses nothing.
import type { Pool } from '@wds/postgres/pool'
import { lossByBounds, lossByEventId } from './lost-records.ts'
import type { LogRecord, Position } from './port.ts'

/** Offset of the last record by `topic/partition`. The primary key of log.heads serves it. */
export async function readEnds(pool: Pool, topics: string[]): Promise<Map<string, bigint>> {
  const { rows } = await pool.query<{ topic: string; partition: number; off: string }>({
    name: 'log-ends',
    text: 'select topic, partition, off from log.heads where topic = any($1)',
    values: [topics],
  })
  return new Map(rows.map((row) => [`${row.topic}/${row.partition}`, BigInt(row.off)]))
}

/** Why nobody can go on from a position, or null. `end` may be older than the position. */
export async function lossAt(
  pool: Pool,
  o: { topic: string; partition: number; compacted: boolean; position: Position; end: bigint },
): Promise<string | null> {
  const { topic, partition, compacted, position } = o
  const { offset } = position
  if (offset < 0n) return null
  const end = offset <= o.end ? o.end : ((await readEnds(pool, [topic])).get(`${topic}/${partition}`) ?? -1n)
  // Days are dropped only when every group has passed them, so a missing beginning says nothing here.
  const loss = lossByBounds(position, { first: 0n, end }, compacted)
  if (loss !== null) return loss
  // The primary keys of log.records and log.compacted serve it.
  const { rows } = await pool.query<{ event_id: string }>(
    `select event_id from ${tableOf(compacted)} where topic = $1 and partition = $2 and off = $3`,
    [topic, partition, offset],
  )
  return lossByEventId(position, rows[0]?.event_id ?? null)
}

/** What a member wants of a partition: the records above an offset. */
export interface Wanted {
  topic: string
  partition: number
  above: bigint
}

/**
 * The next records of several partitions in one round trip, in order within each, at most `limit` of one. The primary keys of
 * log.heads and of log.records or log.compacted serve it.
 */
export async function readRecords(
  pool: Pool,
  wanted: Wanted[],
  { limit, compacted }: { limit: number; compacted: boolean },
): Promise<LogRecord[]> {
  if (wanted.length === 0) return []
  const { rows } = await pool.query<{
    topic: string
    partition: number
    off: string
    key: string
    event_id: string
    headers: Record<string, string>
    payload: Buffer | null
  }>({
    name: compacted ? 'log-read-compacted' : 'log-read',
    text: `select w.topic, w.partition, r.off, r.key, r.event_id, r.headers, r.payload
      from unnest($1::text[], $2::integer[], $3::bigint[]) as w(topic, partition, above)
        join log.heads h on h.topic = w.topic and h.partition = w.partition and h.off > w.above
        cross join lateral (
          select off, key, event_id, headers, payload from ${tableOf(compacted)} o
          where o.topic = w.topic and o.partition = w.partition and o.off > w.above order by o.off limit $4
        ) r
      order by w.topic, w.partition, r.off`,
    values: [wanted.map((w) => w.topic), wanted.map((w) => w.partition), wanted.map((w) => w.above), limit],
  })
  return rows.map((row) => ({
    topic: row.topic,
    partition: row.partition,
    offset: BigInt(row.off),
    key: row.key,
    eventId: row.event_id,
    headers: row.headers,
    payload: row.payload,
  }))
}

function tableOf(compacted: boolean): string {
  return compacted ? 'log.compacted' : 'log.records'
}
