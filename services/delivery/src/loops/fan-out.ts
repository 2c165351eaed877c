// Turns queued events into deliveries, round robin by workspace, at most 500 deliveries a turn (delivery.md, The way of an event).
// Its index of subscriptions is a cache: the transaction compares versions, and what was stale is loaded and matched again.
import { hash } from 'node:crypto'
import { idTimeMs, makeId } from '@wds/contracts/ids'
import type { Pool } from '@wds/postgres/pool'
import { timed } from '@wds/telemetry/metrics'
import { isTracing, startBatch } from '@wds/telemetry/spans'
import { createMatchIndex, type MatchIndex } from '../domain/matching.ts'
import { deliveryMetrics } from '../metrics.ts'
import { type FanOutTurn, fanOut, peekQueue, type QueuedEvent, readTraceparents } from '../store/fan-out.ts'
import { loadSubscriptionIndex } from '../store/subscription-index.ts'

/** Deliveries of one turn: so that 100,000 events of one workspace do not stand before another's one. */
const pairsMax = 500
const workspacesMax = 16
const eventsEach = 64
/** Entries of the index; the oldest loaded goes first. */
const indexMax = 10_000

/** The matching of a workspace at one version of its subscriptions. */
export interface IndexEntry {
  version: string
  index: MatchIndex
}

/** One fan out: `turn` returns true while there is more. */
export function createFanOut(o: { pool: Pool; onMade(): void }): { turn(): Promise<boolean> } {
  const index = new Map<string, IndexEntry>()
  let after = ''
  return {
    async turn() {
      const from = after
      const queued = await peekQueue(o.pool, { after, workspaces: workspacesMax, each: eventsEach })
      after = ''
      if (queued.length === 0) return from !== ''
      await loadMissing(o.pool, index, queued)
      const { turn, lastWorkspace, isAll } = composeTurn(queued, index)
      const stale = await timed(deliveryMetrics.fanOutDuration, {}, () => fanOutTraced(o.pool, turn))
      for (const workspaceId of stale) index.delete(workspaceId)
      const made = turn.pairs.length - pairsOf(turn, stale)
      deliveryMetrics.deliveriesMade.add(made)
      if (turn.pairs.length > 0) o.onMade()
      if (isAll && stale.length === 0) return from !== ''
      after = lastWorkspace
      return true
    },
  }
}

/** With the spans of the events that are recorded; their contexts are read only when somebody records. */
async function fanOutTraced(pool: Pool, turn: FanOutTurn): Promise<string[]> {
  const parents = isTracing() ? await readTraceparents(pool, turn.events) : []
  const items = () => parents.map((parent) => ({ name: 'fan out', parent }))
  return startBatch({ name: 'fan out batch', kind: 'internal', items }).around(() => fanOut(pool, turn))
}

/** Deliveries of a turn that belong to these workspaces. */
function pairsOf(turn: FanOutTurn, workspaces: string[]): number {
  if (workspaces.length === 0) return 0
  const events = new Set(turn.events.filter((e) => workspaces.includes(e.workspaceId)).map((e) => e.eventId))
  return turn.pairs.filter((pair) => events.has(pair.eventId)).length
}

/** Loads what is missing, or older than what the look saw. */
async function loadMissing(pool: Pool, index: Map<string, IndexEntry>, queued: QueuedEvent[]): Promise<void> {
  const missing = new Set(
    queued.filter((e) => index.get(e.workspace_id)?.version !== e.version).map((e) => e.workspace_id),
  )
  if (missing.size === 0) return
  for (const entry of await loadSubscriptionIndex(pool, [...missing])) {
    index.delete(entry.workspaceId)
    index.set(entry.workspaceId, { version: entry.version, index: createMatchIndex(entry.subscriptions) })
  }
  for (const oldest of index.keys()) {
    if (index.size <= indexMax) break
    index.delete(oldest)
  }
}

/** Matches breadth first over workspaces, so that a turn's 500 are shared among them. `isAll`: nothing stood behind what the look saw, and the turn takes all of it. */
function composeTurn(
  queued: QueuedEvent[],
  index: ReadonlyMap<string, IndexEntry>,
): { turn: FanOutTurn; lastWorkspace: string; isAll: boolean } {
  const byWorkspace = Map.groupBy(queued, (event) => event.workspace_id)
  const turn: FanOutTurn = { workspaces: [], events: [], pairs: [] }
  for (const workspaceId of byWorkspace.keys()) {
    const entry = index.get(workspaceId)
    if (entry) turn.workspaces.push({ workspaceId, version: entry.version })
  }
  for (let place = 0; place < eventsEach; place += 1) {
    for (const { workspaceId } of turn.workspaces) {
      const event = byWorkspace.get(workspaceId)?.[place]
      const entry = index.get(workspaceId)
      if (!event || !entry || turn.pairs.length >= pairsMax) continue
      turn.events.push({ workspaceId, eventId: event.event_id, eventDay: event.event_day })
      for (const subscriptionId of entry.index.match(event.type, event.about)) {
        turn.pairs.push({
          eventId: event.event_id,
          subscriptionId,
          deliveryId: deliveryIdOf(event.event_id, subscriptionId),
        })
      }
    }
  }
  const isFull =
    byWorkspace.size === workspacesMax || [...byWorkspace.values()].some((events) => events.length === eventsEach)
  const isAll = !isFull && turn.events.length === queued.length
  return { turn, lastWorkspace: queued.at(-1)?.workspace_id ?? '', isAll }
}

/**
 * The time of the event's id, so that both carry the same day (delivery.md, The log), and a digest of the pair: whoever fans out
 * an event again makes the same delivery.
 */
function deliveryIdOf(eventId: string, subscriptionId: string): string {
  return makeId('dlv', idTimeMs(eventId), hash('sha256', `${eventId} ${subscriptionId}`, 'buffer').subarray(0, 10))
}
