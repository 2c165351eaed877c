// Matches queued events with subscriptions and chooses what one turn of the fan-out makes (delivery.md 2.2).
import { hash } from 'node:crypto'
import { idRandomBytes, idTimeMs, makeId } from '@wds/contracts/ids'
import type { MatchedEvent } from './domain/matching.ts'
import type { FanOutTurn, QueuedEvent } from './store.ts'
import type { SubscriptionIndex } from './subscription-index.ts'

/** Most deliveries of one turn: a burst of one workspace must not delay the others. */
const pairsMax = 500
/** What one read of the queue takes at most: workspaces, and events of each. */
export const lookMax = { workspaces: 16, each: 64 }

/** What the matching reads of an event. */
export type Matched = Omit<QueuedEvent, 'version'> & Pick<MatchedEvent, 'body'>

/** Parses the bytes of an event once, when they are asked for. */
export function lazyBody(payload: Uint8Array | undefined): () => unknown {
  let parsed: { body: unknown } | null = null
  return () => {
    parsed ??= { body: parsedOrNothing(payload) }
    return parsed.body
  }
}

function parsedOrNothing(payload: Uint8Array | undefined): unknown {
  try {
    return payload && JSON.parse(Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength).toString('utf8'))
  } catch {
    return undefined
  }
}

/**
 * Matches breadth first over workspaces, so that a turn's 500 are shared among them. `queued`: by workspace. `takesAll`: the turn takes all of
 * it; `isAll`: and of no workspace more than the look saw. `upTo`: the last workspace that got something before the turn was
 * full, where others got nothing; else null.
 */
export function composeTurn(
  queued: Matched[],
  index: SubscriptionIndex,
): { turn: FanOutTurn; takesAll: boolean; isAll: boolean; upTo: string | null } {
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
      for (const subscriptionId of entry.index.match(event)) {
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
  const took = new Set(turn.events.map(({ workspaceId }) => workspaceId))
  const leftOut = turn.workspaces.findIndex(({ workspaceId }) => !took.has(workspaceId))
  const upTo = turn.workspaces[leftOut - 1]?.workspaceId ?? null
  return { turn, takesAll, isAll: takesAll && most < lookMax.each, upTo }
}

/**
 * The time of the event's id, so that both carry the same day (delivery.md 3), and a digest of the pair: whoever fans out
 * an event again makes the same delivery.
 */
export function deliveryIdOf(eventId: string, subscriptionId: string): string {
  // As text, a character for each byte: a buffer of its own costs more than the hash.
  const digest = hash('sha256', `${eventId} ${subscriptionId}`, 'binary').slice(0, idRandomBytes)
  return makeId('dlv', idTimeMs(eventId), Buffer.from(digest, 'binary'))
}
