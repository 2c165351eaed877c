// Replays records that a consumer put aside, once their cause is mended. It never moves a position: the consumer has long
// passed these records.
import type { Pool } from '@wds/postgres/pool'
import { type Transaction, withTransaction } from '@wds/postgres/transaction'
import type { LogRecord } from './port.ts'

interface DeadLetterRow {
  id: string
  topic: string
  partition: number
  off: string
  key: string
  event_id: string
  /** Where the columns could not hold them. */
  as_read: { key: string; event_id: string } | null
  headers: Record<string, string>
  payload: Buffer | null
}

/**
 * Hands the oldest dead letters of a consumer, at most `limit` (default 100), to its handler, each in a transaction of its
 * own with the mark that it was replayed. Stops at the first that fails and throws its error. Returns how many took effect.
 */
export async function replayDeadLetters(
  pool: Pool,
  o: { consumer: string; limit?: number; handleBatch(tx: Transaction, records: LogRecord[]): Promise<void> },
): Promise<number> {
  for (let replayed = 0; replayed < (o.limit ?? 100); replayed += 1) {
    if (!(await withTransaction(pool, { workspaceId: null }, (tx) => replayOldest(tx, o)))) return replayed
  }
  return o.limit ?? 100
}

async function replayOldest(tx: Transaction, o: Parameters<typeof replayDeadLetters>[1]): Promise<boolean> {
  // The index dead_letters_open serves it.
  const { rows } = await tx.query<DeadLetterRow>(
    `update dead_letters set replayed_at = app_now() where id = (
      select id from dead_letters where consumer = $1 and replayed_at is null order by id limit 1 for update skip locked)
      returning id, topic, partition, off, key, event_id, as_read, headers, payload`,
    [o.consumer],
  )
  const row = rows[0]
  if (!row) return false
  const { topic, partition, headers, payload } = row
  const { key, event_id: eventId } = row.as_read ?? row
  await o.handleBatch(tx, [{ topic, partition, offset: BigInt(row.off), key, eventId, headers, payload }])
  return true
}
