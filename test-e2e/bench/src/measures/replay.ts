/**
 * F41: dead deliveries of one subscription, 50,000 unless told, are replayed beside live traffic. What others feel of it, and the live events of that
 * same subscription; afterwards every delivery has one new epoch, and was sent once in it.
 */
import { eventually } from '../../../harness/standalone.ts'
import { historyStart, makeHistory } from '../history-rows.ts'
import { hostsOf, type LiveTenant, sendLiveEvents } from '../live-traffic.ts'
import { type Rig, startRig, type Tenant } from '../rig.ts'
import { distributionOf, rounded } from '../statistics.ts'
import { atMost, type Line, type Measure, type MeasureContext, spread } from './measure.ts'

const otherTenants = 10
const withinMs = 600_000

interface LiveLoad {
  /** Events a second; each to the endpoints of its tenant, but one in 11 to the one that is replayed to. */
  rate: number
  endpointsEach: number
}

interface Window {
  others: number
  own: number
}

/** p99 of a window, at the endpoints of others and at the one that is replayed to. */
async function windowOf(rig: Rig, { rate, endpointsEach }: LiveLoad, seconds: number): Promise<Window> {
  const tenants = rig.tenants.map(({ workspaceId }, nth): LiveTenant => {
    const origins = rig.receiver.origins.slice(nth * endpointsEach, (nth + 1) * endpointsEach)
    return { workspaceId, hosts: hostsOf(origins) }
  })
  const own = hostsOf(rig.receiver.origins.slice(-1))[0]
  const hooks = await sendLiveEvents(rig, { tenants, rate, seconds })
  const p99 = (isOwn: boolean) =>
    distributionOf(hooks.filter(({ host }) => (host === own) === isOwn).map(({ ms }) => ms)).p99
  return { others: p99(false), own: p99(true) }
}

interface Replay {
  id: string
  status: string
  matched: number | null
  opened: number
}

async function call(rig: Rig, tenant: Tenant, method: string, path: string, body?: object): Promise<Replay> {
  const response = await fetch(`${rig.services.delivery.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${tenant.apiKey}`, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} is ${response.status}: ${text}`)
  return JSON.parse(text) as Replay
}

/** @throws Error where a delivery has not exactly one new epoch with one attempt that succeeded. */
async function checkEpochs(rig: Rig, workspaceId: string, made: number): Promise<void> {
  const { rows } = await rig.admin.query<{ n: number }>(
    `select count(*)::int as n from delivery.deliveries
      where workspace_id = $1 and status = 'delivered' and epoch = 2 and attempt = 1 and attempts_total = 2`,
    [workspaceId],
  )
  if (rows[0]?.n !== made)
    throw new Error(`${made} were to be replayed, ${rows[0]?.n} have one new epoch with one attempt`)
}

async function run(context: MeasureContext, live: LiveLoad): Promise<Line[]> {
  const rig = await startRig({
    ...context,
    tenants: otherTenants,
    subscriptions: live.endpointsEach,
    spareOrigins: 1,
    events: ['sync.*'],
  })
  try {
    const tenant = await rig.addTenant(rig.receiver.origins.slice(-1))
    rig.tenants.push(tenant)
    const { workspaceId } = tenant
    const dead = { workspaceIds: [workspaceId], deliveries: context.replayed, deadOneIn: 1 }
    await makeHistory({ ...context, admin: rig.admin, ...dead })
    const { rows } = await rig.admin.query<{ webhook: string; n: number }>(
      'select subscription_id as webhook, count(*)::int as n from delivery.deliveries where workspace_id = $1 group by 1',
      [workspaceId],
    )
    const { webhook = '', n: made = 0 } = rows[0] ?? {}
    await windowOf(rig, live, Math.min(5, context.seconds))
    const before: Window[] = []
    for (let nth = 0; nth < context.repetitions; nth += 1) before.push(await windowOf(rig, live, context.seconds))
    const startMs = performance.now()
    const since = historyStart().toISOString()
    const asked = await call(rig, tenant, 'POST', `/v1/webhooks/${webhook}/replays`, { since, status: ['dead'] })
    const during: Window[] = []
    const read = () => call(rig, tenant, 'GET', `/v1/replays/${asked.id}`)
    while (during.length < context.repetitions) {
      during.push(await windowOf(rig, live, context.seconds))
      if ((await read()).status !== 'running') throw new Error('the replay ended within the windows: make them shorter')
      context.say(`p99 without ${JSON.stringify(before)}, beside the replay ${JSON.stringify(during)} ms`)
    }
    await eventually('the end of the replay', async () => (await read()).status === 'completed', withinMs)
    const seconds = (performance.now() - startMs) / 1_000
    await eventually(
      'every epoch to end',
      async () => {
        const open = await rig.admin.query('select from delivery.due union all select from delivery.leases limit 1')
        return open.rowCount === 0
      },
      withinMs,
    )
    await checkEpochs(rig, workspaceId, made)
    return [
      ...linesOf('others', before, during),
      ...linesOf('own', before, during),
      { measure: `replay of ${made.toLocaleString('en')}`, value: rounded(seconds, 1), unit: 's' },
    ]
  } finally {
    await rig.stop()
  }
}

function linesOf(who: keyof Window, before: Window[], during: Window[]): Line[] {
  const [without, beside] = [before, during].map((windows) => spread(windows.map((window) => window[who])))
  if (without === undefined || beside === undefined) return []
  const name = who === 'others' ? 'others' : 'the same subscription'
  const ratio = rounded(beside.median / without.median, 2)
  return [
    { measure: `live p99 of ${name}`, value: without.median, unit: 'ms', range: without.range },
    { measure: `live p99 of ${name}, beside the replay`, value: beside.median, unit: 'ms', range: beside.range },
    { measure: `ratio, ${name}`, value: ratio, unit: '', floor: atMost(ratio, 1.5) },
  ]
}

export const replay: Measure = {
  name: 'replay',
  meaning:
    'dead deliveries of one subscription are replayed beside 22 live events/s of it and of others, to 10 endpoints each',
  run: (context) => run(context, { rate: 22, endpointsEach: 10 }),
}

export const replayBeside: Measure = {
  name: 'replay-beside',
  meaning: 'the same beside 100 live events/s of others and 10 of it, to an endpoint each',
  run: (context) => run(context, { rate: 110, endpointsEach: 1 }),
}
