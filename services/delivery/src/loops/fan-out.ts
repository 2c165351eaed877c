// Turns queued events into deliveries, round robin by workspace, at most 500 deliveries a turn (delivery.md, The way of an event).
// Its index of subscriptions is a cache: the transaction compares versions, and what was stale is loaded and matched again.
import type { Pool } from '@wds/postgres/pool'
import { allInOrder, type Transaction } from '@wds/postgres/transaction'
import { timed } from '@wds/telemetry/metrics'
import { isTracing, startBatch } from '@wds/telemetry/spans'
import { createMatchIndex } from '../domain/matching.ts'
import { deliveryMetrics } from '../metrics.ts'
import {
  type FanOutTurn,
  fanOut,
  type LeftByFanOut,
  limitWait,
  peekQueue,
  type QueuedEvent,
  readTraceparents,
} from '../store/fan-out.ts'
import { makeAsTakenIn } from '../store/make-as-taken-in.ts'
import { loadSubscriptionIndex } from '../store/subscription-index.ts'
import type { IncomingEvent } from '../store/take-in.ts'
import { composeTurn, type IndexEntry, lookMax, type Matched } from './compose-turn.ts'
import { Rests } from './rests.ts'
import type { Book } from './send/booking.ts'
import { WaitingWorkspaces } from './waiting-workspaces.ts'

/** Events whose deliveries are made as they are taken in, how long that may take, and how long their workspaces rest once it failed, ms. */
const alongMax = 63
const alongWaitMs = { lock: 100, statement: 500 }
const restMs = 10_000
/** How long a workspace of the queue rests whose row somebody held, ms: mostly for no longer than a commit takes. */
const heldRestMs = 20
/** Entries of the index; the oldest loaded goes first. */
const indexMax = 10_000

export interface FanOut {
  /** One turn on the queue; true while there is more. */
  turn(): Promise<boolean>
  /**
   * Takes events in with the commit of `tx`, has their deliveries made and, as far as there is room, claimed, where nothing waits
   * before them, they are few, and the subscriptions of their workspaces are known; the others of them wait in the queue. False:
   * nothing of that, the queue is for all of them. It must not make anybody wait and never be the reason for which an event is not
   * taken in: once it failed, the events of those workspaces wait in the queue for a while.
   */
  along(tx: Transaction, events: IncomingEvent[]): boolean
}

/**
 * `onMade` runs after the commit of deliveries that wait for a claim; `onStale` where events of `along` wait after all, since
 * subscriptions changed. Without `book` all deliveries wait for a claim.
 */
export function createFanOut(o: { pool: Pool; onMade(): void; onStale?(): void; book?: Book }): FanOut {
  const index = new Map<string, IndexEntry>()
  let after = ''
  /** The round through the queue's workspaces did something. */
  let hasMoved = false
  const waiting = new WaitingWorkspaces()
  const resting = new Rests(restMs)
  const held = new Rests(heldRestMs)
  const turnOf = (events: IncomingEvent[]): FanOutTurn | null => {
    if (events.length > alongMax) return null
    if (new Set(events.map(({ eventId }) => eventId)).size < events.length) return null
    const ready = events.filter(({ workspaceId: id }) => index.has(id) && !waiting.mayWait([id]) && !resting.has(id))
    const { turn, takesAll } = composeTurn(ready.map(asQueued), index)
    return takesAll && turn.events.length > 0 ? turn : null
  }
  /** Of these workspaces events wait in the queue with the commit. */
  const leave = (tx: Transaction, workspaceIds: string[]): void => {
    waiting.note(workspaceIds)
    // Again: a look that began before the commit did not see them.
    tx.afterCommit(() => waiting.note(workspaceIds))
  }
  const ask = async (tx: Transaction, turn: FanOutTurn, events: IncomingEvent[]): Promise<void> => {
    const booking = o.book?.(turn.pairs) ?? null
    if (booking !== null) tx.afterRollback(() => booking.end())
    try {
      const make = () => makeAsTakenIn(tx, { events, turn, booking })
      const parents = () => events.map(({ traceparent }) => traceparent)
      const [, { stale, begun, wakes }] = await allInOrder([limitWait(tx, alongWaitMs), traced(parents, make)])
      tell(turn, { stale, held: [] })
      tx.afterCommit(() => booking?.begin(begun))
      if (wakes) tx.afterCommit(o.onMade)
      const made = new Set(turn.workspaces.map(({ workspaceId }) => workspaceId))
      const left = [...stale, ...workspacesOf(events).filter((id) => !made.has(id))]
      if (left.length === 0) return
      leave(tx, left)
      tx.afterCommit(() => o.onStale?.())
    } catch (error) {
      resting.begin(turn.workspaces.map(({ workspaceId }) => workspaceId))
      throw error
    }
  }
  /** Returns how many deliveries were made. */
  const tell = (turn: FanOutTurn, { stale, held }: LeftByFanOut): number => {
    for (const workspaceId of stale) index.delete(workspaceId)
    const left = new Set([...stale, ...held])
    const made = turn.pairs.filter((pair) => !left.has(pair.workspaceId)).length
    deliveryMetrics.deliveriesMade.add(made)
    return made
  }
  const makeQueued = async (turn: FanOutTurn): Promise<LeftByFanOut> => {
    if (turn.workspaces.length === 0) return { stale: [], held: [] }
    const parents = isTracing() ? await readTraceparents(o.pool, turn.events) : []
    const make = () => fanOut(o.pool, turn)
    const left = await timed(deliveryMetrics.fanOutDuration, {}, () => traced(() => parents, make))
    held.begin(left.held)
    if (left.held.length < turn.workspaces.length) hasMoved = true
    if (tell(turn, left) > 0) o.onMade()
    return left
  }
  /** True where the round did something and left some of the queue behind it. */
  const beginAgain = (from: string): boolean => {
    const isWorthIt = from !== '' && hasMoved
    hasMoved = false
    return isWorthIt
  }
  return {
    along(tx, events) {
      const turn = turnOf(events)
      if (turn === null) {
        leave(tx, workspacesOf(events))
        return false
      }
      tx.withCommit(() => ask(tx, turn, events))
      return true
    },
    async turn() {
      const from = after
      const look = waiting.look()
      const queued = await peekQueue(o.pool, { after, workspaces: lookMax.workspaces, each: lookMax.each })
      after = ''
      const seen = new Set(queued.map((event) => event.workspace_id))
      look.saw(seen)
      await loadMissing(o.pool, index, queued)
      const ready = queued.filter((event) => !held.has(event.workspace_id))
      const { turn, isAll } = composeTurn(ready, index)
      const left = await makeQueued(turn)
      if (seen.size === lookMax.workspaces || !isAll || left.stale.length > 0) {
        after = queued.at(-1)?.workspace_id ?? ''
        return true
      }
      for (const { workspaceId } of turn.workspaces) if (!left.held.includes(workspaceId)) seen.delete(workspaceId)
      if (from === '') look.allIsDone(seen)
      return beginAgain(from)
    },
  }
}

const workspacesOf = (events: IncomingEvent[]) => events.map(({ workspaceId }) => workspaceId)

/** With the spans of the events that are recorded; `parents`: their contexts, asked for only when somebody records. */
function traced<T>(parents: () => (string | null)[], make: () => Promise<T>): Promise<T> {
  const items = () => parents().map((parent) => ({ name: 'fan out', parent }))
  return startBatch({ name: 'fan out batch', kind: 'internal', items }).around(make)
}

const asQueued = ({ eventDay, eventId, workspaceId, type, about }: IncomingEvent): Matched => ({
  event_day: eventDay,
  event_id: eventId,
  workspace_id: workspaceId,
  type,
  about,
})

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
