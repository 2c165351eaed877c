// Lists and replays records that a consumer put aside, once their cause is mended, and removes them in the end. It never moves a
// position: the consumer has long passed these records.
import type { Pool } from '@wds/postgres/pool'
import { type Transaction, withTransaction } from '@wds/postgres/transaction'
import type { LogRecord } from './port.ts'
import { passes } from './record-faults.ts'

/** A record that was put aside and is kept: it did not take effect since, and nobody dismissed it. */
export interface DeadLetter {
  id: string
  consumer: string
  workspaceId: string
  topic: string
  partition: number
  offset: string
  key: string
  eventId: string
  headers: Record<string, string>
  reason: string
  tries: number
  diedAt: Date
}

const isKept = 'replayed_at is null and dismissed_at is null'

/** The oldest dead letters that are kept, at most `limit`, and how many there are. Without `consumer`: of all. The index dead_letters_open serves it. */
export async function listDeadLetters(
  pool: Pool,
  o: { consumer: string | null; limit: number },
): Promise<{ letters: DeadLetter[]; total: number }> {
  const open = `${isKept} and ($1::text is null or consumer = $1)`
  const counted = await pool.query<{ n: number }>(`select count(*)::integer as n from dead_letters where ${open}`, [
    o.consumer,
  ])
  const { rows } = await pool.query<DeadLetter>(
    `select id, consumer, workspace_id as "workspaceId", topic, partition, off as offset, key, event_id as "eventId", headers,
        reason, tries, died_at as "diedAt"
      from dead_letters where ${open} order by id limit $2`,
    [o.consumer, o.limit],
  )
  return { letters: rows, total: counted.rows[0]?.n ?? 0 }
}

/** Counted at most: what tells the fleet's health is whether there are any, and a reader of metrics asks every few seconds. */
const countedMax = 1_000

/** How many dead letters of a consumer are kept, up to 1000. The index dead_letters_open serves it. */
export async function countKeptDeadLetters(pool: Pool, consumer: string): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(
    `select count(*)::integer as n from (select from dead_letters where consumer = $1 and ${isKept} limit $2) kept`,
    [consumer, countedMax],
  )
  return rows[0]?.n ?? 0
}

/**
 * Gives up dead letters that nothing can make take effect, oldest first: the one of the id, or those of a consumer. They stay for their
 * 30 days, and each can still be replayed by its id. Returns how many.
 */
export async function dismissDeadLetters(
  pool: Pool,
  o: { consumer: string | null; id: string | null; limit: number },
): Promise<number> {
  const { rowCount } = await pool.query(
    `with piece as materialized (
      select id from dead_letters where ${isKept} and ($1::text is null or consumer = $1) and ($2::bigint is null or id = $2)
        order by id limit $3 for update skip locked)
      update dead_letters set dismissed_at = app_now() where id in (select id from piece)`,
    [o.consumer, o.id, o.limit],
  )
  return rowCount ?? 0
}

/** Key and event id, where the columns could not hold them. */
interface AsRead {
  key: string
  event_id: string
}

interface Row extends AsRead {
  id: string
  topic: string
  partition: number
  off: string
  as_read: AsRead | null
  headers: Record<string, string>
  payload: Buffer | null
}

export interface ReplayOptions {
  consumer: string
  /** Of one dead letter; without it the oldest ones. */
  id?: string
  /** Letters at most; default 100. */
  limit?: number
  handleBatch(tx: Transaction, records: LogRecord[]): Promise<void>
  /** Hears of each that failed again: it stays as it is. */
  onFailure?(id: string, error: unknown): void
}

/**
 * Hands dead letters of a consumer to its handler, oldest first, each in a transaction of its own with the mark that it took effect.
 * One that fails again stays, and the next is tried; where the database cannot do it for now, it throws. Returns how many of each.
 */
export async function replayDeadLetters(pool: Pool, o: ReplayOptions): Promise<{ replayed: number; failed: number }> {
  const done = { replayed: 0, failed: 0 }
  for (let above = '0'; done.replayed + done.failed < (o.limit ?? 100); ) {
    let row: Row | undefined
    try {
      await withTransaction(pool, { workspaceId: null }, async (tx) => {
        row = await takeNext(tx, o, above)
        if (row !== undefined) await o.handleBatch(tx, [toRecord(row)])
      })
      if (row === undefined) break
      done.replayed += 1
    } catch (error) {
      if (row === undefined || passes(error)) throw error
      done.failed += 1
      o.onFailure?.(row.id, error)
    }
    above = row.id
  }
  return done
}

/** Also leaves out what somebody else replays meanwhile, and what was dismissed unless it is asked for by its id. */
async function takeNext(tx: Transaction, o: ReplayOptions, above: string): Promise<Row | undefined> {
  const { rows } = await tx.query<Row>(
    `update dead_letters set replayed_at = app_now() where id = (
      select id from dead_letters where consumer = $1 and id > $2 and ${o.id === undefined ? isKept : 'replayed_at is null and id = $3'}
        order by id limit 1 for update skip locked)
      returning id, topic, partition, off, key, event_id, as_read, headers, payload`,
    [o.consumer, above, ...(o.id === undefined ? [] : [o.id])],
  )
  return rows[0]
}

function toRecord(row: Row): LogRecord {
  const { topic, partition, headers, payload } = row
  const { key, event_id: eventId } = row.as_read ?? row
  return { topic, partition, offset: BigInt(row.off), key, eventId, headers, payload }
}

/**
 * Removes dead letters of more than 30 days, replayed or not, `batchRows` in one statement until all are gone; tells how many, and
 * how many of them never took effect nor were dismissed. The row's policy lets nobody remove a younger one. The index dead_letters_age serves it.
 */
export async function pruneDeadLetters(
  pool: Pool,
  batchRows = 1_000,
): Promise<{ removed: number; unreplayed: number }> {
  const done = { removed: 0, unreplayed: 0 }
  for (;;) {
    const { rows } = await pool.query<{ is_open: boolean }>(
      `delete from dead_letters where id in (
        select id from dead_letters where died_at < app_now() - interval '30 days' order by died_at limit $1)
        returning ${isKept} as is_open`,
      [batchRows],
    )
    done.removed += rows.length
    done.unreplayed += rows.filter((row) => row.is_open).length
    if (rows.length < batchRows) return done
  }
}
