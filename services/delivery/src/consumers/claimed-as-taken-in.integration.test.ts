// Events whose deliveries are claimed as they are taken in: which ones are, and what stays behind where they are not.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import type { LogRecord } from '@wds/event-log/port'
import { withTransaction } from '@wds/postgres/transaction'
import type { AttemptUnderWay } from '../domain/fair-share.ts'
import { createFanOut, type FanOut } from '../loops/fan-out.ts'
import { createBook } from '../loops/send/booking.ts'
import type { ClaimedAttempt, ClaimStore } from '../loops/send/send-ports.ts'
import { defaultSenderSettings } from '../loops/send/sender-settings.ts'
import { createClaimStore } from '../store/claim-store.ts'
import { createEngine, type Engine, eventRecord, newId, seedEvents, seedSubscription } from '../store/engine-fixture.ts'
import { createTakeIn } from './take-in.ts'

const leaseMs = 20_000
let engine: Engine
let store: ClaimStore
beforeAll(async () => {
  engine = await createEngine()
  store = createClaimStore({ pool: engine.worker, disableGone: async () => undefined })
}, 60_000)
afterAll(() => engine?.stop())

let fanOut: FanOut
let told: string[]
let started: ClaimedAttempt[]
let underWay: Map<string, AttemptUnderWay>
let isDrained: boolean
let workspaceId: string
let subscriptionId: string

const handle = () => createTakeIn({ fanOut, onTaken: () => told.push('taken') })
const take = (records: LogRecord[]) =>
  withTransaction(engine.worker, { workspaceId: null }, (tx) => handle()(tx, records))
const takeNew = async (count: number): Promise<LogRecord[]> => {
  const records = Array.from({ length: count }, () => eventRecord(workspaceId))
  await take(records)
  return records
}

/** One process that knows the subscription, and whose lane has room for 2. */
beforeEach(async () => {
  await engine.admin.query('truncate delivery.fan_out_queue, delivery.due, delivery.leases')
  told = []
  started = []
  underWay = new Map()
  isDrained = true
  workspaceId = newId('wsp')
  subscriptionId = await seedSubscription(engine, { workspaceId })
  fanOut = createFanOut({
    pool: engine.worker,
    onMade: () => told.push('made'),
    onStale: () => told.push('stale'),
    book: createBook({
      settings: { ...defaultSenderSettings, leaseMs },
      underWay,
      claimed: () => (isDrained ? { claim: null, short: new Set() } : null),
      start: (attempt) => started.push(attempt),
      onFree: () => told.push('free'),
    }),
  })
  await takeNew(1)
  while (await fanOut.turn());
  await engine.admin.query('truncate delivery.due')
  await engine.admin.query(`update delivery.lanes set next_due = 'infinity' where subscription_id = $1`, [
    subscriptionId,
  ])
  told = []
})

/** The lane, with its rows counted. */
async function lane() {
  const { rows } = await engine.admin.query(
    `select l.in_flight, l.next_due < 'infinity' as waits, l.last_served > '-infinity' as was_served,
            (select count(*)::int from delivery.leases e where e.subscription_id = l.subscription_id) as leases,
            (select count(*)::int from delivery.due d where d.subscription_id = l.subscription_id) as due
       from delivery.lanes l where l.subscription_id = $1`,
    [subscriptionId],
  )
  return rows[0]
}

const changeLane = (change: string) =>
  engine.admin.query(`update delivery.lanes set ${change} where subscription_id = $1`, [subscriptionId])

function settled(attempt: ClaimedAttempt) {
  return store.settle([
    {
      ...attempt,
      ...{ attemptId: newId('att'), kind: 'attempt_succeeded', status: 200, errorCode: null, durationMs: 1 },
      ...{ traceId: null, signedAt: 1, excerpt: null, isRepeated: false, delayMs: null, startedMs: Date.now() },
    },
  ])
}

describe('an event that is taken in', () => {
  test('has its delivery claimed with the same commit, with all that the attempt needs', async () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
    const record = eventRecord(workspaceId)
    await take([{ ...record, headers: { ...record.headers, traceparent } }])
    expect(told).toEqual([])
    expect(started).toEqual([
      {
        ...{ deliveryId: expect.stringMatching(/^dlv_/), subscriptionId, workspaceId, eventId: record.eventId },
        ...{ eventDay: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), epoch: 1, attempt: 1, slow: false, traceparent },
        ...{ payload: record.payload, url: 'https://receiver.test/', headers: {}, secrets: [] },
        claimId: expect.any(String),
      },
    ])
    expect(await lane()).toEqual({ in_flight: 1, waits: false, was_served: true, leases: 1, due: 0 })
    const { rows } = await engine.admin.query(
      `select claim_id, extract(epoch from lease_end - started) * 1000 as ms from delivery.leases where subscription_id = $1`,
      [subscriptionId],
    )
    expect(rows).toEqual([{ claim_id: started[0]?.claimId, ms: String(`${leaseMs}.000000`) }])
    const [attempt] = started as [ClaimedAttempt]
    expect(await settled(attempt)).toEqual(new Set([attempt.deliveryId]))
    expect(await lane()).toMatchObject({ in_flight: 0, leases: 0, due: 0 })
    const stored = await engine.admin.query('select status, seq from delivery.deliveries where delivery_id = $1', [
      attempt.deliveryId,
    ])
    expect(stored.rows).toEqual([{ status: 'delivered', seq: 2 }])
    // The same attempt does not end twice.
    expect(await settled(attempt)).toEqual(new Set())
  })

  test('waits where its lane is full, and nobody is woken for it: whoever settles looks', async () => {
    await takeNew(5)
    expect(started).toHaveLength(2)
    expect(await lane()).toMatchObject({ in_flight: 2, waits: true, leases: 2, due: 3 })
    expect(told).toEqual(['free'])
    told = []
    await takeNew(1)
    expect(await lane()).toMatchObject({ in_flight: 2, leases: 2, due: 4 })
    expect(told).toEqual(['free'])
    expect(await store.nextDueInMs()).toBeNull()
    await settled(started[0] as ClaimedAttempt)
    expect(await store.nextDueInMs()).toBe(0)
  })

  test('does not overtake what waits in its lane, and a claim is woken', async () => {
    await takeNew(3)
    await settled(started[0] as ClaimedAttempt)
    told = []
    await takeNew(1)
    expect(started).toHaveLength(2)
    expect(await lane()).toMatchObject({ in_flight: 1, leases: 1, due: 2 })
    expect(told).toContain('made')
  })

  test.each([
    ['has a limit of its rate', 'rate = 1000'],
    ['timed out', 'timed_out = true'],
    ['rests', `ready_at = now() + interval '1 minute'`],
    ['is parked', `ready_at = 'infinity'`],
  ])('waits for a claim where its lane %s', async (_, change) => {
    await changeLane(change)
    await takeNew(1)
    expect(started).toEqual([])
    expect(underWay.size).toBe(0)
    expect(await lane()).toMatchObject({ in_flight: 0, waits: true, leases: 0, due: 1 })
    expect(told).toContain('made')
  })

  test('waits for a claim where this worker has no slot for it', async () => {
    isDrained = false
    await takeNew(1)
    expect(await lane()).toMatchObject({ in_flight: 0, waits: true, leases: 0, due: 1 })
    expect(told).toEqual(['made'])
  })

  test('waits in the queue where the subscriptions changed, and its slot is free', async () => {
    await seedSubscription(engine, { workspaceId })
    await takeNew(1)
    expect(started).toEqual([])
    expect(underWay.size).toBe(0)
    expect(await lane()).toMatchObject({ in_flight: 0, leases: 0, due: 0 })
    expect(told).toContain('stale')
  })

  test('and was taken in before begins nothing', async () => {
    const [eventId = ''] = await seedEvents(engine, { workspaceId, count: 1 })
    await engine.admin.query('truncate delivery.fan_out_queue')
    await take([eventRecord(workspaceId, { eventId })])
    expect(started).toEqual([])
    expect(underWay.size).toBe(0)
    expect(await lane()).toMatchObject({ in_flight: 0, leases: 0, due: 0 })
  })

  test('and comes twice in one batch goes by the queue, once', async () => {
    const record = eventRecord(workspaceId)
    await take([record, record])
    expect(told).toEqual(['taken'])
    while (await fanOut.turn());
    expect(await lane()).toMatchObject({ leases: 0, due: 1 })
  })

  test('leaves no slot taken where its transaction fails', async () => {
    const failing = withTransaction(engine.worker, { workspaceId: null }, async (tx) => {
      await handle()(tx, [eventRecord(workspaceId)])
      expect(underWay.size).toBe(1)
      throw new Error('behind it')
    })
    await expect(failing).rejects.toThrow('behind it')
    expect(underWay.size).toBe(0)
    expect(started).toEqual([])
    expect(await lane()).toMatchObject({ in_flight: 0, leases: 0, due: 0 })
  })

  test('counts what other workers hold of its lane', async () => {
    await changeLane('next_due = now()')
    await seedEvents(engine, { workspaceId, count: 2 })
    while (await fanOut.turn());
    const room = { lanes: 32, leaseMs, busy: [], share: 64, slowLanes: [], slowRoom: 64 }
    expect(await store.claim({ claimId: randomUUID(), slots: 64, ...room })).toHaveLength(2)
    await takeNew(1)
    expect(started).toEqual([])
    expect(await lane()).toMatchObject({ in_flight: 2, leases: 2, due: 1 })
  })
})

describe('regression: a workspace of which somebody holds a row', () => {
  let other: string
  beforeEach(async () => {
    other = newId('wsp')
    await seedSubscription(engine, { workspaceId: other })
    await take([eventRecord(other)])
    while (await fanOut.turn());
    await engine.admin.query('truncate delivery.due')
    await engine.admin.query("update delivery.lanes set next_due = 'infinity'")
    started.splice(0)
  })
  /** While a row of `workspaceId` is held. */
  async function held(tables: ('workspaces' | 'lanes')[], during: () => Promise<void>): Promise<void> {
    const holder = await engine.admin.connect()
    try {
      await holder.query('begin')
      for (const table of tables)
        await holder.query(`select 1 from delivery.${table} where workspace_id = $1 for update`, [workspaceId])
      await during()
    } finally {
      await holder.query('rollback')
      holder.release()
    }
  }
  const startedOf = () => started.map((attempt) => attempt.workspaceId)

  // A change of a subscription holds both, one after the other.
  test.each([
    ['its own', ['workspaces'] as const],
    ['its own and that of its lane', ['workspaces', 'lanes'] as const],
  ])('keeps no other from it, not even in the same batch, and its events wait: %s', async (_, tables) => {
    await held([...tables], async () => {
      await take([eventRecord(workspaceId), eventRecord(other)])
      expect(startedOf()).toEqual([other])
      await take([eventRecord(other), eventRecord(workspaceId)])
      expect(startedOf()).toEqual([other, other])
    })
    while (await fanOut.turn());
    expect(await lane()).toMatchObject({ in_flight: 0, leases: 0, due: 2 })
  })

  test('of its lane, rests by itself', async () => {
    await held(['lanes'], async () => {
      await expect(take([eventRecord(workspaceId)])).rejects.toMatchObject({ code: '55P03' })
      await take([eventRecord(workspaceId), eventRecord(other)])
    })
    expect(startedOf()).toEqual([other])
    while (await fanOut.turn());
    expect(await lane()).toMatchObject({ in_flight: 0, leases: 0, due: 1 })
  })
})
