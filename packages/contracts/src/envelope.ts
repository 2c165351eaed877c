// Decides the form of a public event: exactly `id`, `type`, `created`, `data`, in this order (decisions.md 25).
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

const encoder = new TextEncoder()

/** The exact bytes of an event: UTF-8 JSON without spaces, members in the order of the envelope. */
export function serializeEnvelope<T extends EventType>(envelope: Envelope<T>): Uint8Array {
  const { id, type, created, data } = envelope
  return encoder.encode(JSON.stringify({ id, type, created, data }))
}
