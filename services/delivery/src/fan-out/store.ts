// The queue of events that wait for their deliveries, and the one statement that makes them.
import type { Queryable } from '@wds/postgres/pool'
import { sqlStateOf } from '@wds/postgres/transaction'

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

/** What came of a turn. */
export interface FannedOut {
  /** Number of deliveries. */
  made: number
  /** Workspaces whose subscriptions had changed: their events are still in the queue. */
  stale: string[]
  /** Workspaces whose row or lane somebody held, or of which older events are in the queue: theirs are still there as well. */
  held: string[]
}

/** True for a lock that somebody else holds for too long. */
export const isLockTimeout = (error: unknown): boolean => sqlStateOf(error) === '55P03'

/**
 * One round trip and one transaction. `laneWaitMs`: how long locked lanes are waited for; then it
 * fails by a lock timeout. 0: workspaces of which a lane is locked are left alone.
 */
export async function fanOut(db: Queryable, turn: FanOutTurn, o: { laneWaitMs: number }): Promise<FannedOut> {
  const { rows } = await db.query<FannedOut>({
    name: 'fan-out',
    text: 'select made, stale, held from fan_out($1, $2, $3, $4, $5, $6, $7, $8, $9)',
    values: [
      turn.workspaces.map((w) => w.workspaceId),
      turn.workspaces.map((w) => w.version),
      turn.events.map((e) => e.workspaceId),
      turn.events.map((e) => e.eventId),
      turn.events.map((e) => e.eventDay),
      turn.pairs.map((p) => p.eventId),
      turn.pairs.map((p) => p.subscriptionId),
      turn.pairs.map((p) => p.deliveryId),
      o.laneWaitMs,
    ],
  })
  return rows[0] ?? { made: 0, stale: [], held: [] }
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

/** The bytes of queued events, by event id. Function event_payloads: primary key of events. */
export async function readPayloads(db: Queryable, events: QueuedEvent[]): Promise<Map<string, Buffer>> {
  const { rows } = await db.query<{ event_id: string; payload: Buffer }>({
    name: 'fan-out-payloads',
    text: 'select event_id, payload from event_payloads($1, $2, $3)',
    values: [events.map((e) => e.event_day), events.map((e) => e.event_id), events.map((e) => e.workspace_id)],
  })
  return new Map(rows.map(({ event_id, payload }) => [event_id, payload]))
}
