// Makes the deliveries of one turn, inline or from the queue: spans, counts, and what a stale index leads to.
import type { Queryable } from '@wds/postgres/pool'
import { startBatch } from '@wds/telemetry/spans'
import { deliveryMetrics } from '../metrics.ts'
import { type FannedOut, type FanOutTurn, fanOut } from './store.ts'
import type { SubscriptionIndex } from './subscription-index.ts'

/** `laneWaitMs`: see `fanOut`. `parents`: the contexts in which the events were made, read only when spans are recorded. */
export type MakeDeliveries = (
  db: Queryable,
  turn: FanOutTurn,
  o: { laneWaitMs: number; parents(): (string | null)[] },
) => Promise<FannedOut>

export function createMakeDeliveries(index: SubscriptionIndex): MakeDeliveries {
  return async (db, turn, { laneWaitMs, parents }) => {
    const items = () => parents().map((parent) => ({ name: 'fan out', parent }))
    const make = () => fanOut(db, turn, { laneWaitMs })
    const result = await startBatch({ name: 'fan out batch', kind: 'internal', items }).around(make)
    index.forget(result.stale)
    deliveryMetrics.deliveriesMade.add(result.made)
    return result
  }
}
