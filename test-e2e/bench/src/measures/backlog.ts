/** F40: a backlog of 100,000: the memory of the delivery service while it waits, and the time it takes to drain. */
import { eventually } from '../../../harness/standalone.ts'
import { residentMibOf } from '../cpu.ts'
import { makeEverythingDue } from '../make-everything-due.ts'
import { startRig, whenAllAreRecorded } from '../rig.ts'
import { rounded } from '../statistics.ts'
import { atMost, type Line, type Measure, type MeasureContext } from './measure.ts'

const tenants = 10
const fanOut = 10
const events = 10_000

async function run(context: MeasureContext): Promise<Line[]> {
  const rig = await startRig({ ...context, tenants, subscriptions: fanOut, events: ['sync.*'] })
  try {
    const { receiver, admin, services, stack } = rig
    await receiver.hang(receiver.origins)
    await rig.mark()
    const workspaces = rig.tenants.map(({ workspaceId }) => workspaceId)
    await rig.publish(workspaces, events / tenants)
    await eventually(
      'every delivery is open',
      async () => {
        const { rows } = await admin.query(
          "select count(*)::int as n from delivery.deliveries where status in ('pending', 'retry')",
        )
        return rows[0].n === events * fanOut
      },
      120_000,
    )
    const memory = residentMibOf(services.delivery.pid)
    await services.delivery.stop()
    await makeEverythingDue(rig)
    await receiver.hang([])
    await receiver.clear()
    const startMs = performance.now()
    await stack.start('delivery', { name: 'delivery-2' })
    await whenAllAreRecorded(rig, events * fanOut, 300_000)
    const seconds = (performance.now() - startMs) / 1_000
    context.say(`drained in ${rounded(seconds, 1)} s`)
    return [
      {
        measure: 'resident memory, 100,000 open deliveries',
        value: rounded(memory),
        unit: 'MiB',
        floor: atMost(memory, 300),
      },
      {
        measure: 'drain of 100,000, start included',
        value: rounded(seconds, 1),
        unit: 's',
        floor: atMost(seconds, 60),
      },
    ]
  } finally {
    await rig.stop()
  }
}

export const backlog: Measure = {
  name: 'backlog',
  meaning: '100,000 deliveries wait for 100 endpoints, then drain',
  run,
}
