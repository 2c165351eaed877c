/**
 * Many faults, one after the other, on one stack under load. Before each the system works: a change that was asked for after the last fault
 * was over has reached the receiver. After so many the load rests, everything drains, and the checkers judge all that was done since the
 * beginning.
 */

import type { FaultProxy } from '../../harness/fault-proxy.ts'
import { openOAuthClient } from '../../harness/oauth-client.ts'
import { whenKeyIsKnown } from '../../harness/stack.ts'
import { eventually } from '../../harness/standalone.ts'
import { createUndo } from '../../harness/undo.ts'
import { breachesOf, type History } from '../checkers/checker.ts'
import {
  heldUpBreachesOf,
  type LatenessHistory,
  latenessBreachesOf,
  latestOf,
  probeBreachesOf,
} from '../checkers/lateness-checker.ts'
import { outcomeOf, replayBreachesOf } from '../checkers/replay-checker.ts'
import { requestBreachesOf } from '../checkers/request-checker.ts'
import { peaksOf, resourceBreachesOf } from '../checkers/resource-checker.ts'
import { rowBreachesOf } from '../checkers/row-checker.ts'
import { storeBreachesOf } from '../checkers/store-checker.ts'
import { tokenBreachesOf } from '../checkers/token-checker.ts'
import { report, type Write } from '../rig/load.ts'
import { drainMs, readLateness } from '../rig/read-history.ts'
import { consumersBehind } from '../rig/read-positions.ts'
import { readRequests, readStores } from '../rig/read-stores.ts'
import { answered, partitions, type Rig, startRig } from '../rig/rig.ts'
import { rowBreaches } from '../rig/row-breaches.ts'
import { type Presented, recorded, tokenHistoryOf, useTokensWhile } from '../rig/token-load.ts'
import { type PlannedFault, type PlannedReplay, planFaults, planReplays } from './fault-plan.ts'
import { type FaultPlace, injectFault } from './inject-fault.ts'
import { type ManyFaults, type ManyFaultsOptions, newRun } from './many-run.ts'
import { type Neighbour, startNeighbour } from './neighbour.ts'
import { probe, probes } from './probe.ts'
import { type ReplayLoad, readReplays, startReplays, whenReplaysAreOver } from './replay-load.ts'
import { resourceLimits, rowsAtTheEnd, type Watched, watchWhile } from './watch-stack.ts'

/** QUICK of reliability.md 3. */
const delaysMs = [1, 2, 4, 8, 16].map((seconds) => seconds * 1_000)
const delivery = {
  WDS_DELIVERY_DELAYS: delaysMs.map((ms) => `${ms}ms`).join(),
  WDS_DELIVERY_DEADLINE: '2s',
  WDS_DELIVERY_LEASE: '6s',
}
const tokenLoad = { apps: 2, refreshesEach: 3, paceMs: 1_000 }
/** reliability.md 5, I21: of what is due, and of what is asked for once all is healed. A machine that others use may hold up one of twenty. */
const lateMs = { mostOf: 5_000, each: drainMs }
const probeMs = 2_000
/** An odd number of them has one in the middle. */
const atRest = 5
/** Behind so many faults something was delivered long enough ago to be replayed. */
const replaysFrom = 8
/** Moments of I12, at least. */
const snapshotsMin = 10

export async function runManyFaults(o: ManyFaultsOptions): Promise<ManyFaults> {
  const started = performance.now()
  const { undo, stop } = createUndo()
  try {
    const proxies = {} as Record<string, FaultProxy> as FaultPlace['proxies']
    const rig = await startRig({
      log: o.log,
      proxies,
      ownPostgres: true,
      brokerProxy: o.log === 'Kafka',
      receivers: 2,
      envOf: { delivery },
    })
    undo.push(() => rig.stop())
    const place: FaultPlace = {
      rig,
      proxies,
      postgres: rig.stack.postgres as FaultPlace['postgres'],
      integrationId: await makeIntegration(rig),
      writes: [],
      unreadable: [],
    }
    // One that was started again is nobody's else.
    undo.push(() => place.postgres.stop())
    const neighbour = await startNeighbour(rig)
    const presented: Presented[] = []
    const client = recorded(await openOAuthClient(rig.stack, { url: rig.url, host: new URL(rig.url).host }), presented)
    const { body } = await client.redeem(await client.authorize())
    await whenKeyIsKnown(`${rig.url}/v1/integrations`, body.access_token)

    const run = newRun(o)
    const watched: Watched = { samples: [], snapshots: 0, breaches: [] }
    const running: Running = { ...o, started, watched, neighbour, replays: startReplays(rig), faults: [] }
    const during = () => watchWhile(rig, watched, () => injectAll(place, run, running))
    await useTokensWhile(client, { ...tokenLoad, during }).catch((error: Error) => {
      run.violations.push(`the run ended early: ${error.message}`)
    })
    if (run.violations.length === 0) {
      await neighbour.leave()
      run.violations.push(...(await neighbour.breaches(running.faults)))
    }
    run.neighbourAttempts = await neighbour.attempts()
    if (run.checks === 0 && run.violations.length === 0)
      run.violations.push('no fault was begun in time: nothing was judged')
    if (run.neighbourAttempts === 0) run.violations.push('I7: nothing was sent for the workspace beside it')
    const tokens = tokenBreachesOf(await tokenHistoryOf(presented, (sql) => rig.ask('auth', sql)))
    const rows = await rowBreaches(rig.stack)
    const lost = presented.filter(({ outcome }) => outcome === 'unknown').length
    return {
      ...run,
      tokens: { presented: presented.length, lost },
      violations: [...run.violations, ...tokens, ...rows],
      tookMs: performance.now() - started,
    }
  } finally {
    await stop()
  }
}

async function makeIntegration({ client }: Rig): Promise<string> {
  const json = { name: 'probe', provider: 'csv_upload', brand_slug: 'acme', currency: 'EUR' }
  return (await answered(() => client('/v1/integrations', { json }))).body.id
}

interface Running extends ManyFaultsOptions {
  started: number
  watched: Watched
  neighbour: Neighbour
  replays: ReplayLoad
  /** What was made, and when. */
  faults: { fromMs: number; untilMs: number }[]
}

/** Ends early where it is too late, where the system does not come back, or where something is wrong: what follows would say nothing. */
async function injectAll(place: FaultPlace, run: ManyFaults, o: Running): Promise<void> {
  const { rig } = place
  const plan = planFaults(o)
  const replays = planReplays(o)
  const isOver = () => run.violations.length > 0 || performance.now() - o.started > o.withinMs
  while (run.made.length < plan.length && !isOver()) {
    const round = plan.slice(run.made.length, run.made.length + o.checkEvery)
    const live = (during: () => Promise<void>) => rig.writeWhile(() => o.neighbour.liveWhile(during))
    const own = await live(async () => {
      for (const fault of round) {
        if (isOver()) break
        await injectOne(place, run, { ...o, fault, replay: replays[run.made.length] as PlannedReplay })
      }
      // Of few faults the load goes on until the rows were looked at often enough; the check tells where they were not.
      const isSeen = async () => run.violations.length > 0 || o.watched.snapshots >= snapshotsMin
      await eventually('the rows are looked at', isSeen, drainMs).catch(() => undefined)
    })
    place.writes.push(...own)
    await check(place, run, o)
    run.tookMs = performance.now() - o.started
    o.onCheck(run)
  }
}

/** With a replay amid it. What is not over, and what does not work afterwards, is a violation. */
async function injectOne(
  place: FaultPlace,
  run: ManyFaults,
  o: Running & { fault: PlannedFault; replay: PlannedReplay },
): Promise<void> {
  const { kind, service, forMs } = o.fault
  const which = `fault ${run.made.length + 1} (${kind}, ${service})`
  const unanswered = (error: Error) => void run.violations.push(`I21: a replay amid ${which}: ${error.message}`)
  const replay = await o.replays.prepare(o.replay).catch(unanswered)
  const fromMs = Date.now()
  const replayed = replay?.().catch(unanswered)
  try {
    await injectFault(place, o.fault)
  } catch (error) {
    run.violations.push(`I21: ${which} is not over: ${String(error)}`)
    await replayed
    return
  }
  o.faults.push({ fromMs, untilMs: Date.now() })
  const recoveredMs = await probe(place).catch((error: Error) => {
    run.violations.push(`I21: nothing works after ${which}: ${error.message}`)
    return Number.POSITIVE_INFINITY
  })
  await replayed
  run.made.push({ kind, recoveredMs })
  if (kind === 'records in the log that nobody can read')
    run.heldUpMs.push(recoveredMs, ...(await probes(place, 2).catch(() => [Number.POSITIVE_INFINITY])))
  report(`${o.log} ${run.made.length}: ${kind}, ${service}, ${forMs} ms: works ${recoveredMs.toFixed(0)} ms later`)
}

/** What is there at a check, once nothing moves any more. */
interface Found {
  history: Omit<History, 'repeatedMax'>
  replayed: Awaited<ReturnType<typeof readReplays>>
  lateness: LatenessHistory
}

async function check(place: FaultPlace, run: ManyFaults, o: Running): Promise<void> {
  const { rig } = place
  const { outboxesLeft, tookMs } = await rest(place, run)
  const history = await rig.history(place.writes)
  const found: Found = {
    history: { ...history, outboxRows: { ...history.outboxRows, ...outboxesLeft } },
    replayed: await readReplays(rig.ask, rig.workspaceId),
    lateness: { ...(await readLateness(rig.ask, rig.workspaceId)), faults: o.faults, lateMs },
  }
  run.violations.push(...(await breachesAtCheck(place, run, { ...o, ...found })))
  count(place, run, { ...o, ...found })
  const { acknowledged } = run.writes
  report(
    `${run.log}: ${run.made.length} faults, drained in ${tookMs.toFixed(0)} ms, ${acknowledged} acknowledged, ${run.events} events, ${run.replays.acknowledged} of ${run.replays.asked} replays with ${run.replays.epochs} epochs, ${run.violations.length} violations`,
  )
}

/**
 * Until all has come through; then measures what a change takes at rest. The checker names `outboxesLeft`, also where their rows have gone
 * out by the time that the history is read.
 */
async function rest(place: FaultPlace, run: ManyFaults) {
  const { rig } = place
  const started = performance.now()
  // What follows names what is missing, and at which step.
  await rig.arrived().catch((error: Error) => void run.violations.push(`I3: ${error.message}`))
  const outboxesLeft = await rig.outboxesLeft()
  await whenReplaysAreOver(rig.ask, rig.workspaceId).catch(
    (error: Error) => void run.violations.push(`I3: ${error.message}`),
  )
  const tookMs = performance.now() - started
  if (run.violations.length === 0 && Object.keys(outboxesLeft).length === 0) {
    const atMs = Date.now()
    const tookAtRest = await probes(place, atRest)
    run.atRestMs.push(...tookAtRest)
    run.violations.push(...probeBreachesOf({ atMs, tookMs: tookAtRest, mostMs: probeMs }))
    await rig.arrived()
  }
  return { outboxesLeft, tookMs }
}

async function breachesAtCheck(place: FaultPlace, run: ManyFaults, o: Running & Found): Promise<string[]> {
  const { rig, unreadable } = place
  const { history, replayed, lateness, watched, neighbour, faults, replays } = o
  const { failed, again } = attemptsOf(history)
  const announced = [...[...history.log.values()].flat(), ...unreadable]
  return [
    ...breachesOf({ ...history, delaysMs, repeatedMax: failed + again }),
    ...replayBreachesOf({ ...history, ...replayed, asks: replays.asks }),
    ...(run.made.length >= replaysFrom && replays.asks.length === 0 ? ['no replay was asked for'] : []),
    ...requestBreachesOf({ ...(await readRequests(rig)), faults }),
    ...storeBreachesOf(await readStores(rig, announced)),
    ...(await consumersBehind({ ask: rig.ask, from: rig.logPlace, partitions })),
    ...latenessBreachesOf(lateness),
    ...heldUpBreachesOf({ tookMs: run.heldUpMs, lateMs }),
    ...(await neighbour.breaches(faults)),
    ...resourceBreachesOf({ samples: watched.samples, limits: resourceLimits }),
    ...watched.breaches,
    ...(watched.snapshots >= snapshotsMin ? [] : [`I12: ${watched.snapshots} snapshots of the rows were taken`]),
    ...rowBreachesOf(await rowsAtTheEnd(rig)),
  ]
}

/** For the report. */
function count({ writes }: FaultPlace, run: ManyFaults, o: Running & Found): void {
  const { history, replayed, lateness, watched, replays } = o
  const { lost, failed } = attemptsOf(history)
  const isUnknown = ({ status }: Write) => status === 0 || status >= 500
  run.checks += 1
  run.latestMs = latestOf(lateness)
  run.watched = { samples: watched.samples.length, peaks: peaksOf(watched.samples), snapshots: watched.snapshots }
  run.writes = {
    asked: writes.length,
    acknowledged: writes.filter(({ status }) => status === 200).length,
    unknown: writes.filter(isUnknown).length,
  }
  run.events = [...history.facts.values()].flat().length
  const repeated = history.arrivals.length - new Set(history.arrivals).size
  run.attempts = { lost, failed: failed - lost, repeated }
  run.replays = {
    asked: replays.asks.length,
    acknowledged: replays.asks.filter((ask) => outcomeOf(ask) === 'acknowledged').length,
    unknown: replays.asks.filter((ask) => outcomeOf(ask) === 'unknown').length,
    epochs: replayed.deliveries.reduce((sum, { epochs }) => sum + epochs.length, 0),
  }
}

/** `failed`: with those whose end nobody knows, which are `lost`. `again`: those that succeeded by a replay. */
function attemptsOf({ attempts }: Pick<History, 'attempts'>) {
  return {
    lost: attempts.filter(({ isUnknown }) => isUnknown).length,
    failed: attempts.filter(({ hasSucceeded }) => !hasSucceeded).length,
    again: attempts.filter(({ hasSucceeded, epoch }) => hasSucceeded && epoch > 1).length,
  }
}
