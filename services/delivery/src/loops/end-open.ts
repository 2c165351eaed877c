// Ends the open deliveries of disabled and deleted subscriptions, 1,000 at a time (delivery.md, Changes under way).
import type { Pool } from '@wds/postgres/pool'
import { deliveryMetrics } from '../metrics.ts'
import { endingOf, endOpen, listParked } from '../store/parked-lanes.ts'

const lanesMax = 20

/** One round over the parked lanes; true while something may be left. */
export async function endOpenDeliveries(pool: Pool): Promise<boolean> {
  const lanes = await listParked(pool, lanesMax)
  const faults: unknown[] = []
  let ended = 0
  for (const { workspaceId, subscriptionId, status } of lanes) {
    if (status === 'enabled') continue
    try {
      const reason = endingOf(status)
      const count = await endOpen(pool, { workspaceId, subscriptionId, reason })
      deliveryMetrics.dead.add(count, { reason })
      ended += count
    } catch (error) {
      faults.push(error) // The other lanes have their turn all the same.
    }
  }
  if (faults.length > 0) throw new AggregateError(faults, 'lanes could not be emptied')
  return ended > 0
}
