// Who must not be answered before the log has the events: waits for the relay, and not for ever.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { makeId } from '@wds/contracts/ids'
import type { EventLog } from '@wds/event-log/port'
import { createPostgresLog, logMigrations } from '@wds/event-log/postgres-log'
import { createTestDatabase, type TestDatabase } from '@wds/local-infra/test-database'
import { migrate } from '@wds/postgres/migrations'
import { createPool, type Pool } from '@wds/postgres/pool'
import { runTransaction, withTransaction } from '@wds/postgres/transaction'
import { acknowledgeOnLog } from './acknowledge.ts'
import { appendEvents, migrationsDirectory } from './event-store.ts'
import { type OutboxRecord, putInOutbox } from './outbox.ts'
import { watchOutbox } from './outbox-alarm.ts'
import { relayBatch } from './relay-batch.ts'

const workspaceId = 'wsp_1'
let database: TestDatabase
let pool: Pool
let relayPool: Pool
let log: EventLog
const lines: object[] = []
const keep = (fields: object, message: string) => void lines.push({ ...fields, message })
const logger = { info: keep, warn: keep, error: keep }

beforeAll(async () => {
  database = await createTestDatabase()
  const { log: ofLog, services } = database.urls
  await migrate({ connectionString: ofLog.owner, schema: 'log', directories: logMigrations })
  await migrate({ connectionString: services.api.owner, schema: 'api', directories: [migrationsDirectory] })
  const open = () => createPool({ connectionString: services.api.worker, applicationName: 'test', max: 4 })
  ;[pool, relayPool] = [open(), open()]
  log = createPostgresLog({ pool: relayPool, partitions: 2 })
  await log.ensureTopics()
})
afterAll(async () => {
  await log?.close()
  await Promise.all([pool?.end(), relayPool?.end()])
  await database?.drop()
})

const relay = () => relayBatch({ pool: relayPool, log }, { isFresh: () => true })
const waiting = async () => (await relayPool.query('select from outbox')).rowCount

function record(type: string): OutboxRecord {
  const eventId = makeId('evt', Date.now(), randomBytes(10))
  const headers = { event_id: eventId, event_type: type }
  return { workspaceId, topic: 'auth.events', key: workspaceId, eventId, headers, payload: Buffer.from('{}') }
}
const put = (...types: string[]) => withTransaction(pool, { workspaceId }, (tx) => putInOutbox(tx, types.map(record)))

/** `isOver` tells whether it has resolved by now. */
function watch(promise: Promise<unknown>) {
  const state = { isOver: false, promise }
  state.promise = promise.then(() => {
    state.isOver = true
  })
  return state
}

test('5.6: what is waited for resolves once the log has it, by whichever way it was announced; the rest at once', async () => {
  acknowledgeOnLog(pool, { types: new Set(['Revoked']), logger, withinMs: 60_000 })
  await put('Made')
  const event = { type: 'Revoked', data: {} }
  const announcement = { topic: 'auth.events', key: workspaceId, type: 'Revoked', payload: Buffer.from('{}') }
  const context = {
    workspaceId,
    correlation: 'req_1',
    actor: { type: 'system', id: 'test' } as const,
    trace: { traceparent: `00-${'1'.repeat(32)}-${'1'.repeat(16)}-00` },
  }
  const appended = withTransaction(pool, { workspaceId }, (tx) =>
    appendEvents(tx, {
      context,
      streamType: 'gadget',
      streamId: 'gad_1',
      expectedVersion: 0,
      nowMs: Date.now(),
      lastCreatedMs: null,
      events: [event],
      announce: () => [announcement],
    }),
  )
  const both = [watch(put('Made', 'Revoked')), watch(appended)]
  while ((await waiting()) !== 4);
  // More looks than it would take to see an empty outbox.
  for (let look = 0; look < 20; look += 1) await relayPool.query('select pg_sleep(0.01)')
  expect(both.map(({ isOver }) => isOver)).toEqual([false, false])
  expect(await relay()).toBe(4)
  await Promise.all(both.map(({ promise }) => promise))
  expect(lines).toEqual([])
})

test('the result is there, and the connection given back, while the log is waited for', async () => {
  acknowledgeOnLog(pool, { types: new Set(['Revoked']), logger, withinMs: 60_000 })
  const { result, settled } = await runTransaction(pool, { workspaceId }, async (tx) => {
    await putInOutbox(tx, [record('Revoked')])
    return 'done'
  })
  const state = watch(settled)
  expect([result, state.isOver, pool.idleCount]).toEqual(['done', false, pool.totalCount])
  await relay()
  await state.promise
})

test('5.6: it is answered after a while all the same, with a warning that names the events', async () => {
  acknowledgeOnLog(pool, { types: new Set(['Revoked']), logger, withinMs: 50 })
  await put('Revoked')
  expect(await waiting()).toBe(1)
  expect(lines.splice(0)).toMatchObject([{ events: ['Revoked'], message: 'answered before the log has the events' }])
  await relay()
})

test('5.7: an outbox row older than 5 s is told once, and when it is gone', async () => {
  const ended = new AbortController()
  const watching = watchOutbox({ pool: relayPool, logger, signal: ended.signal, everyMs: 5 })
  const told = async (message: RegExp) => {
    const deadline = Date.now() + 60_000
    while (!lines.some((line) => message.test((line as { message: string }).message)) && Date.now() < deadline)
      await relayPool.query('select 1')
  }
  await withTransaction(pool, { workspaceId }, async (tx) => {
    await tx.query("select set_config('app.clock_offset_ms', '-1000', true)")
    await putInOutbox(tx, [record('Made')])
  })
  expect(lines).toEqual([])
  await withTransaction(pool, { workspaceId }, async (tx) => {
    await tx.query("select set_config('app.clock_offset_ms', '-6000', true)")
    await putInOutbox(tx, [record('Made')])
  })
  await told(/older than 5 s/)
  await relay()
  await told(/again/)
  ended.abort()
  await watching
  expect(lines.map((line) => (line as { message: string }).message)).toEqual([
    'oldest outbox row is older than 5 s: nothing gets to the log, or a burst is held back',
    'outbox gets to the log again',
  ])
})
