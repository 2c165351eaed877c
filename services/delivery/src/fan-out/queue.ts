// Turns queued events into deliveries, round robin by workspace, at most 500 deliveries a turn (delivery.md 2.2).
import type { Pool } from '@wds/postgres/pool'
import { timed } from '@wds/telemetry/metrics'
import { isTracing } from '@wds/telemetry/spans'
import { deliveryMetrics } from '../metrics.ts'
import { PausedWorkspaces } from '../workspaces/paused-workspaces.ts'
import { composeTurn, lazyBody, lookMax, type Matched } from './compose-turn.ts'
import type { MakeDeliveries } from './make-deliveries.ts'
import {
  type FannedOut,
  type FanOutTurn,
  isLockTimeout,
  peekQueue,
  type QueuedEvent,
  readPayloads,
  readTraceparents,
} from './store.ts'
import type { SubscriptionIndex } from './subscription-index.ts'

/** How long a workspace is skipped when its row was locked, ms: mostly for no longer than a commit takes. */
const lockedPauseMs = 20
/** How long locked lanes are waited for, ms: longer than a commit takes. */
const laneWaitMs = 750
/** How long the locked lanes of a workspace are skipped instead of waited for, once they were waited for in vain, ms. */
const skipLockedMs = 5_000

/** One turn; true while there is more. `onMade` runs after the commit of deliveries. */
export function createQueueTurn(o: {
  pool: Pool
  index: SubscriptionIndex
  makeDeliveries: MakeDeliveries
  onMade(): void
}): () => Promise<boolean> {
  const { pool, index } = o
  const paused = new PausedWorkspaces(lockedPauseMs)
  const skipping = new PausedWorkspaces(skipLockedMs)
  let after = ''
  /** The current round through the workspaces of the queue made deliveries. */
  let hasMoved = false
  const makePart = async (turn: FanOutTurn, waitMs: number): Promise<FannedOut> => {
    if (turn.workspaces.length === 0) return { made: 0, stale: [], held: [] }
    const traceparents = isTracing() ? await readTraceparents(pool, turn.events) : []
    const once = (ms: number) => o.makeDeliveries(pool, turn, { laneWaitMs: ms, parents: () => traceparents })
    const skipLockedNow = async (error: unknown) => {
      if (!isLockTimeout(error)) throw error
      const result = await once(0)
      skipping.pause(result.held)
      return result
    }
    const result = await timed(deliveryMetrics.fanOutDuration, {}, () => once(waitMs).catch(skipLockedNow))
    paused.pause(result.held)
    if (result.held.length < turn.workspaces.length) hasMoved = true
    if (result.made > 0) o.onMade()
    return result
  }
  /** Apart, since a lane that was waited for in vain is no reason to skip those of others, which claims lock for a moment. Gives the stale workspaces. */
  const make = async (turn: FanOutTurn): Promise<string[]> => {
    const skipped = new Set(turn.workspaces.map(({ workspaceId }) => workspaceId).filter((id) => skipping.has(id)))
    const part = (isSkipped: boolean): FanOutTurn => {
      const isIn = ({ workspaceId }: { workspaceId: string }) => skipped.has(workspaceId) === isSkipped
      return {
        workspaces: turn.workspaces.filter(isIn),
        events: turn.events.filter(isIn),
        pairs: turn.pairs.filter(isIn),
      }
    }
    const results = [await makePart(part(true), 0), await makePart(part(false), laneWaitMs)]
    return results.flatMap(({ stale }) => stale)
  }
  /** Only what filters have to judge is read. */
  const withBodies = async (events: QueuedEvent[]): Promise<Matched[]> => {
    const judged = events.filter(({ workspace_id, type }) => index.get(workspace_id)?.index.needsBody(type))
    const payloads = judged.length > 0 ? await readPayloads(pool, judged) : new Map<string, Buffer>()
    return events.map((event) => ({ ...event, body: lazyBody(payloads.get(event.event_id)) }))
  }
  /** Ends a round; true when another one is worth it at once: this one made deliveries and did not begin at the first workspace. */
  const startsOver = (from: string): boolean => {
    const isWorthIt = from !== '' && hasMoved
    hasMoved = false
    return isWorthIt
  }
  return async () => {
    const from = after
    const queued = await peekQueue(pool, { after, workspaces: lookMax.workspaces, each: lookMax.each })
    after = ''
    await index.loadMissing(pool, queued)
    const ready = queued.filter((event) => !paused.has(event.workspace_id))
    const { turn, isAll, upTo } = composeTurn(await withBodies(ready), index)
    const stale = await make(turn)
    const seen = new Set(queued.map((event) => event.workspace_id))
    if (seen.size < lookMax.workspaces && isAll && stale.length === 0) return startsOver(from)
    // Who got nothing of a full turn is the next one's first.
    after = upTo ?? queued.at(-1)?.workspace_id ?? ''
    return true
  }
}
