// Announces a range once more, for the command `republish`: from the streams of subscriptions, and from what was kept.
import { fromStreams, type Republish } from '@wds/event-store/republish'
import type { SubscriptionEvent } from '../domain/subscription.ts'
import { republishKept } from './kept-announcements.ts'
import { announceChange } from './subscription-stream.ts'

const fromSubscriptions = fromStreams(({ type, data, eventId, created }, { workspaceId, streamId }) =>
  announceChange({ type, data } as SubscriptionEvent, { eventId, created, id: streamId, workspaceId }),
)

/** Both; a workspace may be counted twice. */
export const republishAnnouncements: Republish = async (o) => {
  const streams = await fromSubscriptions(o)
  const kept = await republishKept(o)
  return {
    workspaces: streams.workspaces + kept.workspaces,
    events: streams.events + kept.events,
    records: streams.records + kept.records,
  }
}
