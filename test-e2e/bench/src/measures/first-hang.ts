/**
 * F32: 40 endpoints in 40 workspaces hang for the first time, all at once: none of them has failed before, so each takes as many slots as a
 * good one may. What the endpoints of others feel of it: their p99 beside that of quiet windows.
 */
import { eventually } from '../../../harness/standalone.ts'
import { endpointsEach, healthyLatencies, healthyRate, healthyTenants } from '../healthy-traffic.ts'
import { makeEverythingDue } from '../make-everything-due.ts'
import { type Rig, startRig } from '../rig.ts'
import { type Distribution, rounded } from '../statistics.ts'
import { atMost, type Line, type Measure, type MeasureContext, spread } from './measure.ts'

/** For each endpoint that hangs, in the moment it does: more than it may have under way. */
const eventsEach = 10

/** They answer again, and everything they missed is due: once it is delivered their lanes are as good as new. */
async function recover(rig: Rig): Promise<void> {
  const { admin, receiver } = rig
  await receiver.hang([])
  const isEmpty = async (table: string) => (await admin.query(`select from delivery.${table} limit 1`)).rowCount === 0
  await eventually('no attempt is under way', () => isEmpty('leases'))
  await makeEverythingDue(rig)
  await eventually('everything is delivered', async () => (await isEmpty('due')) && (await isEmpty('leases')))
}

async function run(context: MeasureContext): Promise<Line[]> {
  const { hanging: count } = context
  const rig = await startRig({
    ...context,
    tenants: healthyTenants,
    subscriptions: endpointsEach,
    spareOrigins: count,
    events: ['sync.*'],
  })
  try {
    const hanging = rig.receiver.origins.slice(-count)
    const workspaces: string[] = []
    for (const origin of hanging) workspaces.push((await rig.addTenant([origin])).workspaceId)
    await healthyLatencies(rig, Math.min(5, context.seconds))
    const quiet: Distribution[] = []
    const beside: Distribution[] = []
    let underWay = 0
    for (let nth = 0; nth < context.repetitions; nth += 1) {
      quiet.push(await healthyLatencies(rig, context.seconds))
      await rig.receiver.hang(hanging)
      await rig.publish(workspaces, eventsEach)
      await eventually('attempts hang', async () => (await leases(rig)) >= count)
      beside.push(await healthyLatencies(rig, context.seconds))
      underWay = Math.max(underWay, await leases(rig))
      context.say(`p99 quiet ${quiet[nth]?.p99} ms, beside ${count} that hang ${beside[nth]?.p99} ms`)
      await recover(rig)
    }
    const [a, b] = [spread(quiet.map(({ p99 }) => p99)), spread(beside.map(({ p99 }) => p99))]
    const ratio = rounded(b.median / a.median, 2)
    return [
      { measure: 'healthy p99, quiet', value: a.median, unit: 'ms', range: a.range },
      {
        measure: `healthy p99, ${count} endpoints hang for the first time`,
        value: b.median,
        unit: 'ms',
        range: b.range,
      },
      { measure: 'ratio', value: ratio, unit: '', floor: atMost(ratio, 1.5) },
      { measure: 'attempts that hang when a window ends, at most', value: underWay, unit: '' },
    ]
  } finally {
    await rig.stop()
  }
}

async function leases({ admin }: Rig): Promise<number> {
  const { rows } = await admin.query<{ n: number }>('select count(*)::integer as n from delivery.leases')
  return rows[0]?.n ?? 0
}

export const firstHang: Measure = {
  name: 'first-hang',
  meaning: `endpoints of as many workspaces hang for the first time beside ${healthyRate * endpointsEach} healthy deliveries/s`,
  run,
}
