// Inline fan-out where somebody holds a row that it wants, and where events are repeated. What goes inline at all: consumer.integration.test.ts.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import type { LogRecord } from '@wds/event-log/port'
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
let other: string

const publish = (records: LogRecord[]) =>
  withTransaction(engine.worker, { workspaceId: null }, (tx) => createIngestHandler(fanOut.ingest)(tx, records))

/** One process that knows both workspaces, of one subscription each. */
beforeEach(async () => {
  await engine.admin.query('truncate delivery.fan_out_queue, delivery.due')
  workspaceId = newId('wsp')
  other = newId('wsp')
  await seedSubscription(engine, { workspaceId })
  await seedSubscription(engine, { workspaceId: other })
  fanOut = createFanOut({
    pool: engine.worker,
    onMade: () => told.push('made'),
    onQueued: () => told.push('queued'),
  })
  told = []
  await publish([eventRecord(workspaceId), eventRecord(other)])
  while (await fanOut.turn());
  await engine.admin.query('truncate delivery.due')
  await engine.admin.query("update delivery.lanes set next_due = 'infinity'")
  told = []
})

/** The workspaces of the deliveries that are due. */
async function due(): Promise<string[]> {
  const { rows } = await engine.admin.query<{ id: string }>('select workspace_id as id from delivery.due')
  return rows.map(({ id }) => id)
}

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

describe('regression: a workspace of which somebody holds a row', () => {
  // A change of a subscription holds both, one after the other.
  test.each([
    ['its own', ['workspaces'] as const],
    ['its own and that of its lane', ['workspaces', 'lanes'] as const],
  ])('keeps no other from it, not even in the same batch, and its events wait: %s', async (_, tables) => {
    await held([...tables], async () => {
      await publish([eventRecord(workspaceId), eventRecord(other)])
      expect(await due()).toEqual([other])
      expect(told).toEqual(['made', 'queued'])
      await publish([eventRecord(other), eventRecord(workspaceId)])
      expect(await due()).toEqual([other, other])
    })
    await drain()
    expect((await due()).filter((id) => id === workspaceId)).toHaveLength(2)
  })

  test('of its lane, waits by itself', async () => {
    await held(['lanes'], async () => {
      await expect(publish([eventRecord(workspaceId)])).rejects.toMatchObject({ code: '55P03' })
      await publish([eventRecord(workspaceId), eventRecord(other)])
    })
    expect(await due()).toEqual([other])
    await drain()
    expect((await due()).toSorted()).toEqual([workspaceId, other].toSorted())
  })

  test('of its lane, is not waited for again by the batch of another one: only that one is fanned out', async () => {
    const third = newId('wsp')
    await seedSubscription(engine, { workspaceId: third })
    await held(['lanes'], async () => {
      await expect(publish([eventRecord(workspaceId)])).rejects.toMatchObject({ code: '55P03' })
      await publish([eventRecord(third)])
      await fanOut.turn()
      await publish([eventRecord(workspaceId), eventRecord(third)])
      expect((await due()).filter((id) => id === third)).toHaveLength(2)
      expect((await due()).filter((id) => id === workspaceId)).toEqual([])
    })
  })
})

/** Until nothing waits in the queue. */
async function drain(): Promise<void> {
  const deadlineMs = performance.now() + 60_000
  const isDone = async () => (await engine.admin.query('select from delivery.fan_out_queue')).rowCount === 0
  while (!(await isDone()) && performance.now() < deadlineMs) await fanOut.turn()
}

describe('an event that comes again', () => {
  test('makes nothing where it was ingested before', async () => {
    const [eventId = ''] = await seedEvents(engine, { workspaceId, count: 1 })
    await engine.admin.query('truncate delivery.fan_out_queue')
    await publish([eventRecord(workspaceId, { eventId })])
    expect(told).toEqual([])
    expect(await due()).toEqual([])
  })

  test('in the same batch is fanned out once', async () => {
    const record = eventRecord(workspaceId)
    await publish([record, record])
    expect(told).toEqual(['made'])
    expect(await due()).toEqual([workspaceId])
  })
})
