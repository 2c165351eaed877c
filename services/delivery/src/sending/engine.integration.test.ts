// The engine's functions one by one; under parallel work: claim-run.integration.test.ts.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { defaultSchedule } from '../deliveries/domain/schedule.ts'
import { checkProjection, type Difference } from '../deliveries/store-projection.ts'
import { createEngine, type Engine, newId, seedEvents, seedSubscription } from '../engine.fixture.ts'
import { createFanOut } from '../fan-out/fan-out.ts'
import { endedAttempt } from './ended-attempt.fixture.ts'
import type { ClaimedAttempt, ClaimStore } from './ports.ts'
import { createClaimStore } from './store.ts'

let engine: Engine
let store: ClaimStore
beforeAll(async () => {
  engine = await createEngine()
  store = createClaimStore({ pool: engine.worker, disableGone: async () => undefined })
})
afterAll(() => engine?.stop())

const claimInput = (slots = 64) => ({
  claimId: randomUUID(),
  slots,
  lanes: 24,
  leaseMs: 30_000,
  busy: [],
  share: slots,
  slowLanes: [],
  slowRoom: slots,
})

async function fanOutAll(): Promise<void> {
  const fanOut = createFanOut({ pool: engine.worker, onMade: () => undefined })
  while (await fanOut.turn());
}

async function differences(): Promise<Difference[]> {
  const found: Difference[] = []
  await checkProjection(engine.worker, { schedule: defaultSchedule, rebuild: false, report: (d) => found.push(d) })
  return found
}

describe('the engine', () => {
  test('taking the same events in again changes nothing, and fanning out again makes no second delivery', async () => {
    const workspaceId = newId('wsp')
    const subscription = await seedSubscription(engine, { workspaceId })
    await seedEvents(engine, { workspaceId, count: 3 })
    await fanOutAll()
    await engine.worker.query(
      `insert into fan_out_queue (workspace_id, event_id, event_day, type) select workspace_id, event_id, event_day, type from events where workspace_id = $1`,
      [workspaceId],
    )
    await fanOutAll()
    const { rows } = await engine.worker.query('select count(*)::int as n from deliveries where subscription_id = $1', [
      subscription,
    ])
    expect(rows[0]?.n).toBe(3)
  })

  test('an event published right after a subscription was made is delivered to it, whatever the index held', async () => {
    const workspaceId = newId('wsp')
    await seedSubscription(engine, { workspaceId, events: ['invoice.*'] })
    const fanOut = createFanOut({ pool: engine.worker, onMade: () => undefined })
    await seedEvents(engine, { workspaceId, count: 1, type: 'invoice.paid' })
    while (await fanOut.turn());
    const late = await seedSubscription(engine, { workspaceId, events: ['*'] })
    await seedEvents(engine, { workspaceId, count: 1, type: 'sync.completed' })
    while (await fanOut.turn());
    const { rows } = await engine.worker.query('select subscription_id from deliveries where workspace_id = $1', [
      workspaceId,
    ])
    expect(rows.filter((row) => row.subscription_id === late)).toHaveLength(1)
    expect(rows).toHaveLength(2)
  })

  test('a worker whose lease was taken over settles nothing', async () => {
    const workspaceId = newId('wsp')
    await seedSubscription(engine, { workspaceId })
    await seedEvents(engine, { workspaceId, count: 1 })
    await fanOutAll()
    const row = (await store.claim({ ...claimInput(), leaseMs: -1 })).find(
      (claimed) => claimed.workspaceId === workspaceId,
    )
    if (!row) throw new Error('nothing was claimed')
    const leases = await store.lostLeases(100)
    expect(leases.find((lease) => lease.deliveryId === row.deliveryId)).toMatchObject({
      deliveryId: row.deliveryId,
      claimId: row.claimId,
      attempt: 1,
    })
    expect(await store.settle([endedAttempt(row, { kind: 'attempt_unknown', status: null, delayMs: 60_000 })])).toEqual(
      new Set([row.deliveryId]),
    )
    expect(await store.settle([endedAttempt(row, {})])).toEqual(new Set())
    expect(await differences()).toEqual([])
  })

  test('a delivery that is given twice is settled once, and the others of the batch with it', async () => {
    const workspaceId = newId('wsp')
    const subscription = await seedSubscription(engine, { workspaceId })
    await seedEvents(engine, { workspaceId, count: 2 })
    await fanOutAll()
    const rows = (await store.claim(claimInput())).filter((row) => row.workspaceId === workspaceId)
    expect(rows).toHaveLength(2)
    const [first, other] = rows as [ClaimedAttempt, ClaimedAttempt]
    const batch = [
      endedAttempt(first, {}),
      endedAttempt(other, { kind: 'attempt_failed', status: 500, delayMs: 60_000 }),
      endedAttempt(first, {}),
    ]
    expect(await store.settle(batch)).toEqual(new Set([first.deliveryId, other.deliveryId]))
    const { rows: lanes } = await engine.worker.query('select in_flight from lanes where subscription_id = $1', [
      subscription,
    ])
    const { rows: log } = await engine.worker.query<{ kind: string }>(
      `select kind from delivery_log where workspace_id = $1 and kind <> 'scheduled' order by kind`,
      [workspaceId],
    )
    expect([lanes, log.map((row) => row.kind)]).toEqual([[{ in_flight: 0 }], ['attempt_failed', 'attempt_succeeded']])
    expect(await differences()).toEqual([])
  })

  test('one claim takes events of several days, each with its own bytes', async () => {
    const workspaceId = newId('wsp')
    await seedSubscription(engine, { workspaceId })
    const day = 86_400_000
    const made = await Promise.all(
      [0, 1, 2].map((ago) => seedEvents(engine, { workspaceId, count: 2, atMs: Date.now() - ago * day })),
    )
    await engine.admin.query('update delivery.lanes set cap = 8 where workspace_id = $1', [workspaceId])
    await fanOutAll()
    const rows = (await store.claim(claimInput())).filter((row) => row.workspaceId === workspaceId)
    expect(new Set(rows.map((row) => row.eventId))).toEqual(new Set(made.flat()))
    expect(new Set(rows.map((row) => row.eventDay)).size).toBe(3)
    for (const row of rows) expect(JSON.parse(row.payload.toString())).toEqual({ id: row.eventId })
    await store.settle(rows.map((row) => endedAttempt(row, {})))
    expect(await differences()).toEqual([])
  })

  test('regression: while a fault of ours keeps its attempts from being made a lane rests and lets one through at a time', async () => {
    const workspaceId = newId('wsp')
    const subscription = await seedSubscription(engine, { workspaceId })
    await engine.admin.query('update delivery.lanes set cap = 8 where subscription_id = $1', [subscription])
    await seedEvents(engine, { workspaceId, count: 40 })
    await fanOutAll()
    const claimMine = async () => (await store.claim(claimInput())).filter((row) => row.workspaceId === workspaceId)
    const first = await claimMine()
    expect(first).toHaveLength(8)
    expect((await store.hold(first, { restMs: 5_000, mostMs: 60_000 })).held.size).toBe(8)
    expect(await claimMine()).toEqual([])
    // The time of the rest is over.
    await engine.admin.query("update delivery.lanes set ready_at = '-infinity' where subscription_id = $1", [
      subscription,
    ])
    expect(await claimMine()).toHaveLength(1)
    expect(await differences()).toEqual([])
  })

  test('an exhausted delivery is dead, announced once, and may be replayed; while open it may not', async () => {
    const workspaceId = newId('wsp')
    await seedSubscription(engine, { workspaceId })
    await seedEvents(engine, { workspaceId, count: 1 })
    await fanOutAll()
    const row = (await store.claim(claimInput())).find((claimed) => claimed.workspaceId === workspaceId)
    if (!row) throw new Error('nothing was claimed')
    const replay = () =>
      engine.worker.query('select replay($1, $2, $3, 0::smallint, $4)', [
        workspaceId,
        [row.eventDay],
        [row.deliveryId],
        'api_key:key_test',
      ])
    expect((await replay()).rowCount).toBe(0)
    await store.settle([
      endedAttempt(row, { kind: 'attempt_failed', status: 500, errorCode: 'http_status', delayMs: null }),
    ])
    const { rows } = await engine.worker.query('select headers from outbox where workspace_id = $1', [workspaceId])
    expect(rows.map((r) => r.headers.event_type)).toEqual(['webhook.delivery_exhausted'])
    expect((await replay()).rowCount).toBe(1)
    expect((await replay()).rowCount).toBe(0)
    const { rows: dead } = await engine.worker.query('select 1 from dead_deliveries where delivery_id = $1', [
      row.deliveryId,
    ])
    expect(dead).toEqual([])
    const again = (await store.claim(claimInput())).find((claimed) => claimed.workspaceId === workspaceId)
    expect(again).toMatchObject({ epoch: 2, attempt: 1 })
    expect(await differences()).toEqual([])
  })

  test('app_now is stable, and functions plan generically within their own schema', async () => {
    const { rows } = await engine.admin.query<{ proname: string; provolatile: string; proconfig: string[] | null }>(
      "select proname, provolatile, proconfig from pg_proc where pronamespace = 'delivery'::regnamespace and proname in ('app_now', 'claim', 'settle', 'fan_out', 'replay')",
    )
    expect(rows.find((row) => row.proname === 'app_now')?.provolatile).toBe('s')
    for (const row of rows.filter((r) => r.proname !== 'app_now')) {
      expect(row.proconfig).toEqual(expect.arrayContaining(['plan_cache_mode=force_generic_plan']))
      expect(row.proconfig?.some((entry) => entry.startsWith('search_path='))).toBe(true)
    }
  })

  test('regression: whatever locks lanes or workspaces locks them by id, the claim too: `skip locked` may wait', async () => {
    const { rows } = await engine.admin.query<{ proname: string; prosrc: string }>(
      "select proname, prosrc from pg_proc where pronamespace = 'delivery'::regnamespace and prosrc ~ 'for (no key )?update'",
    )
    const locks = rows.flatMap(({ proname, prosrc }) =>
      [...prosrc.matchAll(/^(.*?)\s+for (?:no key )?update\b/gm)].map(([, how]) => `${proname}: ${how?.trim()}`),
    )
    expect(locks.map((lock) => lock.split(':')[0])).toEqual(
      expect.arrayContaining(['claim', 'settle', 'fan_out', 'hold', 'replay', 'end_open']),
    )
    const isOrdered = /order by (?:\w\.)?(?:subscription_id|workspace_id)$/
    const isOneLane =
      /where subscription_id = p_subscription and workspace_id = p_workspace(?: and ready_at [=<] 'infinity')?$/
    expect(locks.filter((lock) => !isOrdered.test(lock) && !isOneLane.test(lock))).toEqual([])
  })
})

// Last: it leaves much work behind.
describe('a greedy workspace', () => {
  const [greedy, neighbour] = [newId('wsp'), newId('wsp')]
  const countOf = async (table: 'deliveries' | 'fan_out_queue', workspaceId: string): Promise<number> => {
    const { rows } = await engine.worker.query(`select count(*)::int as n from ${table} where workspace_id = $1`, [
      workspaceId,
    ])
    return rows[0]?.n
  }

  test('does not keep an event of another one from the next turn of the fan out, however many wait', async () => {
    await fanOutAll()
    for (let nth = 0; nth < 16; nth += 1) await seedSubscription(engine, { workspaceId: greedy })
    await seedSubscription(engine, { workspaceId: neighbour })
    await seedEvents(engine, { workspaceId: greedy, count: 200 })
    await seedEvents(engine, { workspaceId: neighbour, count: 1 })
    const fanOut = createFanOut({ pool: engine.worker, onMade: () => undefined })
    await fanOut.turn()
    expect(await countOf('deliveries', neighbour)).toBe(1)
    expect(await countOf('fan_out_queue', greedy)).toBeGreaterThan(100)
  })

  test('gets its share of a claim and no more, and another one its own in the same claim', async () => {
    const claimed = await store.claim({ ...claimInput(), share: 16 })
    const byWorkspace = Map.groupBy(claimed, ({ workspaceId }) => workspaceId)
    expect([byWorkspace.get(greedy)?.length, byWorkspace.get(neighbour)?.length]).toEqual([16, 1])
  })

  test('of two workspaces each gets one delivery of a claim before any gets a second, whoever was served last', async () => {
    await engine.admin.query('truncate delivery.due, delivery.leases, delivery.fan_out_queue')
    await engine.admin.query("update delivery.lanes set in_flight = 0, next_due = 'infinity'")
    for (const workspaceId of [newId('wsp'), newId('wsp')]) {
      const lane = await seedSubscription(engine, { workspaceId })
      await seedEvents(engine, { workspaceId, count: 2 })
      await engine.admin.query('update delivery.lanes set last_served = clock_timestamp() where subscription_id = $1', [
        lane,
      ])
    }
    await fanOutAll()
    const claimed = await store.claim(claimInput(2))
    expect(new Set(claimed.map(({ workspaceId }) => workspaceId)).size).toBe(2)
  })

  test('regression: whoever makes or drops a day gives way to a transaction that locks its tables in another order', async () => {
    const other = await engine.admin.connect()
    try {
      await other.query('begin')
      await other.query('lock table delivery.delivery_log in row exclusive mode')
      let isOver = false
      const making = engine.worker
        .query("select make_partitions('2099-01-01')")
        .catch((error: unknown) => error)
        .finally(() => {
          isOver = true
        })
      const isWaiting = async () =>
        (
          await engine.admin.query(
            "select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%make_partitions%' and datname = current_database()",
          )
        ).rowCount === 1
      while (!isOver && !(await isWaiting()));
      // Waits for the making of the day, which holds this one already.
      await other.query('lock table delivery.deliveries in row exclusive mode')
      expect(await making).toMatchObject({ code: '55P03' })
      await other.query('commit')
    } finally {
      other.release()
    }
    await engine.worker.query("select make_partitions('2099-01-01')")
  })
})
