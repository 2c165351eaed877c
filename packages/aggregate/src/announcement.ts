// Makes the announcements of an event, at its append and once more for `republish`, byte for byte the same.
import { type PublicEvent, serializeEnvelope } from '@wds/contracts/envelope'
import { faultsOfEventData } from '@wds/contracts/event-validation'
import type { Id } from '@wds/contracts/ids'
import { topics } from '@wds/contracts/topics'
import type { Announcement } from '@wds/event-store/event-store'

/** An event that breaks its declaration (domain.md 5), a defect of this service: the transaction ends with nothing stored. */
export class EventBreach extends Error {}

/** Where an event that may be announced stands. */
export interface EventPlace<S> {
  workspaceId: string
  /** Of the aggregate. */
  id: string
  /** After all events of the command. */
  state: S
  eventId: string
  created: string
  /** What the stream holds behind the command: nothing at the append, and perhaps something when it is announced again. */
  later: readonly { type: string }[]
}

/** An announcement; `onceKey`: at most one of its type and workspace has it. */
export interface KeyedAnnouncement extends Announcement {
  onceKey?: string | null
}

/** Announces public events, the common case: what `publicEvent` makes of an event, for webhooks and all services. */
export function publicEvents<S, E>(
  publicEvent: (id: string, state: S, event: E) => PublicEvent | null,
): (event: E, place: EventPlace<S>) => KeyedAnnouncement[] {
  return (event, { workspaceId, id, state, eventId, created }) => {
    const found = publicEvent(id, state, event)
    if (found === null) return []
    const { type, data, onceKey } = found
    const faults = faultsOfEventData(type, data)
    if (faults.length > 0) throw new EventBreach(`the event ${type} breaks its declaration: ${faults.join(', ')}`)
    const envelope = { id: eventId as Id<'evt'>, type, created, data }
    const payload = serializeEnvelope(envelope as Parameters<typeof serializeEnvelope>[0])
    return [{ topic: topics.workspaceEvents, key: workspaceId, type, payload, onceKey }]
  }
}
