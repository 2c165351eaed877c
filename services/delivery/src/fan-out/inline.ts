// Inline fan-out: makes the deliveries of a batch of few events in the transaction that ingests it. All others go by the queue.
import { allInOrder, type Transaction } from '@wds/postgres/transaction'
import { PausedWorkspaces } from '../workspaces/paused-workspaces.ts'
import { composeTurn, lazyBody, type Matched } from './compose-turn.ts'
import type { MakeDeliveries } from './make-deliveries.ts'
import { type FanOutTurn, limitWait } from './store.ts'
import { type IncomingEvent, ingest } from './store-ingest.ts'
import type { SubscriptionIndex } from './subscription-index.ts'

/** Most events of a batch, and the limits of its statements; ms. */
const eventsMax = 63
const waitMs = { lock: 100, statement: 500 }
/** How long the workspaces of a batch go by the queue once it failed, ms: inline fan-out must never be why an event is not ingested. */
const pauseMs = 10_000

/** Ingests events with the commit of `tx`. */
export type Ingest = (tx: Transaction, events: IncomingEvent[]) => void

/** `onMade` runs after the commit of deliveries, `onQueued` after the commit of events that went to the queue. */
export function createInlineIngest(o: {
  index: SubscriptionIndex
  makeDeliveries: MakeDeliveries
  onMade(): void
  onQueued(): void
}): Ingest {
  const paused = new PausedWorkspaces(pauseMs)
  const turnOf = (events: IncomingEvent[]): FanOutTurn | null => {
    if (events.length > eventsMax) return null
    const known = events.filter(({ workspaceId }) => o.index.get(workspaceId) && !paused.has(workspaceId))
    const { turn, takesAll } = composeTurn(known.map(asQueued), o.index)
    return takesAll && turn.events.length > 0 ? turn : null
  }
  const ingestInline = async (tx: Transaction, events: IncomingEvent[], turn: FanOutTurn): Promise<void> => {
    const parents = () => events.map(({ traceparent }) => traceparent)
    try {
      const [, , { made, stale, held }] = await allInOrder([
        limitWait(tx, waitMs),
        ingest(tx, events),
        o.makeDeliveries(tx, turn, { laneWaitMs: waitMs.lock, parents }),
      ])
      if (made > 0) tx.afterCommit(o.onMade)
      if (turn.events.length < events.length || stale.length > 0 || held.length > 0) tx.afterCommit(o.onQueued)
    } catch (error) {
      paused.pause(turn.workspaces.map(({ workspaceId }) => workspaceId))
      throw error
    }
  }
  return (tx, events) => {
    const turn = turnOf(events)
    if (turn !== null) return tx.withCommit(() => ingestInline(tx, events, turn))
    tx.withCommit(() => ingest(tx, events))
    tx.afterCommit(o.onQueued)
  }
}

const asQueued = ({ eventDay, eventId, workspaceId, type, about, payload }: IncomingEvent): Matched => ({
  event_day: eventDay,
  event_id: eventId,
  workspace_id: workspaceId,
  type,
  about,
  body: lazyBody(payload),
})
