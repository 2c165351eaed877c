/** Live events at a fixed pace, tenant after tenant, and how long each took to its endpoints. */

import type { ReceiverProcess } from '../../harness/receiver.ts'
import { eventually } from '../../harness/standalone.ts'
import { runOpenLoop } from './open-loop.ts'
import type { Rig, Tenant } from './rig.ts'

/** A tenant whose events go to these hosts, each of them once. */
export interface LiveTenant extends Pick<Tenant, 'workspaceId'> {
  hosts: string[]
}

/** One hook: where it went, and milliseconds from the instant its event was due to its first byte. */
export interface LiveHook {
  host: string
  ms: number
}

/** @throws Error when another number of hooks arrived than were due. What else arrives meanwhile is left out. */
export async function sendLiveEvents(
  rig: Rig,
  o: { tenants: LiveTenant[]; rate: number; seconds: number; receiver?: ReceiverProcess },
): Promise<LiveHook[]> {
  const { receiver = rig.receiver } = o
  await receiver.clear()
  const due = new Map<string, number>()
  let expected = 0
  await runOpenLoop({
    ...o,
    call: async (nth, dueMs) => {
      const tenant = o.tenants[nth % o.tenants.length]
      if (tenant === undefined) throw new Error('no tenant')
      expected += tenant.hosts.length
      for (const id of await rig.publish([tenant.workspaceId], 1)) due.set(id, dueMs)
    },
  })
  const arrived = async () => (await receiver.arrivals()).filter(([, eventId]) => due.has(eventId))
  await eventually('every live hook', async () => (await arrived()).length >= expected, 60_000)
  const all = await arrived()
  if (all.length !== expected) throw new Error(`${expected} were due, ${all.length} arrived`)
  return all.map(([host, eventId, , at]) => ({ host, ms: at - (due.get(eventId) as number) }))
}

/** The host names that the receiver is called by. */
export const hostsOf = (origins: string[]): string[] => origins.map((origin) => new URL(origin).hostname)
