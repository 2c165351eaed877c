// Stores events as they came, with their place in the fan-out queue. Repeated ones change nothing.
import type { Queryable } from '@wds/postgres/pool'

/** One event of `workspace.events`. */
export interface IncomingEvent {
  /** UTC day inside the event's id. */
  eventDay: string
  eventId: string
  workspaceId: string
  type: string
  /** The subscription that a `webhook.*` event speaks of, else null. */
  about: string | null
  /** The exact bytes that every attempt sends. */
  payload: Uint8Array
  traceparent: string | null
  createdMs: number
}

/** One round trip; returns how many were new. An event outside the existing days fails all of them. */
export async function takeIn(db: Queryable, events: IncomingEvent[]): Promise<number> {
  const { rows } = await db.query<{ n: number }>({
    name: 'take-in',
    text: 'select take_in($1, $2, $3, $4, $5, $6, $7, $8) as n',
    values: eventColumns(events),
  })
  return rows[0]?.n ?? 0
}

/** Days, ids, workspaces, types, subscriptions spoken of, payloads, trace contexts, instants. */
export function eventColumns(events: IncomingEvent[]): unknown[][] {
  return [
    events.map((e) => e.eventDay),
    events.map((e) => e.eventId),
    events.map((e) => e.workspaceId),
    events.map((e) => e.type),
    events.map((e) => e.about),
    events.map((e) => Buffer.from(e.payload.buffer, e.payload.byteOffset, e.payload.byteLength)),
    events.map((e) => e.traceparent),
    events.map((e) => new Date(e.createdMs).toISOString()),
  ]
}
