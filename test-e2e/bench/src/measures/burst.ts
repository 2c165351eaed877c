/**
 * What the neighbours feel while 60,000 events of one tenant go from the outbox to the delivery service, those whose key lies in its
 * partition and those of other partitions: p99 from call to hook, beside the p99 of the quiet minutes around it.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { partitionOf } from '@wds/event-log/partition'
import pg from 'pg'
import { eventually } from '../../../harness/standalone.ts'
import { runOpenLoop } from '../open-loop.ts'
import { type Caller, createCaller, makeTargets } from '../patch-caller.ts'
import { type Rig, recordFor, startRig, type Tenant } from '../rig.ts'
import { type Distribution, distributionOf, rounded } from '../statistics.ts'
import { atMost, type Line, type MeasureContext, spread } from './measure.ts'

const burst = 60_000
const partitions = 12
/** Tenants in the partition of the burst, and in others. */
const neighboursEach = 4
/** Calls a second of all neighbours. */
const rate = 100
const connections = 32
const sliceSeconds = 1
const burstWithinMs = 300_000

/** Hooks of the neighbours: when the call was due, and how long it took from there; ms. */
interface Sample {
  dueMs: number
  tookMs: number
  beside: boolean
}

/** Makes workspaces until the greedy one has enough neighbours in its partition. */
async function chooseTenants(rig: Rig): Promise<{ greedy: Tenant; beside: Tenant[]; elsewhere: Tenant[] }> {
  const made: Tenant[] = []
  for (;;) {
    made.push(await rig.stack.makeWorkspace(`tenant ${made.length}`))
    const byPartition = [...Map.groupBy(made, ({ workspaceId }) => partitionOf(workspaceId, partitions)).values()]
    const full = byPartition.find((tenants) => tenants.length > neighboursEach)
    const elsewhere = byPartition.filter((tenants) => tenants !== full).map(([first]) => first as Tenant)
    const [greedy, ...beside] = full ?? []
    if (greedy === undefined || elsewhere.length < neighboursEach) continue
    return { greedy, beside, elsewhere: elsewhere.slice(0, neighboursEach) }
  }
}

/** Puts the burst into the outbox of `api`; it is seen, all of it, when the given function runs. */
export async function prepareBurst(
  outbox: pg.Pool,
  { workspaceId, events }: { workspaceId: string; events: number },
): Promise<() => Promise<void>> {
  const client = await outbox.connect()
  await client.query(`begin; set local search_path = api, public`)
  for (let put = 0; put < events; put += 5_000) {
    const records = Array.from({ length: Math.min(5_000, events - put) }, () => recordFor(workspaceId, false))
    await client.query(
      `insert into outbox (workspace_id, topic, key, event_id, headers, payload)
        select $1, u.* from unnest($2::text[], $3::text[], $4::text[], $5::json[], $6::bytea[]) u`,
      [
        workspaceId,
        records.map(({ topic }) => topic),
        records.map(({ key }) => key),
        records.map(({ eventId }) => eventId),
        records.map(({ headers }) => JSON.stringify(headers)),
        records.map(({ payload }) => payload),
      ],
    )
  }
  // What writing the burst costs the disk is not its way.
  await outbox.query('checkpoint')
  return async () => {
    await client.query('commit')
    client.release()
  }
}

/**
 * Resolves when nothing of the burst waits in the outbox and all of it was ingested. Asked seldom, and the outbox first: counting
 * events costs as much as the burst.
 */
export async function whenTakenIn(
  rig: Rig,
  outbox: pg.Pool,
  { workspaceId, events }: { workspaceId: string; events: number },
) {
  const waits = async () =>
    (await outbox.query('select from api.outbox where key = $1 limit 1', [workspaceId])).rowCount
  const taken = async () => {
    const counting = 'select count(*)::integer as n from delivery.events where workspace_id = $1'
    return (await rig.admin.query<{ n: number }>(counting, [workspaceId])).rows[0]?.n ?? 0
  }
  const endMs = performance.now() + burstWithinMs
  while ((await waits()) || (await taken()) < events) {
    if (performance.now() > endMs) throw new Error('the burst was not ingested')
    await sleep(500)
  }
}

/** Calls of all neighbours in turn, in slices until `isOver`, and until every hook arrived. */
export async function sample(rig: Rig, caller: Caller, isOver: () => boolean): Promise<Sample[]> {
  await rig.receiver.clear()
  const due = new Map<string, { dueMs: number; beside: boolean }>()
  let calls = 0
  while (!isOver()) {
    await runOpenLoop({
      rate,
      seconds: sliceSeconds,
      call: (_, dueMs) => {
        const traceId = randomBytes(16).toString('hex')
        const nth = calls
        calls += 1
        due.set(traceId, { dueMs, beside: nth % 2 === 0 })
        return caller.patch(nth, traceId)
      },
    })
  }
  const arrived = async () => (await rig.receiver.arrivals()).filter(([, , traceId]) => due.has(traceId))
  // One that came twice does not make up for one that is lost.
  const seen = async () => new Set((await arrived()).map(([, , traceId]) => traceId)).size
  await eventually('every hook of the neighbours', async () => (await seen()) === due.size, 120_000)
  return (await arrived()).map(([, , traceId, at]) => {
    const one = due.get(traceId) as { dueMs: number; beside: boolean }
    return { ...one, tookMs: at - one.dueMs }
  })
}

export const quietFor = (seconds: number) => {
  const endMs = performance.now() + seconds * 1_000
  return () => performance.now() >= endMs
}

export const now = () => performance.timeOrigin + performance.now()

export const distribution = (samples: Sample[], beside?: boolean): Distribution =>
  distributionOf(samples.filter((one) => beside === undefined || one.beside === beside).map(({ tookMs }) => tookMs))

export interface Scene {
  rig: Rig
  caller: Caller
  greedy: Tenant
  /** Of api's database. */
  outbox: pg.Pool
}

/** The neighbours have an endpoint each, every other one lies in the partition of the burst; nobody subscribed to its events. */
async function prepare(rig: Rig, outbox: pg.Pool): Promise<Scene> {
  const { greedy, beside, elsewhere } = await chooseTenants(rig)
  const neighbours = beside.flatMap((one, nth) => [one, elsewhere[nth] as Tenant])
  for (const [nth, tenant] of neighbours.entries())
    await rig.subscribe(tenant, { origin: rig.receiver.origins[nth] as string, events: ['integration.updated'] })
  const perTenant = await Promise.all(neighbours.map((tenant) => makeTargets(rig, [tenant])))
  const inTurn = Array.from({ length: perTenant[0]?.length ?? 0 }, (_, nth) => perTenant.map((own) => own[nth]))
  const targets = inTurn.flat().filter((one) => one !== undefined)
  return { rig, outbox, greedy, caller: createCaller(rig, targets, connections) }
}

/** `nth`: bursts before this one. */
async function besideBurst({ rig, caller, greedy, outbox }: Scene, nth: number) {
  const begin = await prepareBurst(outbox, { ...greedy, events: burst })
  const startMs = now()
  let overMs = Number.POSITIVE_INFINITY
  const watching = begin()
    .then(() => whenTakenIn(rig, outbox, { ...greedy, events: (nth + 1) * burst }))
    .finally(() => {
      overMs = now()
    })
  const samples = (await sample(rig, caller, () => now() > overMs)).filter(({ dueMs }) => dueMs <= overMs)
  await watching
  const seconds = rounded((overMs - startMs) / 1_000, 1)
  return { beside: distribution(samples, true), elsewhere: distribution(samples, false), seconds }
}

/** Quiet windows stand before, between and after the bursts. */
async function measure(scene: Scene, { seconds, repetitions, say }: MeasureContext): Promise<Line[]> {
  const { rig, caller } = scene
  const quietly = async () => distribution(await sample(rig, caller, quietFor(seconds)))
  await sample(rig, caller, quietFor(Math.min(10, seconds)))
  const quiet = [await quietly()]
  const bursts: Awaited<ReturnType<typeof besideBurst>>[] = []
  for (let nth = 0; nth < repetitions; nth += 1) {
    const one = await besideBurst(scene, nth)
    bursts.push(one)
    quiet.push(await quietly())
    const told = { quiet: quiet.at(-2), beside: one.beside, elsewhere: one.elsewhere, 'quiet again': quiet.at(-1) }
    const figures = Object.entries(told).map(([name, found]) => `${name} p50 ${found?.p50} p99 ${found?.p99}`)
    say(`${figures.join(', ')} ms; ingested within ${one.seconds} s`)
  }
  const without = spread(quiet.map(({ p99 }) => p99))
  const lines: Line[] = [{ measure: 'p99 without a burst', value: without.median, unit: 'ms', range: without.range }]
  for (const [where, found] of [
    ['in its partition', bursts.map((one) => one.beside.p99)],
    ['in other partitions', bursts.map((one) => one.elsewhere.p99)],
  ] as const) {
    const { median, range } = spread(found)
    const ratio = rounded(median / without.median, 2)
    lines.push({ measure: `p99 beside a burst of ${burst}, ${where}`, value: median, unit: 'ms', range })
    lines.push({ measure: `ratio, ${where}`, value: ratio, unit: '', floor: atMost(ratio, 1.5) })
  }
  const took = spread(bursts.map((one) => one.seconds))
  return [...lines, { measure: 'the burst is ingested within', value: took.median, unit: 's', range: took.range }]
}

export async function runBurst(context: MeasureContext): Promise<Line[]> {
  return withScene(context, (scene) => measure(scene, context))
}

export async function withScene<T>(context: MeasureContext, use: (scene: Scene) => Promise<T>): Promise<T> {
  const spareOrigins = 2 * neighboursEach
  const rig = await startRig({ ...context, tenants: 0, subscriptions: 0, spareOrigins, events: [] })
  const outbox = new pg.Pool({ connectionString: rig.stack.adminUrls.api, max: 2 })
  try {
    const scene = await prepare(rig, outbox)
    try {
      return await use(scene)
    } finally {
      await scene.caller.close()
    }
  } finally {
    await outbox.end()
    await rig.stop()
  }
}
