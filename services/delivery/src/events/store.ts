// Reads the event log of a workspace in the order of its positions. Positions become visible in their order (decision 48), so what lies
// up to the newest one that was read is the same for every later statement: no two of them need one snapshot.
import { idDay } from '@wds/contracts/ids'
import { type Walk, walkRowsMax } from '@wds/http-service/cursor'
import type { Queryable } from '@wds/postgres/pool'
import { shownDays } from '../days/domain/shown-days.ts'
import type { IdRange } from './domain/period.ts'
import { typeIsOneOf } from './store-patterns.ts'

/** Positions are whole numbers from 1 on, as text. */
export interface LogBounds {
  /** Of the newest event; `0` where there was none yet. */
  newest: string
  /** Of the oldest event that is shown; null where none is. */
  oldest: string | null
}

/** An event of the log. `payload`: the bytes that subscribers get. */
export interface EventRow {
  position: string
  payload: Buffer
}

/** One event, read by itself. */
type OneEvent = Pick<EventRow, 'payload'> & { type: string }

/** What is asked for of the log. */
export interface EventFilter extends IdRange {
  workspaceId: string
  /** Patterns of `like`, one of which the type matches; null: all. */
  types: string[] | null
  /** Types that the client may read; null: all. */
  readable: string[] | null
  /** Positions: behind `after`, up to `newest`. */
  after: string
  newest: string
  limit: number
}

/** The clock is read once, not for each row. */
const isShown = `e.event_day > (select (app_now() at time zone 'utc')::date - ${shownDays})`

/** Primary key of event_log_heads; index events_log of the days shown. */
export async function readLogBounds(tx: Queryable, workspaceId: string): Promise<LogBounds> {
  const { rows } = await tx.query<LogBounds>({
    name: 'event-log-bounds',
    text: `select coalesce((select log_position from event_log_heads where workspace_id = $1), 0)::text as newest,
                  (select min(e.log_position) from events e where e.workspace_id = $1 and ${isShown})::text as oldest`,
    values: [workspaceId],
  })
  return rows[0] ?? { newest: '0', oldest: null }
}

// Always bounded by days, so that the partitions outside them are left alone.
const walked = `from events e
       where e.workspace_id = $1 and e.log_position > $2 and e.log_position <= $3 and ${isShown} and e.event_day between $4 and $5
       order by e.log_position`

/**
 * For the transaction: no plan but the walk through the index, and look-ups by key. Others read and sort all events of the workspace for
 * one page, or read a day that was empty when they were made for each payload.
 */
const inLogOrder = `select ${['bitmapscan', 'seqscan', 'sort'].map((way) => `set_config('enable_${way}', 'off', true)`).join()}`

/**
 * Oldest first; index events_log, in its order. At most `walkRowsMax` rows are looked at, without their payload: 10 MB of those would be
 * sorted on disk where a plan sorts. Those of the page are looked up by the primary key.
 */
export async function listEvents(tx: Queryable, f: EventFilter): Promise<Walk<EventRow, Pick<EventRow, 'position'>>> {
  const { from, to, types, readable } = f
  const days = [from === null ? '-infinity' : idDay(from), to === null ? 'infinity' : idDay(to)]
  const place = [f.workspaceId, f.after, f.newest, ...days]
  await tx.query(inLogOrder)
  const { rows } = await tx.query<EventRow>({
    name: 'event-log',
    text: `select f.log_position::text as position, p.payload
             from (select event_day, event_id, log_position
                     from (select e.event_day, e.event_id, e.type, e.log_position ${walked} limit $6) e
                    where ($7::text is null or event_id >= $7) and ($8::text is null or event_id <= $8)
                      and ${typeIsOneOf('e.type', '$9')} and ($11::text[] is null or type = any($11))
                    order by log_position limit $10) f
            cross join lateral (
              select p.payload from events p
               where p.event_day = f.event_day and p.event_id = f.event_id and p.workspace_id || '' = $1 limit 1) p
            order by f.log_position`,
    values: [...place, walkRowsMax, from, to, types, f.limit, readable],
  })
  if (rows.length === f.limit || [from, to, types, readable].every((one) => one === null))
    return { rows, walkedTo: null }
  const { rows: last } = await tx.query<{ position: string }>({
    name: 'event-log-walked',
    text: `select e.log_position::text as position ${walked} offset $6 limit 1`,
    values: [...place, walkRowsMax - 1],
  })
  return { rows, walkedTo: last[0] ?? null }
}

/** One event of the log; null when it is not shown. Primary key, one partition. */
export async function readEvent(tx: Queryable, o: { workspaceId: string; id: string }): Promise<OneEvent | null> {
  const { rows } = await tx.query<OneEvent>({
    name: 'event-read',
    text: `select e.type, e.payload from events e
            where e.event_day = $1 and e.event_id = $2 and e.workspace_id = $3 and e.log_position is not null and ${isShown}`,
    values: [idDay(o.id), o.id, o.workspaceId],
  })
  return rows[0] ?? null
}
