// Ends the open deliveries of disabled and deleted subscriptions, 1,000 at a time (delivery.md 2.9).
import type { Pool } from '@wds/postgres/pool'
import { deliveryMetrics } from '../metrics.ts'
import { endingOf, endOpen, listParked } from './store-parked.ts'

const lanesMax = 20

/** Where the next turn begins: lanes with a million waiting, or that cannot be emptied, do not keep later ones from their turn. */
export interface EndRound {
  /** A subscription's id; '': at the first. */
  after: string
}

/** One turn over the next parked lanes, `most` of them; true while something may be left. */
export async function endOpenDeliveries(
  pool: Pool,
  round: EndRound = { after: '' },
  most = lanesMax,
): Promise<boolean> {
  const lanes = await listParked(pool, { after: round.after, limit: most })
  round.after = lanes.length === most ? (lanes.at(-1)?.subscriptionId ?? '') : ''
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
  return ended > 0 || round.after !== ''
}
