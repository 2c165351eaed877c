// The queue of events that wait for their deliveries, and the one statement that makes them.
import type { Queryable } from '@wds/postgres/pool'

/** An event of the queue, with the version of its workspace's subscriptions as seen by the look. */
export interface QueuedEvent {
  event_day: string
  event_id: string
  workspace_id: string
  type: string
  about: string | null
  version: string
}

/** The next workspaces behind `after` by id, each with its oldest events. Primary key of fan_out_queue; no locks. */
export async function peekQueue(
  db: Queryable,
  o: { after: string; workspaces: number; each: number },
): Promise<QueuedEvent[]> {
  const { rows } = await db.query<QueuedEvent>({
    name: 'fan-out-peek',
    text: 'select event_day::text, event_id, workspace_id, type, about, version from peek($1, $2, $3)',
    values: [o.after, o.workspaces, o.each],
  })
  return rows
}

/** One turn: what was looked at, and the deliveries to make. */
export interface FanOutTurn {
  /** The version of the subscriptions that the matching used, by workspace. */
  workspaces: { workspaceId: string; version: string }[]
  events: { workspaceId: string; eventId: string; eventDay: string }[]
  pairs: { workspaceId: string; eventId: string; subscriptionId: string; deliveryId: string }[]
}

/** Workspaces of which nothing was done. */
export interface LeftByFanOut {
  /** Their subscriptions had changed. */
  stale: string[]
  /** Somebody held their row. */
  held: string[]
}

/** One round trip and one transaction. */
export async function fanOut(db: Queryable, turn: FanOutTurn): Promise<LeftByFanOut> {
  const { rows } = await db.query<LeftByFanOut>({
    name: 'fan-out',
    text: 'select stale, held from fan_out_free($1, $2, $3, $4, $5, $6, $7, $8)',
    values: [
      turn.workspaces.map((w) => w.workspaceId),
      turn.workspaces.map((w) => w.version),
      turn.events.map((e) => e.workspaceId),
      turn.events.map((e) => e.eventId),
      turn.events.map((e) => e.eventDay),
      turn.pairs.map((p) => p.eventId),
      turn.pairs.map((p) => p.subscriptionId),
      turn.pairs.map((p) => p.deliveryId),
    ],
  })
  return rows[0] ?? { stale: [], held: [] }
}

/** What waits longer for a lock, or takes longer, in the rest of the transaction fails; ms. */
export async function limitWait(tx: Queryable, ms: { lock: number; statement: number }): Promise<void> {
  await tx.query({
    name: 'limits',
    text: "select set_config('lock_timeout', $1, true), set_config('statement_timeout', $2, true)",
    values: [String(ms.lock), String(ms.statement)],
  })
}

/** The creation contexts of a turn's events, for the spans of those that are recorded. Primary key of events, one day each. */
export async function readTraceparents(db: Queryable, events: FanOutTurn['events']): Promise<(string | null)[]> {
  const { rows } = await db.query<{ traceparent: string | null }>({
    name: 'fan-out-traces',
    text: `select e.traceparent from unnest($1::date[], $2::text[], $3::text[]) q(day, id, workspace)
             join events e on e.event_day = q.day and e.event_id = q.id and e.workspace_id = q.workspace`,
    values: [events.map((e) => e.eventDay), events.map((e) => e.eventId), events.map((e) => e.workspaceId)],
  })
  return rows.map((row) => row.traceparent)
}
