// The SQL of a consumer's positions, inbox and dead letters, in the schema of its service. It must never move a position
// that is not where the caller believes it to be.
import { makeId } from '@wds/contracts/ids'
import type { Pool, Queryable } from '@wds/postgres/pool'
import { allInOrder, sqlStateOf } from '@wds/postgres/transaction'
import { placeOf } from './places.ts'
import type { LogRecord, Position } from './port.ts'
import { isStorable, storable } from './storable.ts'

/** The last record that took effect; null when none did. The primary key serves it. */
export async function positionOf(
  db: Pool | Queryable,
  consumer: string,
  topic: string,
  partition: number,
): Promise<Position | null> {
  const { rows } = await (db as Queryable).query<{ off: string; event_id: string | null }>({
    name: 'position-of',
    text: 'select off, event_id from positions where consumer = $1 and topic = $2 and partition = $3',
    values: [consumer, topic, partition],
  })
  return rows[0] ? { offset: BigInt(rows[0].off), eventId: rows[0].event_id } : null
}

/** All positions of a consumer by `topic/partition`. The primary key serves it. */
export async function positionsOf(pool: Pool, consumer: string): Promise<Map<string, bigint>> {
  const { rows } = await pool.query<{ topic: string; partition: number; off: string }>({
    name: 'positions',
    text: 'select topic, partition, off from positions where consumer = $1',
    values: [consumer],
  })
  return new Map(rows.map((row) => [placeOf(row), BigInt(row.off)]))
}

export interface PositionMove {
  topic: string
  partition: number
  from: bigint | null
  to: bigint
  /** Of the record at `to`; null where it cannot be kept, and so not be compared later. */
  eventId: string | null
}

/** Another member's open transaction holds the position: a reason to wait, never a fault of a record. */
export class PositionBusy extends Error {
  override name = 'PositionBusy'
}

/** Another member moved the position meanwhile: nothing of this batch may take effect here. */
export class PositionMoved extends Error {
  override name = 'PositionMoved'
}

/**
 * Compare-and-set of one position for each partition. Throws `PositionMoved` when one of them is elsewhere, `PositionBusy` when one
 * stays locked (55P03, 57014). It fails in the database, so it may go with the commit (`Transaction.withCommit`).
 */
export async function movePositions(tx: Queryable, consumer: string, moves: PositionMove[]): Promise<void> {
  const [first, further] = [moves.filter(({ from }) => from === null), moves.filter(({ from }) => from !== null)]
  try {
    await allInOrder([insertPositions(tx, consumer, first), updatePositions(tx, consumer, further)])
  } catch (error) {
    const code = sqlStateOf(error)
    if (code === '55P03' || code === '57014') throw new PositionBusy('a position is locked', { cause: error })
    if (code === '22012') throw new PositionMoved(`${consumer}: moved by another member`, { cause: error })
    throw error
  }
}

// What is not moved divides by zero: the transaction ends with it, and a commit sent behind it commits nothing.
const allMoved = 'select 1 / (count(*) = cardinality($2))::integer from moved'

async function insertPositions(tx: Queryable, consumer: string, moves: PositionMove[]): Promise<void> {
  if (moves.length === 0) return
  await tx.query({
    name: 'positions-first',
    text: `with moved as (
        insert into positions (consumer, topic, partition, off, event_id)
        select $1, * from unnest($2::text[], $3::integer[], $4::bigint[], $5::text[]) on conflict do nothing returning 1)
      ${allMoved}`,
    values: [consumer, ...columns(moves)],
  })
}

async function updatePositions(tx: Queryable, consumer: string, moves: PositionMove[]): Promise<void> {
  if (moves.length === 0) return
  await tx.query({
    name: 'positions-move',
    text: `with moved as (
        update positions p set off = m.off, event_id = m.event_id
          from unnest($2::text[], $3::integer[], $4::bigint[], $5::text[], $6::bigint[]) as m(topic, partition, off, event_id, was)
         where p.consumer = $1 and p.topic = m.topic and p.partition = m.partition and p.off = m.was returning 1)
      ${allMoved}`,
    values: [consumer, ...columns(moves), moves.map(({ from }) => from)],
  })
}

function columns(moves: PositionMove[]): [string[], number[], bigint[], (string | null)[]] {
  return [
    moves.map(({ topic }) => topic),
    moves.map(({ partition }) => partition),
    moves.map(({ to }) => to),
    moves.map(({ eventId }) => eventId),
  ]
}

/** Moves positions of a consumer before the oldest record of a topic; returns how many. The primary key serves it. */
export async function resetPositions(
  pool: Pool,
  o: { consumer: string; topic: string; partition?: number },
): Promise<number> {
  const { rowCount } = await pool.query(
    `update positions set off = -1, event_id = null
      where consumer = $1 and topic = $2 and ($3::integer is null or partition = $3)`,
    [o.consumer, o.topic, o.partition ?? null],
  )
  return rowCount ?? 0
}

/** Writes the inbox rows and gives the records whose event id was not there, in order, and those whose id no inbox can keep. */
export async function takeUnseen(tx: Queryable, consumer: string, records: LogRecord[]): Promise<LogRecord[]> {
  const { rows } = await tx.query<{ event_id: string }>({
    name: 'inbox-take',
    text: `insert into inbox (consumer, event_id) select $1, u from unnest($2::text[]) u
      on conflict do nothing returning event_id`,
    values: [consumer, records.map((record) => record.eventId).filter(isStorable)],
  })
  const unseen = new Set(rows.map((row) => row.event_id))
  return records.filter(({ eventId }) => !isStorable(eventId) || unseen.delete(eventId))
}

/** The log repeats nothing older than its 7 days, so an inbox keeps 8. */
const inboxKeepMs = 8 * 86_400_000

/**
 * Removes the inbox rows of a consumer that are too old, the oldest first, `batchRows` in one statement until all are gone; returns
 * how many. The primary key serves it.
 */
export async function pruneInbox(
  pool: Pool,
  consumer: string,
  o: { batchRows?: number; signal?: AbortSignal } = {},
): Promise<number> {
  const { rows } = await pool.query<{ ms: string }>('select floor(extract(epoch from app_now()) * 1000)::text as ms')
  const oldest = makeId('evt', Number(rows[0]?.ms) - inboxKeepMs, new Uint8Array(10))
  const batchRows = o.batchRows ?? 10_000
  for (let removed = 0; ; ) {
    const { rowCount } = await pool.query(
      `delete from inbox where consumer = $1 and event_id in (
        select event_id from inbox where consumer = $1 and event_id < $2 order by event_id limit $3)`,
      [consumer, oldest, batchRows],
    )
    removed += rowCount ?? 0
    if ((rowCount ?? 0) < batchRows || o.signal?.aborted === true) return removed
  }
}

/** Puts a record aside, once per event and offset, whatever it holds: what a column cannot keep stands in `as_read`. */
export async function insertDeadLetter(
  tx: Queryable,
  consumer: string,
  record: LogRecord,
  why: { reason: string; tries: number },
): Promise<void> {
  const { key, eventId } = record
  await tx.query(
    `insert into dead_letters
        (workspace_id, consumer, topic, partition, off, key, event_id, as_read, headers, payload, reason, tries)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) on conflict do nothing`,
    [
      storable(record.headers.workspace_id ?? ''),
      consumer,
      record.topic,
      record.partition,
      record.offset,
      storable(key),
      storable(eventId),
      isStorable(key) && isStorable(eventId) ? null : JSON.stringify({ key, event_id: eventId }),
      JSON.stringify(record.headers),
      record.payload === null ? null : Buffer.from(record.payload),
      why.reason.replaceAll('\0', '\uFFFD'),
      why.tries,
    ],
  )
}
