/** Sustained deliveries from the log to the recorded attempt, beside the bare chain in the same run; what one delivery costs. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { bareChainRate } from '../bare-chain.ts'
import { cpuByStage } from '../profile.ts'
import { type Rig, startRig, whenAllAreRecorded } from '../rig.ts'
import { rounded } from '../statistics.ts'
import { atLeast, atMost, type Line, type Measure, type MeasureContext, spread } from './measure.ts'

const tenants = 10
const fanOut = 10
/** Deliveries that wait while the rate is measured: enough that no worker is ever idle, few enough to stay in memory. */
const waitingMax = 4_000
/** Rows of the bare chain for each second of a window. */
const bareRowsPerSecond = 6_000

interface Window {
  rate: number
  roundTrips: number
  cpu: Record<string, number>
}

/** Publishes whenever fewer than `waitingMax` deliveries wait, until `signal`; gives the number of events. */
async function feed(rig: Rig, signal: AbortSignal): Promise<number> {
  const workspaces = rig.tenants.map(({ workspaceId }) => workspaceId)
  let events = 0
  while (!signal.aborted) {
    const waiting = events * fanOut - (await rig.receiver.count())
    if (waiting > waitingMax) {
      await sleep(5)
      continue
    }
    await rig.publish(workspaces, 5)
    events += workspaces.length * 5
  }
  return events
}

/** One window of sustained load; everything that was published is recorded when it resolves. */
export async function measureWindow(rig: Rig, seconds: number): Promise<Window> {
  const ended = new AbortController()
  await rig.mark()
  const feeding = feed(rig, ended.signal)
  await sleep(Math.min(3, seconds) * 1_000)
  await rig.admin.query('select pg_stat_statements_reset()')
  const cpuBefore = rig.cpu()
  const fromMs = Date.now()
  await sleep(seconds * 1_000)
  const toMs = Date.now()
  const cpuAfter = rig.cpu()
  const statements = await rig.admin.query(
    `select coalesce(sum(calls), 0)::float8 as calls from pg_stat_statements
      where userid = (select oid from pg_roles where rolname = 'wds_delivery_worker')`,
  )
  ended.abort()
  const events = await feeding
  await whenAllAreRecorded(rig, events * fanOut, 60_000)
  const delivered = await rig.delivered(fromMs, toMs)
  const cpu = Object.fromEntries(
    Object.entries(cpuAfter).map(([name, after]) => [name, ((after - (cpuBefore[name] as number)) * 1e6) / delivered]),
  )
  return { rate: delivered / ((toMs - fromMs) / 1_000), roundTrips: statements.rows[0].calls / delivered, cpu }
}

async function run(context: MeasureContext): Promise<Line[]> {
  const rig = await startRig({
    ...context,
    tenants,
    subscriptions: fanOut,
    spareOrigins: 100,
    events: ['sync.*'],
  })
  try {
    const windows: Window[] = []
    const bare: number[] = []
    for (let nth = 0; nth <= context.repetitions; nth += 1) {
      const bareRate = await bareChainRate(rig, bareRowsPerSecond * context.seconds)
      const window = await measureWindow(rig, context.seconds)
      context.say(
        `deliveries: ${rounded(window.rate)}/s, bare chain ${rounded(bareRate)}/s${nth === 0 ? ' (dropped)' : ''}`,
      )
      if (nth === 0) continue
      windows.push(window)
      bare.push(bareRate)
    }
    const rate = spread(windows.map((window) => window.rate))
    const share = spread(windows.map((window, nth) => (100 * window.rate) / (bare[nth] as number)))
    const trips = spread(windows.map((window) => window.roundTrips))
    const bareSpread = spread(bare)
    const names = Object.keys(windows[0]?.cpu ?? {})
    return [
      {
        measure: 'deliveries, fan-out 10',
        value: rounded(rate.median),
        unit: '/s',
        range: rate.range,
        floor: atLeast(rate.median, 2_500),
      },
      { measure: 'bare chain', value: rounded(bareSpread.median), unit: '/s', range: bareSpread.range },
      {
        measure: 'share of the bare chain',
        value: rounded(share.median),
        unit: '%',
        range: share.range,
        floor: atLeast(share.median, 30),
      },
      {
        measure: 'round trips per delivery',
        value: rounded(trips.median, 3),
        unit: '',
        floor: atMost(trips.median, 0.1),
      },
      ...names.map((name) => ({
        measure: `CPU per delivery: ${name}`,
        value: rounded(spread(windows.map((window) => window.cpu[name] as number)).median),
        unit: 'µs',
      })),
    ]
  } finally {
    await rig.stop()
  }
}

/** What the database spends most on, by statement of the delivery service. */
async function statementLines(rig: Rig, delivered: number): Promise<Line[]> {
  const { rows } = await rig.admin.query(
    `select regexp_replace(left(query, 70), '\\s+', ' ', 'g') as text, sum(calls)::float8 as calls, sum(total_exec_time) * 1000 as us
       from pg_stat_statements where userid = (select oid from pg_roles where rolname = 'wds_delivery_worker')
      group by 1 order by 3 desc limit 12`,
  )
  return rows.map((row) => ({
    measure: `statement: ${row.text}`,
    value: rounded(row.us / delivered, 1),
    unit: `µs/delivery, ${rounded(row.calls / delivered, 4)} calls`,
  }))
}

/** The same load once more under Node's profiler: shares, not rates, since the profiler itself costs. */
async function runProfile(context: MeasureContext): Promise<Line[]> {
  const folder = mkdtempSync(join(tmpdir(), 'wds-profile-'))
  try {
    const rig = await startRig({
      ...context,
      tenants,
      subscriptions: fanOut,
      events: ['sync.*'],
      delivery: { nodeArgs: ['--cpu-prof', `--cpu-prof-dir=${folder}`] },
    })
    try {
      await measureWindow(rig, context.seconds)
      const delivered = await rig.delivered()
      const statements = await statementLines(rig, delivered)
      await rig.services.delivery.stop()
      const stages = cpuByStage(folder).map(([stage, ms]) => ({
        measure: `profile: ${stage}`,
        value: rounded((ms * 1_000) / delivered, 1),
        unit: 'µs/delivery',
      }))
      return [...stages, ...statements]
    } finally {
      await rig.stop()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export const deliveries: Measure = {
  name: 'deliveries',
  meaning: '10 tenants, 100 endpoints, 1 KB, from the log to the recorded attempt',
  run,
}

export const profile: Measure = {
  name: 'profile',
  meaning: 'CPU of the delivery process by stage, under the profiler',
  run: runProfile,
}
