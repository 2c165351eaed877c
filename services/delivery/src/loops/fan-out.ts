// Turns queued events into deliveries, round robin by workspace, at most 500 deliveries a turn (delivery.md, The way of an event).
// Its index of subscriptions is a cache: the transaction compares versions, and what was stale is loaded and matched again.
import { hash } from 'node:crypto'
import { idTimeMs, makeId } from '@wds/contracts/ids'
import type { Pool, Queryable } from '@wds/postgres/pool'
import { allInOrder, type Transaction } from '@wds/postgres/transaction'
import { timed } from '@wds/telemetry/metrics'
import { isTracing, startBatch } from '@wds/telemetry/spans'
import { createMatchIndex, type MatchIndex } from '../domain/matching.ts'
import { deliveryMetrics } from '../metrics.ts'
import { type FanOutTurn, fanOut, limitWait, peekQueue, type QueuedEvent, readTraceparents } from '../store/fan-out.ts'
import { loadSubscriptionIndex } from '../store/subscription-index.ts'
import type { IncomingEvent } from '../store/take-in.ts'
import { WaitingWorkspaces } from './waiting-workspaces.ts'

/** Deliveries of one turn: so that 100,000 events of one workspace do not stand before another's one. */
const pairsMax = 500
const workspacesMax = 16
const eventsEach = 64
/** Events that are fanned out as they are taken in, how long that may take, and how long it rests once it failed, ms. */
const alongMax = 63
const alongWaitMs = { lock: 100, statement: 500 }
const restMs = 10_000
/** Entries of the index; the oldest loaded goes first. */
const indexMax = 10_000

/** The matching of a workspace at one version of its subscriptions. */
export interface IndexEntry {
  version: string
  index: MatchIndex
}

export interface FanOut {
  /** One turn on the queue; true while there is more. */
  turn(): Promise<boolean>
  /**
   * Has the deliveries of events that `tx` takes in made with its commit, where nothing waits before them, they are few, and the
   * subscriptions of their workspaces are known. False: they wait in the queue. It must not make anybody wait and never be the reason
   * for which an event is not taken in: once it failed, all events wait in the queue for a while.
   */
  along(tx: Transaction, events: IncomingEvent[]): boolean
}

/** `onMade` runs after the commit; `onStale` where events of `along` wait after all, since subscriptions changed. */
export function createFanOut(o: { pool: Pool; onMade(): void; onStale?(): void }): FanOut {
  const index = new Map<string, IndexEntry>()
  let after = ''
  const waiting = new WaitingWorkspaces()
  let restUntilMs = 0
  const turnOf = (events: IncomingEvent[]): FanOutTurn | null => {
    if (events.length > alongMax || performance.now() < restUntilMs) return null
    if (waiting.mayWait(workspacesOf(events)) || events.some(({ workspaceId }) => !index.has(workspaceId))) return null
    const { turn, takesAll } = composeTurn(events.map(asQueued), index)
    return takesAll ? turn : null
  }
  const ask = async (tx: Transaction, turn: FanOutTurn, events: IncomingEvent[]): Promise<void> => {
    try {
      const parents = () => events.map(({ traceparent }) => traceparent)
      const [, stale] = await allInOrder([limitWait(tx, alongWaitMs), fanOutTraced(tx, turn, parents)])
      tell(turn, stale)
      if (stale.length === 0) return
      waiting.note(stale)
      o.onStale?.()
    } catch (error) {
      restUntilMs = performance.now() + restMs
      throw error
    }
  }
  const tell = (turn: FanOutTurn, stale: string[]): void => {
    for (const workspaceId of stale) index.delete(workspaceId)
    deliveryMetrics.deliveriesMade.add(turn.pairs.length - pairsOf(turn, stale))
  }
  return {
    along(tx, events) {
      const turn = turnOf(events)
      if (turn === null) {
        waiting.note(workspacesOf(events))
        // Again: a look that began before the commit did not see them.
        tx.afterCommit(() => waiting.note(workspacesOf(events)))
        return false
      }
      tx.withCommit(() => ask(tx, turn, events))
      if (turn.pairs.length > 0) tx.afterCommit(o.onMade)
      return true
    },
    async turn() {
      const from = after
      const look = waiting.look()
      const queued = await peekQueue(o.pool, { after, workspaces: workspacesMax, each: eventsEach })
      after = ''
      if (queued.length === 0) {
        if (from === '') look.allIsDone()
        return from !== ''
      }
      look.saw(queued.map((event) => event.workspace_id))
      await loadMissing(o.pool, index, queued)
      const { turn, lastWorkspace, isAll } = composeTurn(queued, index)
      const parents = isTracing() ? await readTraceparents(o.pool, turn.events) : []
      const stale = await timed(deliveryMetrics.fanOutDuration, {}, () => fanOutTraced(o.pool, turn, () => parents))
      tell(turn, stale)
      if (turn.pairs.length > 0) o.onMade()
      if (isAll && stale.length === 0) {
        if (from === '') look.allIsDone()
        return from !== ''
      }
      after = lastWorkspace
      return true
    },
  }
}

const workspacesOf = (events: IncomingEvent[]) => events.map(({ workspaceId }) => workspaceId)

/** With the spans of the events that are recorded; `parents`: their contexts, asked for only when somebody records. */
function fanOutTraced(db: Queryable, turn: FanOutTurn, parents: () => (string | null)[]): Promise<string[]> {
  const items = () => parents().map((parent) => ({ name: 'fan out', parent }))
  return startBatch({ name: 'fan out batch', kind: 'internal', items }).around(() => fanOut(db, turn))
}

/** What the matching reads of an event. */
type Matched = Omit<QueuedEvent, 'version'>

const asQueued = ({ eventDay, eventId, workspaceId, type, about }: IncomingEvent): Matched => ({
  event_day: eventDay,
  event_id: eventId,
  workspace_id: workspaceId,
  type,
  about,
})

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

/** Matches breadth first over workspaces, so that a turn's 500 are shared among them. `takesAll`: the turn takes all of it; `isAll`: and nothing stood behind what the look saw. */
function composeTurn(
  queued: Matched[],
  index: ReadonlyMap<string, IndexEntry>,
): { turn: FanOutTurn; lastWorkspace: string; takesAll: boolean; isAll: boolean } {
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
  const takesAll = turn.events.length === queued.length
  return { turn, lastWorkspace: queued.at(-1)?.workspace_id ?? '', takesAll, isAll: !isFull && takesAll }
}

/**
 * The time of the event's id, so that both carry the same day (delivery.md, The log), and a digest of the pair: whoever fans out
 * an event again makes the same delivery.
 */
function deliveryIdOf(eventId: string, subscriptionId: string): string {
  return makeId('dlv', idTimeMs(eventId), hash('sha256', `${eventId} ${subscriptionId}`, 'buffer').subarray(0, 10))
}
