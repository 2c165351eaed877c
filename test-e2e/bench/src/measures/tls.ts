/**
 * Receivers behind TLS beside plain ones, on one stack in turn: how long a live event takes to them, how many are delivered a second, and
 * what a delivery costs. Connections stay open, as those of most receivers do, so handshakes are few.
 */
import { createTestAuthority } from '@wds/local-infra/certificates'
import { type ReceiverProcess, startReceiver } from '../../../harness/receiver.ts'
import { eventually } from '../../../harness/standalone.ts'
import { createUndo } from '../../../harness/undo.ts'
import { hostsOf, sendLiveEvents } from '../live-traffic.ts'
import { type Rig, startRig, type Tenant } from '../rig.ts'
import { distributionOf, rounded } from '../statistics.ts'
import { type Line, type Measure, type MeasureContext, spread } from './measure.ts'

const tenantsEach = 5
const endpointsEach = 10
/** Live events a second, each to 10 endpoints. */
const rate = 20
/** Events of a rate's window for each of its seconds, each to 10 endpoints. */
const eventsPerSecond = 200

interface Side {
  name: 'plain' | 'TLS'
  receiver: ReceiverProcess
  tenants: Tenant[]
}

interface Window {
  p50: number
  p99: number
  rate: number
  /** Microseconds of the delivery process for each delivery. */
  cpu: number
}

async function latencies(rig: Rig, { receiver, tenants }: Side, seconds: number) {
  const live = tenants.map(({ workspaceId }, nth) => {
    const hosts = hostsOf(receiver.origins.slice(nth * endpointsEach, (nth + 1) * endpointsEach))
    return { workspaceId, hosts }
  })
  const hooks = await sendLiveEvents(rig, { tenants: live, rate, seconds, receiver })
  return distributionOf(hooks.map(({ ms }) => ms))
}

/** From the first event that is published to the last delivery that is recorded. */
async function drain(rig: Rig, { receiver, tenants }: Side, seconds: number): Promise<{ rate: number; cpu: number }> {
  const each = Math.ceil((eventsPerSecond * seconds) / tenants.length)
  const due = each * tenants.length * endpointsEach
  await receiver.clear()
  const [before, cpuBefore, startMs] = [await rig.delivered(), rig.cpu().delivery as number, performance.now()]
  await rig.publish(
    tenants.map(({ workspaceId }) => workspaceId),
    each,
  )
  await eventually(
    `${due} deliveries`,
    async () => (await receiver.count()) >= due && (await rig.delivered()) - before >= due,
    300_000,
  )
  const cpu = ((rig.cpu().delivery as number) - cpuBefore) * 1e6
  return { rate: due / ((performance.now() - startMs) / 1_000), cpu: cpu / due }
}

async function run(context: MeasureContext): Promise<Line[]> {
  const { undo, stop } = createUndo()
  try {
    const authority = createTestAuthority()
    undo.push(() => authority.remove())
    const hosts = tenantsEach * endpointsEach
    const certificate = authority.issue(Array.from({ length: hosts }, (_, nth) => `127.0.0.${nth + 1}`))
    const receivers = { plain: await startReceiver(hosts), TLS: await startReceiver(hosts, { tls: certificate }) }
    undo.push(() => Object.values(receivers).forEach((receiver) => void receiver.stop()))
    // `loopback` allows plain addresses alone; of both kinds each has to be listed.
    const allowed = [...receivers.plain.origins, ...receivers.TLS.origins].join()
    const env = { NODE_EXTRA_CA_CERTS: authority.caFile, WDS_OUTBOUND_ALLOW: allowed }
    const rig = await startRig({ ...context, tenants: 0, subscriptions: 0, events: ['sync.*'], delivery: { env } })
    undo.push(() => rig.stop())
    const sides: Side[] = []
    for (const name of ['plain', 'TLS'] as const) {
      const receiver = receivers[name]
      const tenants: Tenant[] = []
      for (let nth = 0; nth < tenantsEach; nth += 1)
        tenants.push(await rig.addTenant(receiver.origins.slice(nth * endpointsEach, (nth + 1) * endpointsEach)))
      sides.push({ name, receiver, tenants })
    }
    const windows: Record<Side['name'], Window[]> = { plain: [], TLS: [] }
    for (let nth = 0; nth <= context.repetitions; nth += 1) {
      for (const side of sides) {
        const { p50, p99 } = await latencies(rig, side, context.seconds)
        const window = { p50, p99, ...(await drain(rig, side, context.seconds)) }
        context.say(`${side.name}: ${JSON.stringify(window)}${nth === 0 ? ' (dropped)' : ''}`)
        if (nth > 0) windows[side.name].push(window)
      }
    }
    return linesOf(windows)
  } finally {
    await stop()
  }
}

function linesOf(windows: Record<Side['name'], Window[]>): Line[] {
  const of = (name: Side['name'], key: keyof Window) => spread(windows[name].map((window) => window[key]))
  const both = (key: keyof Window, what: string, unit: string): Line[] => [
    ...(['plain', 'TLS'] as const).map((name) => {
      const { median, range } = of(name, key)
      return { measure: `${what}, ${name}`, value: rounded(median, 1), unit, range }
    }),
    { measure: `${what}: TLS / plain`, value: rounded(of('TLS', key).median / of('plain', key).median, 2), unit: '' },
  ]
  return [
    ...both('p50', 'live event to its hooks, p50', 'ms'),
    ...both('p99', 'live event to its hooks, p99', 'ms'),
    ...both('rate', 'deliveries', '/s'),
    ...both('cpu', 'CPU of delivery for a delivery', 'µs'),
  ]
}

export const tls: Measure = {
  name: 'tls',
  meaning: `${tenantsEach * endpointsEach} receivers behind TLS and as many plain ones, in turn`,
  run,
}
