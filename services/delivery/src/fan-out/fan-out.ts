// The two ways in which events become deliveries, inline and by the queue, over one index of subscriptions.
import type { Pool } from '@wds/postgres/pool'
import { createInlineIngest, type Ingest } from './inline.ts'
import { createMakeDeliveries } from './make-deliveries.ts'
import { createQueueTurn } from './queue.ts'
import { SubscriptionIndex } from './subscription-index.ts'

export interface FanOut {
  /** Ingests events; their deliveries are made with them where they are few, and their workspaces known. */
  readonly ingest: Ingest
  /** One turn on the queue; true while there is more. */
  readonly turn: () => Promise<boolean>
}

/** `onMade` runs after the commit of deliveries, `onQueued` after the commit of ingested events that went to the queue. */
export function createFanOut(o: { pool: Pool; onMade(): void; onQueued?(): void }): FanOut {
  const index = new SubscriptionIndex()
  const parts = { index, makeDeliveries: createMakeDeliveries(index), onMade: o.onMade }
  return {
    ingest: createInlineIngest({ ...parts, onQueued: () => o.onQueued?.() }),
    turn: createQueueTurn({ ...parts, pool: o.pool }),
  }
}
