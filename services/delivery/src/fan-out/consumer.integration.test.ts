// Ingest on the real tables: what is fanned out inline, and what waits in the queue instead.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { consumeBatch } from '@wds/event-log/consume-batch'
import type { Batch, EventLog } from '@wds/event-log/port'
import { withTransaction } from '@wds/postgres/transaction'
import { createEngine, type Engine, eventRecord, newId, seedEvents, seedSubscription } from '../engine.fixture.ts'
import { createIngestHandler } from './consumer.ts'
import { createFanOut, type FanOut } from './fan-out.ts'

let engine: Engine
beforeAll(async () => {
  engine = await createEngine()
})
afterAll(() => engine?.stop())

let fanOut: FanOut
let told: string[]
let workspaceId: string
let subscriptionId: string
let publish: (count: number, workspace?: string) => Promise<string[]>

/** One process with an event behind it: it knows the subscriptions, and its queue is empty. */
beforeEach(async () => {
  await engine.admin.query('truncate delivery.fan_out_queue, delivery.due')
  told = []
  workspaceId = newId('wsp')
  subscriptionId = await seedSubscription(engine, { workspaceId })
  const tell = (what: string) => () => void told.push(what)
  fanOut = createFanOut({ pool: engine.worker, onMade: tell('made'), onQueued: tell('queued') })
  const handle = createIngestHandler(fanOut.ingest)
  publish = async (count, workspace = workspaceId) => {
    const records = Array.from({ length: count }, () => eventRecord(workspace))
    await withTransaction(engine.worker, { workspaceId: null }, (tx) => handle(tx, records))
    return records.map(({ eventId }) => eventId)
  }
  await publish(1)
  expect(told).toEqual(['queued'])
  await drain()
  told = []
})

async function drain(): Promise<void> {
  while (await fanOut.turn());
}

async function waiting(): Promise<string[]> {
  const { rows } = await engine.admin.query<{ id: string }>(
    'select event_id as id from delivery.fan_out_queue order by 1',
  )
  return rows.map(({ id }) => id)
}

/** Subscriptions that the events go to, each with how many of them; from the deliveries, their log and what is due alike. */
async function deliveredTo(events: string[]): Promise<Record<string, number>> {
  const { rows } = await engine.admin.query<{ id: string; n: number; logged: number; due: number }>(
    `select d.subscription_id as id, count(*)::integer as n, count(l.kind)::integer as logged, count(w.delivery_id)::integer as due
       from delivery.deliveries d left join delivery.delivery_log l on l.delivery_id = d.delivery_id and l.kind = 'scheduled'
       left join delivery.due w on w.delivery_id = d.delivery_id where d.event_id = any($1) group by 1`,
    [events],
  )
  for (const { n, logged, due } of rows) expect([logged, due]).toEqual([n, n])
  return Object.fromEntries(rows.map(({ id, n }) => [id, n]))
}

describe('events that are ingested', () => {
  test('have their deliveries with the same commit, once', async () => {
    const events = await publish(20)
    expect(told).toEqual(['made'])
    expect(await waiting()).toEqual([])
    expect(await deliveredTo(events)).toEqual({ [subscriptionId]: 20 })
    await drain()
    expect(await deliveredTo(events)).toEqual({ [subscriptionId]: 20 })
  })

  test('that nobody wants are done with', async () => {
    const lonely = newId('wsp')
    await publish(1, lonely)
    await drain()
    told = []
    const events = await publish(3, lonely)
    expect(told).toEqual([])
    expect(await waiting()).toEqual([])
    expect(await deliveredTo(events)).toEqual({})
  })

  test('I11: wait where the subscriptions changed, and go to the new one as well', async () => {
    const other = await seedSubscription(engine, { workspaceId })
    const events = await publish(2)
    expect(told).toContain('queued')
    expect(await waiting()).toEqual(events.sort())
    // Nor does the next one overtake them, though the index is known again.
    await publish(1)
    expect(told.at(-1)).toBe('queued')
    await drain()
    expect(await deliveredTo(events)).toEqual({ [subscriptionId]: 2, [other]: 2 })
    told = []
    await publish(1)
    expect(told).toEqual(['made'])
  })

  test('of a workspace that is not known yet wait, and nobody with them', async () => {
    const stranger = newId('wsp')
    const theirs = await seedSubscription(engine, { workspaceId: stranger })
    const [first] = await publish(1, stranger)
    const [second] = await publish(1)
    expect(told).toEqual(['queued', 'made'])
    expect(await waiting()).toEqual([first])
    await drain()
    expect(await deliveredTo([first, second] as string[])).toEqual({ [theirs]: 1, [subscriptionId]: 1 })
    told = []
    await publish(1, stranger)
    await publish(1)
    expect(told).toEqual(['made', 'made'])
  })

  test('wait where they are many', async () => {
    const events = await publish(64)
    expect(told).toEqual(['queued'])
    expect(await waiting()).toHaveLength(64)
    await drain()
    expect(await deliveredTo(events)).toEqual({ [subscriptionId]: 64 })
    told = []
    await publish(63)
    expect(told).toEqual(['made'])
  })

  test('do not overtake those of their workspace that wait, whoever ingested them; others do', async () => {
    const busy = newId('wsp')
    await seedSubscription(engine, { workspaceId: busy })
    await publish(1, busy)
    await drain()
    // By another process; more than a turn takes.
    await seedEvents(engine, { workspaceId: busy, count: 300 })
    expect(await fanOut.turn()).toBe(true)
    told = []
    await publish(1, busy)
    expect(told).toEqual(['queued'])
    await publish(1)
    expect(told).toEqual(['queued', 'made'])
    await drain()
    expect(await waiting()).toEqual([])
    told = []
    await publish(1, busy)
    expect(told).toEqual(['made'])
  })

  test('do not overtake those of a transaction that committed behind a look which found nothing', async () => {
    const handle = createIngestHandler(fanOut.ingest)
    await withTransaction(engine.worker, { workspaceId: null }, async (tx) => {
      await handle(
        tx,
        Array.from({ length: 64 }, () => eventRecord(workspaceId)),
      )
      expect(await fanOut.turn()).toBe(false)
    })
    told = []
    await publish(1)
    expect(told).toEqual(['queued'])
    await drain()
    told = []
    await publish(1)
    expect(told).toEqual(['made'])
  })

  test('wait where they would make many deliveries', async () => {
    const crowd = newId('wsp')
    for (let n = 0; n < 20; n += 1) await seedSubscription(engine, { workspaceId: crowd })
    await publish(1, crowd)
    await drain()
    told = []
    const events = await publish(40, crowd)
    expect(told).toEqual(['queued'])
    await drain()
    expect(Object.values(await deliveredTo(events))).toEqual(Array.from({ length: 20 }, () => 40))
  })
})

/** While a row is held. */
async function held(lock: string, during: () => Promise<void>): Promise<void> {
  const holder = await engine.admin.connect()
  try {
    await holder.query('begin')
    await holder.query(lock)
    await during()
  } finally {
    await holder.query('rollback')
    holder.release()
  }
}

test('a workspace that somebody holds keeps nothing from being ingested: its events wait in the queue', async () => {
  let events: string[] = []
  await held(`select from delivery.workspaces where workspace_id = '${workspaceId}' for update`, async () => {
    events = [...(await publish(1)), ...(await publish(2))]
    expect(await waiting()).toEqual(events.toSorted())
  })
  await drain()
  expect(await deliveredTo(events)).toEqual({ [subscriptionId]: 3 })
})

describe('regression: a workspace that somebody holds while its events are queued', () => {
  const hold = () => `select from delivery.workspaces where workspace_id = '${workspaceId}' for update`
  let other: string
  let theirs: string
  beforeEach(async () => {
    other = newId('wsp')
    theirs = await seedSubscription(engine, { workspaceId: other })
  })
  /** Until nothing waits in the queue. */
  const drainAll = () => drainUntil(async () => (await waiting()).length === 0)
  const drainUntil = async (isDone: () => Promise<boolean>): Promise<void> => {
    const deadlineMs = performance.now() + 60_000
    while (!(await isDone()) && performance.now() < deadlineMs) await fanOut.turn()
  }

  test('waits by itself: those of others are fanned out, and go by the queue no more', async () => {
    // More than a look reads of a workspace.
    const events = await seedEvents(engine, { workspaceId, count: 70 })
    const others = await seedEvents(engine, { workspaceId: other, count: 70 })
    await held(hold(), async () => {
      const turns = drain()
      const deadlineMs = performance.now() + 60_000
      while ((await waiting()).length > 70 && performance.now() < deadlineMs);
      expect(await deliveredTo(others)).toEqual({ [theirs]: 70 })
      // The loop comes to rest, it does not spin.
      await turns
      expect(await waiting()).toEqual(events.toSorted())
      told = []
      events.push(...(await publish(1)))
      expect(told).toEqual(['queued'])
      await publish(1, other)
      expect(told).toEqual(['queued', 'made'])
    })
    await drainAll()
    expect(await deliveredTo(events)).toEqual({ [subscriptionId]: 71 })
  })

  test('also with its lane, as one that disables a subscription does', async () => {
    const events = await seedEvents(engine, { workspaceId, count: 1 })
    const others = await seedEvents(engine, { workspaceId: other, count: 1 })
    const lane = `select from delivery.lanes where subscription_id = '${subscriptionId}' for update`
    await held(`${hold()}; ${lane}`, async () => {
      await drain()
      expect(await deliveredTo(others)).toEqual({ [theirs]: 1 })
      expect(await waiting()).toEqual(events)
    })
    await drainAll()
    expect(await deliveredTo(events)).toEqual({ [subscriptionId]: 1 })
  })

  test('or of which somebody holds a lane alone, as a worker that was stopped does', async () => {
    const events = await seedEvents(engine, { workspaceId, count: 1 })
    const lane = `select from delivery.lanes where subscription_id = '${subscriptionId}' for update`
    await held(lane, async () => {
      const others = await seedEvents(engine, { workspaceId: other, count: 1 })
      // Not one drain: the server answers an error before it releases the locks, so the next turn may find them held for a moment.
      await drainUntil(async () => (await waiting()).length === 1)
      expect(await deliveredTo(others)).toEqual({ [theirs]: 1 })
      expect(await waiting()).toEqual(events)
      // Others do not wait for it again.
      const more = await seedEvents(engine, { workspaceId: other, count: 1 })
      await drainUntil(async () => (await waiting()).length === 1)
      expect(await deliveredTo(more)).toEqual({ [theirs]: 1 })
    })
    await drainAll()
    expect(await deliveredTo(events)).toEqual({ [subscriptionId]: 1 })
  })

  test('regression: and keeps others waiting for their own lanes, which a claim locks for a moment', async () => {
    await seedEvents(engine, { workspaceId, count: 1 })
    await held(`select from delivery.lanes where subscription_id = '${subscriptionId}' for update`, async () => {
      await fanOut.turn()
      const others = await seedEvents(engine, { workspaceId: other, count: 1 })
      const claim = await engine.admin.connect()
      await claim.query('begin')
      await claim.query(`select from delivery.lanes where subscription_id = '${theirs}' for update`)
      let isOver = false
      const turn = fanOut.turn().finally(() => {
        isOver = true
      })
      const waitsForClaim = 'select from pg_stat_activity where pg_backend_pid() = any(pg_blocking_pids(pid))'
      while (!isOver && (await claim.query(waitsForClaim)).rowCount === 0);
      await claim.query('commit')
      claim.release()
      await turn
      expect(await deliveredTo(others)).toEqual({ [theirs]: 1 })
    })
    await drainAll()
  })

  test('fills no look of the queue so that those behind it would not be seen', async () => {
    const holder = Array.from({ length: 17 }, () => newId('wsp'))
    for (const id of holder) await seedEvents(engine, { workspaceId: id, count: 1 })
    const last = newId('wsp', Date.now() + 60_000)
    const behind = await seedSubscription(engine, { workspaceId: last })
    const events = await seedEvents(engine, { workspaceId: last, count: 1 })
    await held(`select from delivery.workspaces where workspace_id = any('{${holder}}') for update`, async () => {
      await drain()
      expect(await deliveredTo(events)).toEqual({ [behind]: 1 })
      expect(await waiting()).toHaveLength(17)
      // Nothing but held ones is left.
      for (let nth = 0; nth < 3; nth += 1) await drain()
    })
    await drainAll()
    expect(await waiting()).toEqual([])
  })
})

test('a lane that somebody holds keeps nothing from being ingested: it fails fast, and the next try waits in the queue', async () => {
  let events: string[] = []
  let usual: Promise<unknown> | undefined
  await held(`select from delivery.lanes where subscription_id = '${subscriptionId}' for update`, async () => {
    const lane = 'select from delivery.lanes where subscription_id = $1 for update'
    let hasFailed = false
    const asUsual = engine.worker.query(lane, [subscriptionId]).catch(() => {
      hasFailed = true
    })
    await expect(publish(1)).rejects.toMatchObject({ code: '55P03' })
    // Any other statement would wait on for the lane.
    expect(hasFailed).toBe(false)
    usual = asUsual
    expect(await waiting()).toEqual([])
    events = await publish(2)
    expect(told).toEqual(['queued'])
    expect(await waiting()).toEqual(events.toSorted())
  })
  await usual
  await drain()
  expect(await deliveredTo(events)).toEqual({ [subscriptionId]: 2 })
})

test('events that were ingested before, by another process, are not made again', async () => {
  const events = await seedEvents(engine, { workspaceId, count: 3 })
  await drain()
  expect(await deliveredTo(events)).toEqual({ [subscriptionId]: 3 })
  const handle = createIngestHandler(fanOut.ingest)
  const again = events.map((eventId) => ({ ...eventRecord(workspaceId), eventId }))
  told = []
  await withTransaction(engine.worker, { workspaceId: null }, (tx) => handle(tx, again))
  // Nothing waits for the queue, nor for a claim.
  expect(told).toEqual([])
  expect(await deliveredTo(events)).toEqual({ [subscriptionId]: 3 })
})

test('what keeps events from being fanned out puts none of them aside: a consumer ingests all of them, and the queue has them', async () => {
  const holder = await engine.admin.connect()
  try {
    await holder.query('begin')
    await holder.query(`select from delivery.lanes where subscription_id = '${subscriptionId}' for update`)
    const records = Array.from({ length: 5 }, (_, n) => ({ ...eventRecord(workspaceId), offset: BigInt(n) }))
    const said: string[] = []
    const logger = {
      info: () => undefined,
      warn: (_: object, line: string) => said.push(line),
      error: (_: object, line: string) => said.push(line),
    }
    const batch = { topic: 'workspace.events', partition: 0, records, signal: new AbortController().signal }
    const handleBatch = createIngestHandler(fanOut.ingest)
    const held = new Map([['workspace.events/0', null]])
    const options = { log: {} as EventLog, pool: engine.worker, name: `held-${workspaceId}`, topics: [batch.topic] }
    await consumeBatch({ ...options, dedupe: 'natural', logger, held, handleBatch }, batch as unknown as Batch)
    expect(said.filter((line) => line.includes('aside'))).toEqual([])
    expect(await waiting()).toEqual(records.map(({ eventId }) => eventId).sort())
    await holder.query('commit')
    await drain()
    expect(await deliveredTo(records.map(({ eventId }) => eventId))).toEqual({ [subscriptionId]: 5 })
  } finally {
    holder.release()
  }
})
