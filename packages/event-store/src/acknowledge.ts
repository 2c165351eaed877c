// Holds back the answer to a change that others must know of: until its announcements are on the log, 5 s at most (auth.md 5.6).
import type { LogLogger, NewLogRecord } from '@wds/event-log/port'
import { Backoff } from '@wds/pacing/backoff'
import { wait, waitAtMost } from '@wds/pacing/wait'
import type { Pool } from '@wds/postgres/pool'

export interface Acknowledging {
  /** Event types (header `event_type`) that are waited for. */
  types: ReadonlySet<string>
  logger: LogLogger
  /** 5,000 unless told. */
  withinMs?: number
}

const lookMs = { min: 5, max: 100 }
const acknowledging = new WeakMap<Pool, Acknowledging>()

/**
 * From now on a transaction of this pool that announces one of these types resolves once they are on the log, or after 5 s. The pool's
 * role needs the right to read `outbox (event_id)`.
 */
export function acknowledgeOnLog(pool: Pool, o: Acknowledging): void {
  acknowledging.set(pool, o)
}

/** After the commit of these announcements. Never rejects: they are stored. */
export async function whenAcknowledged(
  pool: Pool,
  records: readonly Pick<NewLogRecord, 'eventId' | 'headers'>[],
): Promise<void> {
  const o = acknowledging.get(pool)
  const awaited = o === undefined ? [] : records.filter(({ headers }) => o.types.has(headers.event_type ?? ''))
  if (o === undefined || awaited.length === 0) return
  const { withinMs = 5_000 } = o
  const over = AbortSignal.timeout(withinMs)
  const ids = awaited.map(({ eventId }) => eventId)
  const looking = untilGone(pool, ids, over)
  await waitAtMost(looking, withinMs)
  if (!over.aborted) return
  const events = awaited.map(({ headers }) => headers.event_type)
  o.logger.warn({ events, event_ids: ids }, 'answered before the log has the events')
}

/** The relay removes a row once the log has stored it. */
async function untilGone(pool: Pool, eventIds: string[], over: AbortSignal): Promise<void> {
  const backoff = new Backoff(lookMs)
  while (!over.aborted) {
    await wait(backoff.next(), over)
    if (!(await isInOutbox(pool, eventIds).catch(() => true))) return
  }
}

/** By the unique index on event_id. */
async function isInOutbox(pool: Pool, eventIds: string[]): Promise<boolean> {
  const text = 'select from outbox where event_id = any ($1::text[]) limit 1'
  const { rowCount } = await pool.query({ name: 'outbox-holds', text, values: [eventIds] })
  return rowCount === 1
}
