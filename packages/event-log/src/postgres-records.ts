// The SQL that reads the log in Postgres. It must never read beyond what is committed below it: offsets become visible in
// order, so `off > position order by off` misses nothing.
import type { Pool } from '@wds/postgres/pool'
import type { LogRecord } from './port.ts'

/** Offset of the last record by `topic/partition`. The primary key of log.heads serves it. */
export async function readEnds(pool: Pool, topics: string[]): Promise<Map<string, bigint>> {
  const { rows } = await pool.query<{ topic: string; partition: number; off: string }>({
    name: 'log-ends',
    text: 'select topic, partition, off from log.heads where topic = any($1)',
    values: [topics],
  })
  return new Map(rows.map((row) => [`${row.topic}/${row.partition}`, BigInt(row.off)]))
}

export interface RecordRange {
  topic: string
  partition: number
  above: bigint
  limit: number
  compacted: boolean
}

/** The next records of a partition in order. The primary keys of log.records and log.compacted serve it. */
export async function readRecords(pool: Pool, range: RecordRange): Promise<LogRecord[]> {
  const { topic, partition, above, limit, compacted } = range
  const table = compacted ? 'log.compacted' : 'log.records'
  const { rows } = await pool.query<{
    off: string
    key: string
    event_id: string
    headers: Record<string, string>
    payload: Buffer | null
  }>({
    name: compacted ? 'log-read-compacted' : 'log-read',
    text: `select off, key, event_id, headers, payload from ${table}
      where topic = $1 and partition = $2 and off > $3 order by off limit $4`,
    values: [topic, partition, above, limit],
  })
  return rows.map((row) => ({
    topic,
    partition,
    offset: BigInt(row.off),
    key: row.key,
    eventId: row.event_id,
    headers: row.headers,
    payload: row.payload,
  }))
}
