// Tells of workspaces and keys on `auth.events`: the log carries the data of the streams.
import type { AggregateEvent } from '@wds/aggregate/aggregate'
import type { EventPlace } from '@wds/aggregate/announcement'
import { topics } from '@wds/contracts/topics'
import type { Announcement } from '@wds/event-store/event-store'

export function announce({ type, data }: AggregateEvent, place: EventPlace<unknown>): Announcement[] {
  // Of a revoked key only its end is announced again: whoever has forgotten both must not hear of its beginning alone.
  if (place.later.some((event) => event.type === 'ApiKeyRevoked')) return []
  const payload = { id: place.eventId, type, created: place.created, data }
  return [{ topic: topics.authEvents, key: place.workspaceId, type, payload: Buffer.from(JSON.stringify(payload)) }]
}
