// Stores events as they came and puts them into the fan-out queue. Repeated ones change nothing.
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
export async function ingest(db: Queryable, events: IncomingEvent[]): Promise<number> {
  const { rows } = await db.query<{ n: number }>({
    name: 'ingest',
    text: 'select ingest($1, $2, $3, $4, $5, $6, $7, $8) as n',
    values: [
      events.map((e) => e.eventDay),
      events.map((e) => e.eventId),
      events.map((e) => e.workspaceId),
      events.map((e) => e.type),
      events.map((e) => e.about),
      events.map((e) => Buffer.from(e.payload.buffer, e.payload.byteOffset, e.payload.byteLength)),
      events.map((e) => e.traceparent),
      events.map((e) => new Date(e.createdMs).toISOString()),
    ],
  })
  return rows[0]?.n ?? 0
}
