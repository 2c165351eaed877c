/**
 * The traffic whose latency tells what the endpoints of others feel: 10 healthy tenants of 10 endpoints each, 20 events a second in all. It is
 * well below what a worker can do, so that waiting is the neighbour's doing.
 */
import { hostsOf, sendLiveEvents } from './live-traffic.ts'
import type { Rig } from './rig.ts'
import { type Distribution, distributionOf } from './statistics.ts'

export const healthyTenants = 10
export const endpointsEach = 10
/** Events a second in all, each to 10 endpoints. */
export const healthyRate = 20

/** Milliseconds from the instant an event was due to the first byte of its hooks, over the rig's first 10 tenants. */
export async function healthyLatencies(rig: Rig, seconds: number): Promise<Distribution> {
  const tenants = rig.tenants.slice(0, healthyTenants).map(({ workspaceId }, nth) => {
    const hosts = hostsOf(rig.receiver.origins.slice(nth * endpointsEach, (nth + 1) * endpointsEach))
    return { workspaceId, hosts }
  })
  const hooks = await sendLiveEvents(rig, { tenants, rate: healthyRate, seconds })
  return distributionOf(hooks.map(({ ms }) => ms))
}
