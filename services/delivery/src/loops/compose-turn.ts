// Matches queued events and says what one turn of the fan out makes of them (delivery.md, The way of an event).
import { hash } from 'node:crypto'
import { idRandomBytes, idTimeMs, makeId } from '@wds/contracts/ids'
import type { MatchIndex } from '../domain/matching.ts'
import type { FanOutTurn, QueuedEvent } from '../store/fan-out.ts'

/** Deliveries of one turn: so that 100,000 events of one workspace do not stand before another's one. */
const pairsMax = 500
/** What a look at the queue takes at most: workspaces, and events of each. */
export const lookMax = { workspaces: 16, each: 64 }

/** The matching of a workspace at one version of its subscriptions. */
export interface IndexEntry {
  version: string
  index: MatchIndex
}

/** What the matching reads of an event. */
export type Matched = Omit<QueuedEvent, 'version'>

/** Matches breadth first over workspaces, so that a turn's 500 are shared among them. `takesAll`: the turn takes all of it; `isAll`: and of no workspace more than the look saw. */
export function composeTurn(
  queued: Matched[],
  index: ReadonlyMap<string, IndexEntry>,
): { turn: FanOutTurn; takesAll: boolean; isAll: boolean } {
  const byWorkspace = Map.groupBy(queued, (event) => event.workspace_id)
  const turn: FanOutTurn = { workspaces: [], events: [], pairs: [] }
  for (const workspaceId of byWorkspace.keys()) {
    const entry = index.get(workspaceId)
    if (entry) turn.workspaces.push({ workspaceId, version: entry.version })
  }
  const most = Math.max(0, ...[...byWorkspace.values()].map((events) => events.length))
  for (let place = 0; place < Math.min(most, lookMax.each); place += 1) {
    for (const { workspaceId } of turn.workspaces) {
      const event = byWorkspace.get(workspaceId)?.[place]
      const entry = event && index.get(workspaceId)
      if (!event || !entry || turn.pairs.length >= pairsMax) continue
      turn.events.push({ workspaceId, eventId: event.event_id, eventDay: event.event_day })
      for (const subscriptionId of entry.index.match(event.type, event.about)) {
        turn.pairs.push({
          workspaceId,
          eventId: event.event_id,
          subscriptionId,
          deliveryId: deliveryIdOf(event.event_id, subscriptionId),
        })
      }
    }
  }
  const takesAll = turn.events.length === queued.length
  return { turn, takesAll, isAll: takesAll && most < lookMax.each }
}

/**
 * The time of the event's id, so that both carry the same day (delivery.md, The log), and a digest of the pair: whoever fans out
 * an event again makes the same delivery.
 */
function deliveryIdOf(eventId: string, subscriptionId: string): string {
  // As text, a character for each byte: a buffer of its own costs more than the hash.
  const digest = hash('sha256', `${eventId} ${subscriptionId}`, 'binary').slice(0, idRandomBytes)
  return makeId('dlv', idTimeMs(eventId), Buffer.from(digest, 'binary'))
}
