// For tests: the engine under everything at once (stack.md 10.6): publishers, fan out in a loop and inline, 4 claimers, 4 settlers, crashes, takeovers, late workers,
// lanes held, disabled and enabled, replays. It counts what happened and notes every breach that it sees. It never stands in a running service.
import { setTimeout as sleep } from 'node:timers/promises'
import { withTransaction } from '@wds/postgres/transaction'
import { command, type Engine, newId, seedSubscription } from '../engine.fixture.ts'
import { endOpenDeliveries } from '../lanes/loop.ts'
import { endLastBatch } from '../lanes/store-parked.ts'
import { lockWorkspace } from '../workspaces/store.ts'
import { hasRoom, publish, spread } from './claim-run-publishers.fixture.ts'
import { type ClaimRunOptions, type ClaimRunResult, generator, type Run } from './claim-run-state.fixture.ts'
import { claim, settle, takeOver } from './claim-run-workers.fixture.ts'
import { createClaimStore } from './store.ts'

type Store = ReturnType<typeof createClaimStore>
const newStore = (engine: Engine): Store =>
  createClaimStore({ pool: engine.worker, disableGone: async () => undefined })

/** Runs until everything that was published has ended. Throws when it does not in time. */
export async function runClaims(engine: Engine, o: ClaimRunOptions): Promise<ClaimRunResult> {
  const run: Run = {
    o,
    engine,
    random: generator(o.seed),
    store: newStore(engine),
    underWay: new Map(),
    claimed: new Map(),
    ended: [],
    toSettle: [],
    crashed: [],
    subscriptions: [],
    result: {
      counts: {
        claims: 0,
        inline: 0,
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
    isPublished: false,
    isReplaying: true,
    isOver: false,
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
      run.subscriptions.push({ workspaceId, id })
    }
  }
}

/** Disables a subscription, and enables it once what waited has ended. */
async function disable(run: Run): Promise<void> {
  const { engine, result } = run
  while (!run.isPublished && !run.isOver) {
    const one = run.subscriptions[Math.floor(run.random() * run.subscriptions.length)]
    if (one === undefined) return
    const { workspaceId, id } = one
    const failing = { failing_since: null, failed_deliveries: 0 }
    await again(() => command(engine.worker, one, { type: 'disable', reason: 'user', failing }))
    result.counts.disabled += 1
    for (let isOpen = false; !isOpen && !run.isOver; ) {
      await sleep(20)
      isOpen = await again(() =>
        withTransaction(engine.worker, { workspaceId }, async (tx) => {
          await lockWorkspace(tx, workspaceId)
          return endLastBatch(tx, id)
        }),
      )
    }
    if (run.isOver) return
    await again(() => command(engine.worker, one, { type: 'enable', isEnding: false }))
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
      const values = [
        ...[workspaceId, rows.map((row) => row.eventDay), rows.map((row) => row.deliveryId)],
        ...[run.random() < 0.5 ? 0 : 1, 'api_key:key_test'],
      ]
      const result = await again(() => run.engine.worker.query('select replay($1, $2, $3, $4::smallint, $5)', values))
      run.result.counts.replayed += result.rowCount ?? 0
    }
  }
  run.isReplaying = false
}

/** What waited too long for a lock is asked again, as its caller does: the machine may be slow. */
async function again<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if ((error as { code?: string }).code !== '55P03') throw error
    }
  }
}

/** In one snapshot: a settle moves a row from the leases to what is due. */
async function isAnythingOpen(run: Run): Promise<boolean> {
  const { rows } = await run.engine.worker.query<{ open: boolean }>(
    'select exists (select 1 from due) or exists (select 1 from leases) as open',
  )
  return rows[0]?.open ?? true
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
    if (run.isPublished && !run.isReplaying && !(await isAnythingOpen(run))) run.isOver = true
  }
}
