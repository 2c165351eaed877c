// For tests: the engine under everything at once (stack.md 10, 6): publishers, fan out in a loop and along, 4 claimers, 4 settlers, crashes, takeovers, late workers,
// lanes held, disabled and enabled, replays. It counts what happened and notes every breach that it sees. It never stands in a running service.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { withTransaction } from '@wds/postgres/transaction'
import { endOpenDeliveries } from '../loops/end-open.ts'
import { createFanOut } from '../loops/fan-out.ts'
import type { ClaimedAttempt, ClaimStore, ExpiredLease, SettledAttempt } from '../loops/send/send-ports.ts'
import { bookAll, publishAlong } from './along-run.fixture.ts'
import { createClaimStore } from './claim-store.ts'
import { type Engine, newId, seedEvents, seedSubscription } from './engine-fixture.ts'
import { endLastBatch, parkSubscription, reopenSubscription } from './parked-lanes.ts'
import { lockWorkspace } from './workspaces.ts'

/** What a run is made of. `deliveries`: at least so many are made. */
export interface ClaimRunOptions {
  deliveries: number
  workspaces: number
  /** Subscriptions of each workspace. */
  fanOut: number
  /** Events of a workspace that are taken in at once. */
  eventsAtOnce: number
  /** While more deliveries than these are due, nothing is published. */
  waitingMax: number
  seed: number
  deadlineMs: number
}

/** What happened, by kind; `breaches` must be empty. */
export interface ClaimRunResult {
  counts: Record<
    | 'claims'
    | 'begun'
    | 'crashed'
    | 'takenOver'
    | 'lateSettles'
    | 'held'
    | 'disabled'
    | 'enabled'
    | 'replayed'
    | 'samples',
    number
  >
  breaches: string[]
}

interface Run {
  o: ClaimRunOptions
  engine: Engine
  store: ClaimStore
  random: () => number
  /** Claims that nobody has ended, as far as this process knows: by delivery. */
  underWay: Map<string, string>
  /** Claims of each attempt number, and how often it was given back to be claimed again. */
  claimed: Map<string, number>
  ended: ClaimedAttempt[]
  toSettle: ClaimedAttempt[]
  crashed: ClaimedAttempt[]
  subscriptions: { workspaceId: string; id: string; version: number }[]
  result: ClaimRunResult
  isPublished: boolean
  isOver: boolean
}

const leaseMs = 3_000
const slots = 64
const settleMax = 128

/** Small seeded generator (mulberry32). */
function generator(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

const numberOf = (row: { deliveryId: string; epoch: number; attempt: number }): string =>
  `${row.deliveryId}/${row.epoch}/${row.attempt}`

type Store = ReturnType<typeof createClaimStore>
const newStore = (engine: Engine): Store =>
  createClaimStore({ pool: engine.worker, disableGone: async () => undefined })

/** Runs until everything that was published has ended. Throws when it does not in time. */
export async function runClaims(engine: Engine, o: ClaimRunOptions): Promise<ClaimRunResult> {
  const run: Run = {
    ...{ o, engine, random: generator(o.seed) },
    store: newStore(engine),
    ...{ underWay: new Map(), claimed: new Map(), ended: [], toSettle: [], crashed: [], subscriptions: [] },
    result: {
      counts: {
        claims: 0,
        begun: 0,
        crashed: 0,
        takenOver: 0,
        lateSettles: 0,
        held: 0,
        disabled: 0,
        enabled: 0,
        replayed: 0,
        samples: 0,
      },
      breaches: [],
    },
    ...{ isPublished: false, isOver: false },
  }
  await subscribe(run)
  const tasks = [
    publish(run),
    ...[1, 2].map(() => spread(run)),
    // A store each, as processes of their own: a store claims on one connection and settles on another.
    ...[1, 2, 3, 4].map(() => claim(run, newStore(engine))),
    ...[1, 2, 3, 4].map(() => settle(run, newStore(engine))),
    ...[takeOver(run), disable(run), replay(run), endOpen(run), watch(run)],
  ]
  try {
    await Promise.all(tasks)
  } finally {
    run.isOver = true
    await Promise.allSettled(tasks)
  }
  for (const [number, claims] of run.claimed)
    if (claims > 1) run.result.breaches.push(`${number} was claimed ${claims} times`)
  return run.result
}

async function subscribe(run: Run): Promise<void> {
  for (let i = 0; i < run.o.workspaces; i += 1) {
    const workspaceId = newId('wsp')
    for (let j = 0; j < run.o.fanOut; j += 1) {
      const id = await seedSubscription(run.engine, { workspaceId, maxInFlight: 1 + Math.floor(run.random() * 16) })
      run.subscriptions.push({ workspaceId, id, version: 1 })
    }
  }
}

async function publish(run: Run): Promise<void> {
  const { engine, o } = run
  const all = [...new Set(run.subscriptions.map((subscription) => subscription.workspaceId))]
  // A quarter of them is quiet: behind a backlog everything goes by the queue.
  const quiet = all.slice(-Math.ceil(all.length / 4))
  const workspaces = all.slice(0, -quiet.length)
  let isSeeded = false
  const ready = Promise.withResolvers<void>()
  const along = publishAlong(engine, {
    ...{ workspaces: quiet, random: run.random, onReady: ready.resolve },
    // Not before some began at once: on a busy machine the others may be seeded sooner.
    isOver: () => run.isOver || (isSeeded && run.result.counts.begun > 0),
    hasRoom: () => hasRoom(run),
    book: bookAll({
      leaseMs,
      onBegun(attempts) {
        run.result.counts.begun += attempts.length
        for (const attempt of attempts) noteClaim(run, attempt)
        meet(run, [...attempts])
      },
    }),
  })
  await Promise.race([ready.promise, along])
  for (let made = 0; made < o.deliveries && !run.isOver; ) {
    for (const workspaceId of workspaces) await seedEvents(engine, { workspaceId, count: o.eventsAtOnce })
    made += workspaces.length * o.eventsAtOnce * o.fanOut
    while (!run.isOver && !(await hasRoom(run))) await sleep(5)
    if (made < o.deliveries) continue
    // A disabled subscription got nothing: what was really made is counted once all is fanned out.
    while (!run.isOver && (await countOf(run, 'fan_out_queue')) > 0) await sleep(20)
    made = await countOf(run, 'deliveries')
  }
  isSeeded = true
  await along
  while (!run.isOver && (await countOf(run, 'fan_out_queue')) > 0) await sleep(20)
  run.isPublished = true
}

/** Asked by whoever adds to what is due: else a slow machine never catches up. */
const hasRoom = async (run: Run): Promise<boolean> => (await countOf(run, 'due')) <= run.o.waitingMax

async function countOf(run: Run, table: 'fan_out_queue' | 'due' | 'deliveries'): Promise<number> {
  const { rows } = await run.engine.worker.query<{ n: number }>(`select count(*)::int as n from ${table}`)
  return rows[0]?.n ?? 0
}

/** In one snapshot: a settle moves a row from the leases to what is due. */
async function isAnythingOpen(run: Run): Promise<boolean> {
  const { rows } = await run.engine.worker.query<{ open: boolean }>(
    'select exists (select 1 from due) or exists (select 1 from leases) as open',
  )
  return rows[0]?.open ?? true
}

async function spread(run: Run): Promise<void> {
  const fanOut = createFanOut({ pool: run.engine.worker, onMade: () => undefined })
  while (!run.isOver) if (!(await fanOut.turn())) await sleep(5)
}

async function claim(run: Run, store: Store): Promise<void> {
  const { result } = run
  while (!run.isOver) {
    if (run.toSettle.length > 8 * slots) {
      await sleep(2)
      continue
    }
    const limits = { busy: [], share: slots, slowLanes: [], slowRoom: slots }
    const rows = await store.claim({ claimId: randomUUID(), slots, lanes: 24, leaseMs, ...limits })
    for (const row of rows) noteClaim(run, row)
    result.counts.claims += rows.length
    if (run.random() < 0.01) await hold(run, rows)
    else meet(run, rows)
    if (rows.length === 0) await sleep(3)
  }
}

/** What happens to a worker: it is killed, or it sends. */
function meet(run: Run, rows: ClaimedAttempt[]): void {
  if (run.random() >= 0.01) return void run.toSettle.push(...rows)
  run.crashed.push(...rows)
  run.result.counts.crashed += rows.length
}

function noteClaim(run: Run, row: ClaimedAttempt): void {
  const other = run.underWay.get(row.deliveryId)
  if (other !== undefined) run.result.breaches.push(`${row.deliveryId} was claimed while ${other} held it`)
  run.underWay.set(row.deliveryId, row.claimId)
  run.claimed.set(numberOf(row), (run.claimed.get(numberOf(row)) ?? 0) + 1)
}

/** From the moment the statement is sent somebody else may claim the delivery. */
function letGo(run: Run, row: { deliveryId: string; claimId: string }): void {
  if (run.underWay.get(row.deliveryId) === row.claimId) run.underWay.delete(row.deliveryId)
}

/** The number of an attempt that did not take place is claimed again. */
function giveNumberBack(run: Run, row: ClaimedAttempt): void {
  run.claimed.set(numberOf(row), (run.claimed.get(numberOf(row)) ?? 0) - 1)
}

async function hold(run: Run, rows: ClaimedAttempt[]): Promise<void> {
  for (const row of rows) {
    letGo(run, row)
    giveNumberBack(run, row)
  }
  const { held } = await run.store.hold(rows, { restMs: 50, mostMs: null })
  run.result.counts.held += held.size
  for (const row of rows) {
    if (held.has(row.deliveryId)) continue
    run.claimed.set(numberOf(row), (run.claimed.get(numberOf(row)) ?? 0) + 1)
    run.toSettle.push(row)
  }
}

function ending(row: ClaimedAttempt | ExpiredLease, o: Partial<SettledAttempt>): SettledAttempt {
  const { deliveryId, subscriptionId, workspaceId, eventDay, eventId, claimId, epoch, attempt, url } = row
  return {
    ...{ deliveryId, subscriptionId, workspaceId, eventDay, eventId, claimId, epoch, attempt, url },
    ...{ attemptId: newId('att'), kind: 'attempt_succeeded', status: 200, errorCode: null, durationMs: 2 },
    ...{ traceId: null, signedAt: 1, excerpt: null, isRepeated: false, delayMs: null, startedMs: Date.now() },
    ...o,
  }
}

/** Most attempts succeed; others fail, time out, exhaust their delivery or are released. */
function outcome(run: Run, row: ClaimedAttempt): SettledAttempt {
  const fate = run.random()
  if (fate < 0.12 && row.attempt < 6)
    return ending(row, { kind: 'attempt_failed', status: 500, errorCode: 'http_status', delayMs: 0 })
  if (fate < 0.15 && row.attempt < 6)
    return ending(row, { kind: 'attempt_failed', status: null, errorCode: 'timeout', delayMs: 0 })
  if (fate < 0.18) return ending(row, { kind: 'attempt_failed', status: 500, errorCode: 'http_status' })
  if (fate < 0.2) {
    giveNumberBack(run, row)
    return ending(row, { kind: 'attempt_released', status: null, signedAt: null, delayMs: 0 })
  }
  return ending(row, {})
}

async function settle(run: Run, store: Store): Promise<void> {
  while (!run.isOver) {
    const rows = run.toSettle.splice(0, 1 + Math.floor(run.random() * settleMax))
    if (rows.length === 0) {
      await sleep(3)
      continue
    }
    for (const row of rows) letGo(run, row)
    const settled = await store.settle(rows.map((row) => outcome(run, row)).toSorted(() => run.random() - 0.5))
    run.result.counts.lateSettles += rows.length - settled.size
    run.ended.push(...rows)
    if (run.ended.length > 5_000) run.ended.splice(0, 2_500)
  }
}

/** Settles what ran out as unknown; then the killed workers wake up and settle late, which must change nothing. */
async function takeOver(run: Run): Promise<void> {
  const { store, result } = run
  while (!run.isOver) {
    await sleep(200)
    const expired = await store.expiredLeases(500)
    if (expired.length === 0) continue
    for (const lease of expired) letGo(run, lease)
    const unknown = { kind: 'attempt_unknown', status: null, durationMs: null, signedAt: null } as const
    const settled = await store.settle(
      expired.map((lease) => ending(lease, { ...unknown, delayMs: lease.attempt < 6 ? 0 : null })),
    )
    result.counts.takenOver += settled.size
    const gone = new Set(expired.map((lease) => `${lease.claimId}/${lease.deliveryId}`))
    const late = run.crashed.filter((row) => gone.has(`${row.claimId}/${row.deliveryId}`))
    run.crashed = run.crashed.filter((row) => !late.includes(row))
    const written = late.length === 0 ? new Set() : await store.settle(late.map((row) => ending(row, {})))
    if (written.size > 0)
      result.breaches.push(`${written.size} results were written after their leases were taken over`)
    result.counts.lateSettles += late.length
  }
}

/** Disables a subscription, and enables it once what waited has ended. */
async function disable(run: Run): Promise<void> {
  const { engine, result } = run
  while (!run.isPublished && !run.isOver) {
    const one = run.subscriptions[Math.floor(run.random() * run.subscriptions.length)]
    if (one === undefined) return
    const { workspaceId, id } = one
    const at = new Date().toISOString()
    await withTransaction(engine.worker, { workspaceId }, async (tx) => {
      await lockWorkspace(tx, workspaceId)
      one.version += 1
      await parkSubscription(tx, { id, status: 'disabled', reason: 'user', version: one.version, at })
    })
    result.counts.disabled += 1
    for (let isOpen = false; !isOpen && !run.isOver; ) {
      await sleep(20)
      isOpen = await withTransaction(engine.worker, { workspaceId }, async (tx) => {
        await lockWorkspace(tx, workspaceId)
        if (!(await endLastBatch(tx, id))) return false
        one.version += 1
        await reopenSubscription(tx, { id, version: one.version, at })
        return true
      })
    }
    result.counts.enabled += 1
    await sleep(30)
  }
}

async function endOpen(run: Run): Promise<void> {
  while (!run.isOver) if (!(await endOpenDeliveries(run.engine.worker))) await sleep(20)
}

async function replay(run: Run): Promise<void> {
  while (!run.isPublished && !run.isOver) {
    await sleep(20)
    if (!(await hasRoom(run))) continue
    const start = Math.floor(run.random() * run.ended.length)
    const byWorkspace = Map.groupBy(run.ended.slice(start, start + 20), (row) => row.workspaceId)
    for (const [workspaceId, rows] of byWorkspace) {
      const result = await run.engine.worker.query('select replay($1, $2, $3, $4::smallint, $5)', [
        ...[workspaceId, rows.map((row) => row.eventDay), rows.map((row) => row.deliveryId)],
        ...[run.random() < 0.5 ? 0 : 1, 'api_key:key_test'],
      ])
      run.result.counts.replayed += result.rowCount ?? 0
    }
  }
}

/** Looks at the lanes in one snapshot each time, and ends the run once nothing is open any more. */
async function watch(run: Run): Promise<void> {
  const deadline = Date.now() + run.o.deadlineMs
  while (!run.isOver) {
    await sleep(50)
    const { rows } = await run.engine.worker.query<{ breach: string }>(
      `select 'more in flight than allowed: ' || l.subscription_id as breach from lanes l where l.in_flight > l.max_in_flight
       union all
       select 'in_flight is not the number of leases: ' || l.subscription_id from lanes l
         left join (select subscription_id, count(*) as n from leases group by 1) e using (subscription_id) where l.in_flight <> coalesce(e.n, 0)
       union all
       select 'a due row stands behind next_due: ' || l.subscription_id from lanes l
         join (select subscription_id, min(due_at) as first from due group by 1) d using (subscription_id) where l.next_due > d.first`,
    )
    run.result.breaches.push(...rows.map((row) => row.breach))
    run.result.counts.samples += 1
    if (Date.now() > deadline) throw new Error(`not in time: ${JSON.stringify(run.result)}`)
    if (run.isPublished && !(await isAnythingOpen(run))) run.isOver = true
  }
}
