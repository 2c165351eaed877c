// The relay onto Kafka: another server than the outbox's, so a crash repeats events and never loses or reorders one.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { makeId } from '@wds/contracts/ids'
import { createKafkaLog } from '@wds/event-log/kafka-log'
import { partitionOf } from '@wds/event-log/partition'
import { type EventLog, type LogRecord, type NewLogRecord, PartlyPublished } from '@wds/event-log/port'
import { findTestBroker } from '@wds/local-infra/test-broker'
import { createTestDatabase, type TestDatabase } from '@wds/local-infra/test-database'
import { migrate } from '@wds/postgres/migrations'
import { createPool, type Pool } from '@wds/postgres/pool'
import { withTransaction } from '@wds/postgres/transaction'
import { runBurst } from './burst.fixture.ts'
import { migrationsDirectory } from './event-store.ts'
import { createHeldRows } from './held-rows.ts'
import { type OutboxRecord, putInOutbox } from './outbox.ts'
import { runRelay } from './relay.ts'
import { LeadershipLost, relayBatch } from './relay-batch.ts'

const shared = await findTestBroker()
const suite = 'brokers' in shared ? describe : describe.skip
const partitions = 12
const topic = `relay.${randomBytes(4).toString('hex')}`
const refusing = `${topic}.refusing`
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }

suite('a relay onto Kafka', () => {
  let database: TestDatabase
  let pool: Pool
  let log: EventLog
  const got: LogRecord[] = []
  beforeAll(async () => {
    database = await createTestDatabase()
    const { api } = database.urls.services
    const directories = [migrationsDirectory]
    await migrate({ connectionString: api.owner, schema: 'api', directories })
    pool = createPool({ connectionString: api.worker, applicationName: 'test' })
    const { brokers } = shared as { brokers: string }
    log = createKafkaLog({
      brokers: brokers.split(','),
      clientId: 'test',
      partitions,
      topics: { [topic]: false, [refusing]: false },
    })
    const subscription = await log.subscribe({
      group: topic,
      topics: [topic],
      positionOf: async () => null,
      onBatch: async (batch) => void got.push(...batch.records),
    })
    await subscription.whenAssigned()
  })
  afterAll(async () => {
    await log?.close()
    await pool?.end()
    await database?.drop()
  })

  const rows = (n: number): OutboxRecord[] =>
    Array.from({ length: n }, (_, k) => {
      const eventId = makeId('evt', Date.now(), randomBytes(10))
      return { workspaceId: 'w', topic, key: `wsp_${k % 7}`, eventId, headers: {}, payload: Buffer.from(eventId) }
    })
  const put = (records: OutboxRecord[]) => withTransaction(pool, { workspaceId: 'w' }, (tx) => putInOutbox(tx, records))
  const waiting = async () => (await pool.query('select from outbox')).rowCount
  const seen = (records: OutboxRecord[]) => {
    const mine = new Set(records.map((record) => record.eventId))
    return got.filter((record) => mine.has(record.eventId))
  }
  const expectInOrder = (sent: OutboxRecord[], arrived: LogRecord[]) => {
    for (const key of new Set(sent.map((record) => record.key))) {
      const ids = arrived.filter((record) => record.key === key).map((record) => record.eventId)
      // A repetition keeps the order of first arrivals.
      expect([...new Set(ids)]).toEqual(sent.filter((record) => record.key === key).map((record) => record.eventId))
    }
  }

  /** The log, of which one partition has no leader. */
  const withoutLeader = (away: number) => {
    const one = {
      isLed: false,
      batches: 0,
      log: {
        ...log,
        async publish(batch: NewLogRecord[]) {
          one.batches += 1
          const led = batch.filter(({ key }) => one.isLed || partitionOf(key, partitions) !== away)
          await log.publish(led)
          if (led.length < batch.length) throw new PartlyPublished(new Error('no leader'), new Set(led))
        },
      },
    }
    return one
  }

  test('carries what was committed, in order, and removes it', async () => {
    const sent = rows(1_200)
    await put(sent)
    const ended = new AbortController()
    const connectionString = database.urls.services.api.worker
    const running = runRelay({ connectionString, pool, log, partitions, signal: ended.signal, logger: quiet })
    await until(async () => seen(sent).length === sent.length)
    await until(async () => (await waiting()) === 0)
    ended.abort()
    await running
    expectInOrder(sent, seen(sent))
  })

  test('that crashes between send and delete repeats, and loses and reorders nothing', async () => {
    const sent = rows(60)
    await put(sent)
    const crashing: EventLog = {
      ...log,
      async publish(batch) {
        await log.publish(batch)
        throw new Error('crash')
      },
    }
    await expect(relayBatch({ pool, log: crashing }, { isFresh: () => true })).rejects.toThrow('crash')
    expect(await waiting()).toBe(60)
    expect(await relayBatch({ pool, log }, { isFresh: () => true })).toBe(60)
    expect(await waiting()).toBe(0)
    await until(async () => seen(sent).length === 120)
    expectInOrder(sent, seen(sent))
  })

  test('regression: a topic that the broker refuses holds up no other and has nothing repeated', async () => {
    // Larger than a broker takes: as a right that is missing, or a limit of the topic.
    const refused = { ...(rows(1)[0] as OutboxRecord), topic: refusing, payload: Buffer.alloc(1_100_000) }
    const [first, second] = [rows(20), rows(20)]
    const relay = () => relayBatch({ pool, log }, { isFresh: () => true })
    await put([refused, ...first])
    await expect(relay()).rejects.toThrow(/larger than the max/)
    expect(await waiting()).toBe(1)
    await put(second)
    await expect(relay()).rejects.toThrow(/larger than the max/)
    expect(await waiting()).toBe(1)
    await pool.query('delete from outbox')
    const last = rows(1)
    await put(last)
    await relay()
    await until(async () => seen(last).length === 1)
    expect(seen([...first, ...second]).length).toBe(40)
    expectInOrder([...first, ...second], seen([...first, ...second]))
  })

  test('regression: rows of a topic that the broker refuses fill no batch, however many they are', async () => {
    // The first of them fails, and so each time all of them.
    const refused = rows(1_200).map((row, n) => ({
      ...row,
      topic: refusing,
      payload: n === 0 ? Buffer.alloc(1_100_000) : row.payload,
    }))
    const sent = rows(1_200)
    await put([...refused, ...sent])
    const relay = () => relayBatch({ pool, log }, { isFresh: () => true })
    await expect(relay()).rejects.toThrow(/larger than the max/)
    expect(await waiting()).toBe(refused.length)
    await until(async () => seen(sent).length === sent.length)
    expectInOrder(sent, seen(sent))
    await pool.query('delete from outbox')
  })

  test('regression: rows for a partition without a leader stay and hold up no other, however many workspaces have some', async () => {
    const away = partitionOf('wsp_0', partitions)
    // More keys than a batch has rows, each before what could be sent.
    const all = Array.from({ length: 12_000 }, (_, n) => `wsp_a${n}`)
    const keys = all.filter((key) => partitionOf(key, partitions) === away).slice(0, 600)
    const held = rows(keys.length).map((row, n) => ({ ...row, key: keys[n] as string }))
    const sent = rows(600).filter(({ key }) => partitionOf(key, partitions) !== away)
    const one = withoutLeader(away)
    const relay = () => relayBatch({ pool, log: one.log }, { isFresh: () => true })
    await put([...held, ...sent])
    await expect(relay()).rejects.toThrow('no leader')
    expect(await waiting()).toBe(held.length)
    await until(async () => seen(sent).length === sent.length)
    one.isLed = true
    await until(async () => (await relay()) === 0)
    await until(async () => seen(held).length === held.length)
    expectInOrder([...held, ...sent], seen([...held, ...sent]))
  })

  test('regression: hours of rows for a partition without a leader are looked through once, and what comes behind them is sent at the next try', async () => {
    const away = partitionOf('wsp_0', partitions)
    const held = rows(25_000).map((row) => ({ ...row, key: 'wsp_0' }))
    const others = () => rows(60).filter(({ key }) => partitionOf(key, partitions) !== away)
    const [first, second] = [others(), others()]
    const one = withoutLeader(away)
    const kept = createHeldRows()
    const relay = () => relayBatch({ pool, log: one.log, held: kept }, { isFresh: () => true })
    for (let n = 0; n < held.length; n += 1_000) await put(held.slice(n, n + 1_000))
    await put(first)
    await expect(relay()).rejects.toThrow('no leader')
    expect(await waiting()).toBe(held.length)
    const looks = one.batches
    await put(second)
    await expect(relay()).rejects.toThrow('no leader')
    expect(await waiting()).toBe(held.length)
    expect(one.batches - looks).toBe(2)
    one.isLed = true
    await until(async () => (await relay()) === 0)
    expect(kept.after).toBe('0')
    await until(async () => seen(held).length === held.length)
    expectInOrder([...held, ...first, ...second], seen([...held, ...first, ...second]))
  })

  test('regression: a burst waits in the outbox while its partition lags, and a neighbour is not behind all of it', async () => {
    const row = (key: string): OutboxRecord => ({ ...(rows(1)[0] as OutboxRecord), key })
    const group = `${topic}.burst`
    const { before, sent, arrived } = await runBurst({ pool, log, partitions, topic, group, row, put, until })
    expect(before).toBeLessThan(sent.length / 3)
    // Kafka may repeat.
    expect([...new Set(arrived)]).toEqual(sent)
  })

  test('sends nothing unless its leadership is fresh', async () => {
    const sent = rows(3)
    await put(sent)
    await expect(relayBatch({ pool, log }, { isFresh: () => false })).rejects.toBeInstanceOf(LeadershipLost)
    expect(await waiting()).toBe(3)
    expect(await relayBatch({ pool, log }, { isFresh: () => true })).toBe(3)
    await until(async () => seen(sent).length === 3)
  })
})

async function until(done: () => Promise<boolean>, limitMs = 120_000): Promise<void> {
  const deadline = performance.now() + limitMs
  while (!(await done())) {
    if (performance.now() > deadline) throw new Error('not in time')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
