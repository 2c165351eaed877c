/**
 * What others feel while one endpoint hangs on a backlog of 5,000, and while one tenant emits 60,000 events (`burst.ts`): the ratios of
 * their p99 with it and without.
 */

import { eventually } from '../../../harness/standalone.ts'
import { runOpenLoop } from '../open-loop.ts'
import { type Rig, startRig } from '../rig.ts'
import { type Distribution, distributionOf, rounded } from '../statistics.ts'
import { runBurst } from './burst.ts'
import { atMost, type Line, type Measure, type MeasureContext, spread } from './measure.ts'

const healthyTenants = 10
const endpointsEach = 10
const backlog = 5_000
const slots = 64
/** Events a second in all, each to 10 endpoints: well below what a worker can do, so that waiting is the neighbour's doing. */
const rate = 20

/** Milliseconds from the instant an event was due to each of its hooks. */
async function healthyLatencies(rig: Rig, hosts: Set<string>, seconds: number): Promise<Distribution> {
  await rig.receiver.clear()
  const due = new Map<string, number>()
  let events = 0
  await runOpenLoop({
    rate,
    seconds,
    call: async (nth, dueMs) => {
      const tenant = rig.tenants[nth % healthyTenants]
      if (tenant === undefined) throw new Error('no tenant')
      events += 1
      for (const id of await rig.publish([tenant.workspaceId], 1)) due.set(id, dueMs)
    },
  })
  const arrived = async () => (await rig.receiver.arrivals()).filter(([host]) => hosts.has(host))
  await eventually('every healthy hook', async () => (await arrived()).length >= events * endpointsEach, 60_000)
  const all = await arrived()
  if (all.length !== events * endpointsEach)
    throw new Error(`${events * endpointsEach} were due, ${all.length} arrived`)
  return distributionOf(all.map(([, eventId, , at]) => at - (due.get(eventId) as number)))
}

/** Deliveries of a workspace. */
async function waitingOf(rig: Rig, workspaceId: string): Promise<number> {
  const { rows } = await rig.admin.query<{ n: number }>(
    'select count(*)::integer as n from delivery.deliveries where workspace_id = $1',
    [workspaceId],
  )
  return rows[0]?.n ?? 0
}

async function runHanging(context: MeasureContext): Promise<Line[]> {
  const rig = await startRig({
    ...context,
    tenants: healthyTenants,
    subscriptions: endpointsEach,
    spareOrigins: 1,
    events: ['sync.*'],
    delivery: { env: { WDS_DELIVERY_SLOTS: String(slots) } },
  })
  try {
    const hanging = rig.receiver.origins.at(-1) as string
    const hosts = new Set(rig.receiver.origins.slice(0, -1).map((origin) => new URL(origin).hostname))
    await healthyLatencies(rig, hosts, Math.min(5, context.seconds))
    const without: Distribution[] = []
    for (let nth = 0; nth < context.repetitions; nth += 1)
      without.push(await healthyLatencies(rig, hosts, context.seconds))

    await rig.receiver.hang([hanging])
    const { workspaceId } = await rig.addTenant([hanging])
    await rig.publish([workspaceId], backlog)
    const meanwhile = await healthyLatencies(rig, hosts, context.seconds)
    await eventually('the backlog', async () => (await waitingOf(rig, workspaceId)) >= backlog, 60_000)
    const beside: Distribution[] = []
    for (let nth = 0; nth < context.repetitions; nth += 1) {
      beside.push(await healthyLatencies(rig, hosts, context.seconds))
      context.say(`p99 without ${without[nth]?.p99} ms, beside one that hangs ${beside[nth]?.p99} ms`)
    }
    const a = spread(without.map(({ p99 }) => p99))
    const b = spread(beside.map(({ p99 }) => p99))
    const ratio = rounded(b.median / a.median, 2)
    return [
      { measure: 'healthy p99, no neighbour hangs', value: a.median, unit: 'ms', range: a.range },
      { measure: 'healthy p99, 1 of 101 hangs, 5,000 behind it', value: b.median, unit: 'ms', range: b.range },
      { measure: 'ratio', value: ratio, unit: '', floor: atMost(ratio, 1.5) },
      { measure: `healthy p99, while the ${backlog} are ingested`, value: meanwhile.p99, unit: 'ms' },
    ]
  } finally {
    await rig.stop()
  }
}

const run = async (context: MeasureContext) => [...(await runHanging(context)), ...(await runBurst(context))]

export const neighbours: Measure = {
  name: 'neighbours',
  meaning: `1 of 101 endpoints hangs with a backlog of ${backlog}, ${slots} slots, ${rate * endpointsEach} healthy deliveries/s; then a burst of one tenant`,
  run,
}
