/**
 * What others feel while one endpoint hangs on a backlog of 5,000, and while one tenant emits 60,000 events (`burst.ts`): the ratios of
 * their p99 with it and without.
 */

import { eventually } from '../../../harness/standalone.ts'
import { endpointsEach, healthyLatencies, healthyRate, healthyTenants } from '../healthy-traffic.ts'
import { type Rig, startRig } from '../rig.ts'
import { type Distribution, rounded } from '../statistics.ts'
import { runBurst } from './burst.ts'
import { atMost, type Line, type Measure, type MeasureContext, spread } from './measure.ts'

const backlog = 5_000
const slots = 64

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
    await healthyLatencies(rig, Math.min(5, context.seconds))
    const without: Distribution[] = []
    for (let nth = 0; nth < context.repetitions; nth += 1) without.push(await healthyLatencies(rig, context.seconds))

    await rig.receiver.hang([hanging])
    const { workspaceId } = await rig.addTenant([hanging])
    await rig.publish([workspaceId], backlog)
    const meanwhile = await healthyLatencies(rig, context.seconds)
    await eventually('the backlog', async () => (await waitingOf(rig, workspaceId)) >= backlog, 60_000)
    const beside: Distribution[] = []
    for (let nth = 0; nth < context.repetitions; nth += 1) {
      beside.push(await healthyLatencies(rig, context.seconds))
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
  meaning: `1 of 101 endpoints hangs with a backlog of ${backlog}, ${slots} slots, ${healthyRate * endpointsEach} healthy deliveries/s; then a burst of one tenant`,
  run,
}
