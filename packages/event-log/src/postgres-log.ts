// The log in Postgres: what a single machine runs instead of a broker, and what tests run on (stack.md 6). It decides how
// records are appended; it must never make one visible before an earlier one of its partition.
import { idDay } from '@wds/contracts/ids'
import { isCompacted, topicDefinitions } from '@wds/contracts/topics'
import type { Pool, Queryable } from '@wds/postgres/pool'
import { allInOrder, withTransaction } from '@wds/postgres/transaction'
import { partitionOf } from './partition.ts'
import { type EventLog, type LogLogger, type NewLogRecord, PartitionsDiffer, type PublishableRow } from './port.ts'
import { committedOffsets } from './postgres-claims.ts'
import { subscribeToPostgres } from './postgres-subscription.ts'
import { announce, arrivals, listen, newProcessLock } from './postgres-wakeup.ts'

/** The folder with the migrations of schema `log`, as `migrate` takes it; they run as `wds_log_owner`. */
export const logMigrations: URL[] = [new URL('./log-migrations/', import.meta.url)]

export interface PostgresLogOptions {
  /** Of a role in `wds_log_client`. Subscriptions keep one connection of a pool of 4 or more to
   * listen on; each uses two more while it works, however many partitions it has. */
  pool: Pool
  /** `WDS_LOG_PARTITIONS`. */
  partitions: number
  /** Topics beside those of `contracts`, for tests: name to whether it is compacted. */
  topics?: Record<string, boolean>
  /** Wait between two looks at the ends, ms. Default 5 to 250. */
  pollMs?: { min: number; max: number }
  /** How long a claimed partition stays with a member that is silent, ms. Default 10,000. */
  leaseMs?: number
  logger?: LogLogger
}

const maintenanceEveryMs = 3_600_000

export function createPostgresLog(o: PostgresLogOptions): EventLog {
  const compacted = (topic: string): boolean => o.topics?.[topic] ?? isCompacted(topic)
  const known = new Set([...topicDefinitions.map((definition) => definition.name), ...Object.keys(o.topics ?? {})])
  const subscriptions = new Set<{ stop(): Promise<void> }>()
  // Listens while somebody is subscribed.
  let listening: { ended: AbortController; ready: Promise<void>; done: Promise<void> } | undefined
  const lock = newProcessLock()
  let maintenance: NodeJS.Timeout | undefined
  let made: Promise<void> | undefined

  const ensureTopics = (): Promise<void> => {
    made ??= makeTopics(o.pool, [...known], o.partitions).catch((error: unknown) => {
      made = undefined
      throw error
    })
    maintenance ??= setInterval(() => {
      maintainLog(o.pool).catch((error: unknown) => o.logger?.warn({ err: error }, 'log maintenance failed'))
    }, maintenanceEveryMs).unref()
    return made
  }
  const startListening = (): Promise<void> => {
    const ended = new AbortController()
    listening ??= { ended, ...listen(o.pool, lock, ended.signal) }
    return listening.ready
  }
  const stopListening = async (): Promise<void> => {
    if (subscriptions.size > 0 || !listening) return
    const { ended, done } = listening
    listening = undefined
    ended.abort()
    await done
  }
  const stopSubscription = async (subscription: { stop(): Promise<void> }): Promise<void> => {
    subscriptions.delete(subscription)
    await subscription.stop()
    await stopListening()
  }
  const assertKnown = (topics: Iterable<string>): void => {
    for (const topic of topics) if (!known.has(topic)) throw new Error(`the log has no topic ${topic}`)
  }
  const append = async (tx: Queryable, records: NewLogRecord[]): Promise<void> => {
    assertKnown(topicsOf(records))
    // Asked at once, so that a relay may send them with its commit.
    const parts = [false, true].map((keep) => {
      const part = records.filter((record) => compacted(record.topic) === keep)
      return part.length > 0 ? appendRecords(tx, part, keep, o.partitions) : undefined
    })
    await allInOrder(parts)
  }

  return {
    ensureTopics,
    async publish(records) {
      if (records.length === 0) return
      await ensureTopics()
      await withTransaction(o.pool, { workspaceId: null }, (tx) => append(tx, records))
      announce(o.pool, lock, topicsOf(records))
    },
    async publishInTransaction(tx, rows, removal) {
      if (rows.length === 0) return
      assertKnown(topicsOf(rows))
      const keepsLast = [...new Set(topicsOf(rows))].filter(compacted)
      await publishRows(tx, rows, { removal, compacted: keepsLast, partitions: o.partitions })
      const { afterCommit } = tx as { afterCommit?: (fn: () => void) => void }
      afterCommit?.(() => announce(o.pool, lock, topicsOf(rows)))
    },
    async subscribe(options) {
      assertKnown(options.topics)
      await ensureTopics()
      // Before the first heartbeat, which tells the others of the lock.
      await startListening()
      const subscription = await subscribeToPostgres(
        {
          pool: o.pool,
          partitions: o.partitions,
          pollMs: o.pollMs ?? { min: 5, max: 250 },
          leaseMs: o.leaseMs ?? 10_000,
          compacted,
          arrivals,
          lock,
          logger: o.logger,
        },
        options,
      )
      subscriptions.add(subscription)
      return { ...subscription, stop: () => stopSubscription(subscription) }
    },
    async ends(topic) {
      assertKnown([topic])
      await ensureTopics()
      const { rows } = await o.pool.query<{ partition: number; off: string }>({
        name: 'log-topic-ends',
        // The primary keys serve it, one look per day and partition. A head may stand above records that were dropped.
        text: `select h.partition, greatest(-1,
            (select max(off) from log.records r where r.topic = h.topic and r.partition = h.partition),
            (select max(off) from log.compacted c where c.topic = h.topic and c.partition = h.partition)) as off
          from log.heads h where h.topic = $1 order by h.partition`,
        values: [topic],
      })
      return new Map(rows.map((row) => [row.partition, BigInt(row.off)]))
    },
    async committedOffsets(topic, group) {
      assertKnown([topic])
      return committedOffsets(o.pool, topic, group)
    },
    async close() {
      clearInterval(maintenance)
      await Promise.all([...subscriptions].map(stopSubscription))
      await stopListening()
    },
  }
}

/** What hourly maintenance did. */
export interface LogMaintenance {
  droppedDays: string[]
  compactedRows: number
}

/**
 * Makes the day partitions of the next 3 days, drops those older than 7 days that every group has passed, and removes
 * superseded rows of compacted topics. An open log runs it hourly.
 */
export async function maintainLog(pool: Pool): Promise<LogMaintenance> {
  await pool.query(`select log.make_days(array(select (clock_timestamp() at time zone 'UTC')::date + n
    from generate_series(0, 3) n))`)
  const dropped = await pool.query<{ days: string[] }>('select log.drop_days() as days')
  const compacted = await pool.query<{ removed: string }>('select log.compact() as removed')
  return { droppedDays: dropped.rows[0]?.days ?? [], compactedRows: Number(compacted.rows[0]?.removed ?? 0) }
}

function topicsOf(records: readonly { topic: string }[]): string[] {
  return records.map((record) => record.topic)
}

async function makeTopics(pool: Pool, topics: string[], partitions: number): Promise<void> {
  await withTransaction(pool, { workspaceId: null }, async (tx) => {
    await tx.query(`insert into log.settings (name, value) values ('partitions', $1) on conflict (name) do nothing`, [
      String(partitions),
    ])
    const { rows } = await tx.query<{ value: string }>(`select value from log.settings where name = 'partitions'`)
    if (rows[0]?.value !== String(partitions)) {
      throw new PartitionsDiffer(
        `the log was started with ${rows[0]?.value} partitions per topic, WDS_LOG_PARTITIONS says ${partitions}`,
      )
    }
    await tx.query(
      `insert into log.heads (topic, partition) select t, p
        from unnest($1::text[]) t cross join generate_series(0, $2::integer - 1) p
        where not exists (select from log.heads h where h.topic = t and h.partition = p)
        order by t, p on conflict do nothing`,
      [topics, partitions],
    )
  })
}

/** One round trip; `log.append` locks the heads in one order, leaves out known event ids and numbers the rest. */
async function appendRecords(
  tx: Queryable,
  records: NewLogRecord[],
  compacted: boolean,
  partitions: number,
): Promise<void> {
  const unique = [...new Map(records.map((record) => [record.eventId, record])).values()]
  await tx.query({
    name: 'log-append',
    text: `select log.append($1::boolean, $2::text[], $3::integer[], $4::text[], $5::text[], $6::date[], $7::text[],
      $8::bytea[])`,
    values: [
      compacted,
      unique.map((record) => record.topic),
      unique.map((record) => partitionOf(record.key, partitions)),
      unique.map((record) => record.key),
      unique.map((record) => record.eventId),
      unique.map((record) => idDay(record.eventId)),
      unique.map((record) => JSON.stringify(record.headers)),
      unique.map((record) => (record.payload === null ? null : Buffer.from(record.payload))),
    ],
  })
}

/**
 * One statement: what `removal` removes goes to `log.append` as arrays. A row that somebody else removed is not there, and not
 * appended. `compacted`: those of the topics that are; they come last, as in `append`, so that two who append lock heads in one order.
 */
async function publishRows(
  tx: Queryable,
  rows: readonly PublishableRow[],
  o: { removal: string; compacted: string[]; partitions: number },
): Promise<void> {
  const columns = ['topic', 'partition', 'key', 'event_id', 'day', 'headers::text', 'payload']
  await tx.query({
    name: 'log-move',
    text: `with removed as (${o.removal}), placed as (
        select r.*, p.partition, p.day, r.topic = any($4::text[]) as is_compacted
          from removed r join unnest($1::bigint[], $2::integer[], $3::date[]) p(id, partition, day) on p.id = r.id
      )
      select log.append(is_compacted, ${columns.map((_, n) => `c${n}`).join(', ')}) from (
        select is_compacted, ${columns.map((column, n) => `array_agg(${column} order by id) as c${n}`).join(', ')}
          from placed group by is_compacted order by is_compacted
      ) appended`,
    values: [
      rows.map((row) => row.id),
      rows.map((row) => partitionOf(row.key, o.partitions)),
      rows.map((row) => idDay(row.eventId)),
      o.compacted,
    ],
  })
}
