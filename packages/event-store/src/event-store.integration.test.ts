import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { idDay, idTimeMs } from '@wds/contracts/ids'
import { createTestDatabase, type TestDatabase } from '@wds/local-infra/test-database'
import { migrate } from '@wds/postgres/migrations'
import { createPool, type Pool } from '@wds/postgres/pool'
import { type Transaction, withTransaction } from '@wds/postgres/transaction'
import {
  type AppendContext,
  type AppendOptions,
  appendEvents,
  dbNow,
  loadStream,
  migrationsDirectory,
  VersionConflict,
} from './event-store.ts'
import { outboxAge, putInOutbox } from './outbox.ts'
import { retryOnConflict } from './retry-on-conflict.ts'

type Counted = { type: 'Counted'; data: { by: number } }
const counter = { initialState: 0, evolve: (sum: number, event: Counted) => sum + event.data.by }
const traceparent = `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`

let database: TestDatabase
let http: Pool
let worker: Pool
let owner: Pool
beforeAll(async () => {
  database = await createTestDatabase()
  const { api } = database.urls.services
  const directories = [migrationsDirectory]
  await migrate({ connectionString: api.owner, schema: 'api', directories })
  http = createPool({ connectionString: api.http, applicationName: 'test' })
  worker = createPool({ connectionString: api.worker, applicationName: 'test' })
  owner = createPool({ connectionString: api.owner, applicationName: 'test', max: 2 })
})
afterAll(async () => {
  await Promise.all([http, worker, owner].map((pool) => pool?.end()))
  await database?.drop()
})

const contextOf = (workspaceId: string): AppendContext => ({
  workspaceId,
  actor: { type: 'api_key', id: 'key_1' },
  correlation: 'req_1',
  trace: { traceparent, tracestate: 'x=1' },
})
const within = <T>(workspaceId: string, fn: (tx: Transaction) => Promise<T>, pool = http) =>
  withTransaction(pool, { workspaceId }, fn)
const stream = (workspaceId: string, streamId: string) => ({ workspaceId, streamType: 'counter', streamId })
const append = (tx: Transaction, streamId: string, expectedVersion: number, o: Partial<AppendOptions<Counted>> = {}) =>
  appendEvents<Counted>(tx, {
    context: contextOf(tx.workspaceId ?? ''),
    streamType: 'counter',
    streamId,
    expectedVersion,
    nowMs: Date.now(),
    lastCreatedMs: null,
    events: [{ type: 'Counted', data: { by: 1 } }],
    ...o,
  })
const announce: AppendOptions<Counted>['announce'] = (event, meta) =>
  ['workspace.events', 'delivery.events'].map((topic) => ({
    topic,
    key: 'wsp_a',
    type: 'counter.counted',
    payload: Buffer.from(JSON.stringify({ id: meta.eventId, by: event.data.by })),
  }))

describe('a stream', () => {
  test('is folded from its events, with version, last instant and last id', async () => {
    const events: Counted[] = [1, 2, 3].map((by) => ({ type: 'Counted', data: { by } }))
    const appended = await within('wsp_a', (tx) => append(tx, 'fold', 0, { events, nowMs: 1_700_000_000_123 }))
    expect(appended.version).toBe(3)
    const loaded = await within('wsp_a', (tx) => loadStream(tx, counter, stream('wsp_a', 'fold')))
    expect(loaded).toEqual({
      state: 6,
      version: 3,
      lastCreatedMs: 1_700_000_000_123,
      lastEventId: appended.eventIds[2],
    })
    const none = await within('wsp_a', (tx) => loadStream(tx, counter, stream('wsp_a', 'none')))
    expect(none).toEqual({ state: 0, version: 0, lastCreatedMs: null, lastEventId: null })
  })

  test('created does not decrease, event ids of one append rise and carry that instant', async () => {
    const late = Date.now() + 60_000
    const events: Counted[] = Array.from({ length: 50 }, () => ({ type: 'Counted', data: { by: 1 } }))
    const { eventIds, created } = await within('wsp_a', (tx) =>
      append(tx, 'rise', 0, { events, nowMs: Date.now(), lastCreatedMs: late }),
    )
    expect(new Set(created)).toEqual(new Set([new Date(late).toISOString()]))
    expect(eventIds).toEqual([...eventIds].sort())
    expect(new Set(eventIds).size).toBe(50)
    expect(
      eventIds.every((id) => idTimeMs(id) === late && idDay(id) === new Date(late).toISOString().slice(0, 10)),
    ).toBe(true)
  })

  test('regression: ids of appends in the same millisecond rise, and none meets that of a further announcement', async () => {
    const nowMs = Date.now()
    const all: string[] = []
    for (let version = 0; version < 60; version += 1) {
      const { eventIds } = await within('wsp_same', (tx) =>
        append(tx, 'same', version, { nowMs, lastCreatedMs: version === 0 ? null : nowMs, announce }),
      )
      all.push(...eventIds)
    }
    expect(all).toEqual([...all].sort())
    const { rows } = await worker.query(`select event_id from outbox where workspace_id = 'wsp_same' order by id`)
    expect(new Set(rows.map((row) => row.event_id)).size).toBe(120)
    expect(new Set(all.map(idTimeMs))).toEqual(new Set([nowMs]))
  })

  test('a conflict and a gap are both refused, nothing is written', async () => {
    await within('wsp_a', (tx) => append(tx, 'conflict', 0))
    for (const expected of [0, 2, 5]) {
      for (const announced of [0, 1, 2]) {
        const some: typeof announce = (event, meta) => announce(event, meta).slice(0, announced)
        const refused = within('wsp_a', (tx) => append(tx, 'conflict', expected, { announce: some }))
        await expect(refused).rejects.toBeInstanceOf(VersionConflict)
      }
    }
    const { version } = await within('wsp_a', (tx) => loadStream(tx, counter, stream('wsp_a', 'conflict')))
    expect(version).toBe(1)
    expect((await worker.query(`select from outbox where key = 'conflict'`)).rowCount).toBe(0)
  })

  test('20 writers at once that retry on conflict lose no event and write none twice', async () => {
    const add = () =>
      retryOnConflict(
        () =>
          within('wsp_a', async (tx) => {
            const { version, lastCreatedMs } = await loadStream(tx, counter, stream('wsp_a', 'race'))
            return append(tx, 'race', version, { lastCreatedMs, nowMs: await dbNow(tx) })
          }),
        100,
      )
    await Promise.all(Array.from({ length: 20 }, add))
    const loaded = await within('wsp_a', (tx) => loadStream(tx, counter, stream('wsp_a', 'race')))
    expect([loaded.state, loaded.version]).toEqual([20, 20])
  })

  test('a conflict that stays is thrown after three tries', async () => {
    let tries = 0
    const failing = retryOnConflict(async () => {
      tries += 1
      throw new VersionConflict('always')
    })
    await expect(failing).rejects.toBeInstanceOf(VersionConflict)
    expect(tries).toBe(3)
  })
})

describe('an append', () => {
  test('writes events and announcements together; the first announcement has the id of its event, further ones a later one', async () => {
    const events: Counted[] = [1, 2].map((by) => ({ type: 'Counted', data: { by } }))
    const { eventIds } = await within('wsp_b', (tx) => append(tx, 'announced', 0, { events, announce }))
    const { rows } = await worker.query(`select * from outbox where workspace_id = 'wsp_b' order by id`)
    expect(rows.map((row) => row.topic)).toEqual([
      'workspace.events',
      'delivery.events',
      'workspace.events',
      'delivery.events',
    ])
    expect([rows[0].event_id, rows[2].event_id]).toEqual(eventIds)
    expect(rows.map((row) => row.event_id)).toEqual(rows.map((row) => row.event_id).sort())
    expect(rows[0].headers).toEqual({
      event_id: eventIds[0],
      event_type: 'counter.counted',
      schema_version: '1',
      workspace_id: 'wsp_b',
      actor: 'api_key:key_1',
      correlation: 'req_1',
      traceparent,
      tracestate: 'x=1',
    })
    expect(rows[0].payload.toString()).toBe(JSON.stringify({ id: eventIds[0], by: 1 }))
    expect(await outboxAge(worker)).toBeGreaterThan(0)
  })

  test('that is rolled back leaves neither event nor announcement', async () => {
    const failing = within('wsp_c', async (tx) => {
      await append(tx, 'rolled-back', 0, { announce })
      throw new Error('later failure')
    })
    await expect(failing).rejects.toThrow('later failure')
    const { rows } = await worker.query(`select count(*)::integer as n from outbox where workspace_id = 'wsp_c'`)
    expect(rows[0].n).toBe(0)
  })
})

describe('isolation and append-only', () => {
  test('no role changes or removes an event', async () => {
    await within('wsp_d', (tx) => append(tx, 'kept', 0, { announce }))
    for (const sql of ["update stream_events set data = '{}'", 'delete from stream_events', 'truncate stream_events']) {
      for (const pool of [http, worker]) {
        await expect(within('wsp_d', (tx) => tx.query(sql), pool)).rejects.toMatchObject({ code: '42501' })
      }
    }
    // Forced row-level security hides every row from the owner; the trigger stops whoever would pass it.
    await expect(owner.query('truncate stream_events')).rejects.toMatchObject({ code: '42501' })
    expect((await owner.query('delete from stream_events')).rowCount).toBe(0)
    const admin = createPool({
      connectionString: database.adminUrl,
      applicationName: 'test',
      max: 1,
      statementTimeoutMs: 0,
    })
    for (const sql of ['update api.stream_events set version = 9', 'delete from api.stream_events']) {
      await expect(admin.query(sql)).rejects.toMatchObject({ code: '42501' })
    }
    await expect(admin.query(`update api.outbox set key = 'x'`)).rejects.toMatchObject({ code: '42501' })
    await admin.end()
  })

  test('a workspace sees and writes only its own stream', async () => {
    await within('wsp_e', (tx) => append(tx, 'mine', 0))
    for (const pool of [http, worker]) {
      const { version } = await within('wsp_f', (tx) => loadStream(tx, counter, stream('wsp_e', 'mine')), pool)
      expect(version).toBe(0)
      const foreign = within('wsp_f', (tx) => append(tx, 'mine', 0, { context: contextOf('wsp_e') }), pool)
      await expect(foreign).rejects.toMatchObject({ code: '42501' })
    }
    const { version } = await within('wsp_f', (tx) => append(tx, 'mine', 0))
    expect(version).toBe(1)
  })

  test('the web role only puts rows of its workspace into the outbox; it reads and removes none', async () => {
    const record = {
      workspaceId: 'wsp_g',
      topic: 'auth.events',
      key: 'wsp_g',
      eventId: 'evt_01JD0000000000000000000000',
      headers: {},
      payload: null,
    }
    await within('wsp_g', (tx) => putInOutbox(tx, [record]))
    await expect(within('wsp_h', (tx) => putInOutbox(tx, [{ ...record, eventId: 'evt_2' }]))).rejects.toMatchObject({
      code: '42501',
    })
    for (const sql of ['select from outbox', 'delete from outbox', `update outbox set key = ''`]) {
      await expect(within('wsp_g', (tx) => tx.query(sql))).rejects.toMatchObject({ code: '42501' })
    }
  })
})
