// Decides the form of a public event: exactly `id`, `type`, `created`, `data`, in this order (settled-points.md 25).
// An envelope is serialised once; the same bytes are stored, published and sent on every attempt.
import type { EventData } from './event-data.ts'
import type { EventType } from './event-types.ts'
import type { Id } from './ids.ts'

/** A public event. `created` is ISO 8601 UTC with milliseconds and `Z`. */
export interface Envelope<T extends EventType = EventType> {
  readonly id: Id<'evt'>
  readonly type: T
  readonly created: string
  readonly data: EventData[T]
}

/**
 * A public event without its id and instant, as a domain makes it. `onceKey`: at most one event of its type and workspace has it;
 * null: once per version of its aggregate, which the key of the stream says already.
 */
export type PublicEvent = { [T in EventType]: { type: T; data: EventData[T]; onceKey: string | null } }[EventType]

const encoder = new TextEncoder()

/** The exact bytes of an event: UTF-8 JSON without spaces, members in the order of the envelope. */
export function serializeEnvelope<T extends EventType>(envelope: Envelope<T>): Uint8Array {
  const { id, type, created, data } = envelope
  return encoder.encode(JSON.stringify({ id, type, created, data }))
}
