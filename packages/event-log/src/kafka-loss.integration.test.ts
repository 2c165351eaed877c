// A broker that lost records: every consumer that would skip some stands still, says so, and goes on after a republish.
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals'
import type { TestDatabase } from '@wds/local-infra/test-database'
import { createPool, type Pool } from '@wds/postgres/pool'
import { type Admin, Kafka, logLevel } from 'kafkajs'
import { caseTimeoutMs, newRecord, unique, until } from './conformance-harness.ts'
import { type RunningConsumer, readAgain } from './consumer.ts'
import { prepareConsumerDatabase } from './log.fixture.ts'
import { lostRecordsMessage, regressedMessage } from './lost-records.ts'
import { createFaultBench, faultPartitions, startOwnBroker } from './own-broker.fixture.ts'
import { partitionOf } from './partition.ts'
import type { EventLog, NewLogRecord } from './port.ts'

jest.setTimeout(caseTimeoutMs)

type Produce = (request: { topicData: { partitions: { partition: number }[] }[] }) => Promise<unknown>
const Broker: { prototype: { produce: Produce } } = createRequire(import.meta.url)('kafkajs/src/broker')

const own = await startOwnBroker()
const suite = own ? describe : describe.skip

suite('records that Kafka lost', () => {
  const { broker, end } = own ?? (null as never)
  let database: TestDatabase
  let pool: Pool
  let bench: ReturnType<typeof createFaultBench>
  let topic: string
  beforeAll(async () => {
    database = await prepareConsumerDatabase()
    pool = createPool({ connectionString: database.urls.services.delivery.worker, applicationName: 'test', max: 20 })
  })
  beforeEach(() => {
    // A topic of each test's own, so that none needs an empty broker.
    topic = unique('fault')
    bench = createFaultBench(broker.brokers, pool, topic)
  })
  afterEach(() => bench.close())
  afterAll(async () => {
    await pool?.end()
    await database?.drop()
    await end()
  })

  // One key, so that all stand in one partition and offsets are known.
  const some = (n: number): NewLogRecord[] => Array.from({ length: n }, () => newRecord(topic, 'k'))
  const idsOf = (records: NewLogRecord[]): string[] => records.map((record) => record.eventId).sort()
  const publish = (log: EventLog, records: NewLogRecord[]) =>
    until(() =>
      log.publish(records).then(
        () => true,
        () => false,
      ),
    )
  const effects = async (name: string) => (await bench.eventIds(name)).sort()
  const expectLost = async (consumer: RunningConsumer, reason: RegExp) => {
    await until(async () => consumer.lost().length > 0)
    expect(consumer.lost()).toEqual([expect.objectContaining({ topic, partition: partitionOf('k', faultPartitions) })])
    expect(consumer.lost()[0]?.reason).toMatch(reason)
    const errors = toldOf(lostRecordsMessage)
    expect(errors).toHaveLength(1)
    expect(errors[0]?.fields).toMatchObject({ topic })
  }
  const toldOf = (wanted: string) => bench.told.filter(({ level, message }) => level === 'error' && message === wanted)
  const asAdmin = async (fn: (admin: Admin) => Promise<unknown>) => {
    const admin = new Kafka({ clientId: 'test', brokers: [broker.brokers], logLevel: logLevel.NOTHING }).admin()
    await admin.connect()
    await fn(admin)
    await admin.disconnect()
  }
  /** What age does. */
  const removeBelow = (offset: bigint) =>
    asAdmin(async (admin) => {
      // kafkajs asks about topics it knows only.
      await admin.fetchTopicOffsets(topic)
      const partition = partitionOf('k', faultPartitions)
      await admin.deleteTopicRecords({ topic, partitions: [{ partition, offset: String(offset) }] })
    })
  /** What an operator does: the producers republish, then the consumer reads again. */
  const mend = async (log: EventLog, o: { name: string; consumer: RunningConsumer; republish: NewLogRecord[] }) => {
    await publish(log, o.republish)
    expect(await readAgain(pool, { consumer: o.name, topic })).toBe(1)
    await until(async () => o.consumer.lost().length === 0)
    await o.consumer.whenCaughtUp()
  }

  test('a broker that starts empty under running members: they stand still, and a republish mends it', async () => {
    const log = bench.openLog()
    const name = unique('empty')
    const before = some(20)
    await publish(log, before)
    const consumer = await bench.consume(log, name)
    await consumer.whenCaughtUp()
    await broker.wipe()
    await broker.start()
    const after = some(5)
    await publish(log, after)
    await expectLost(consumer, /ends at offset (-1|4), before the position/)
    expect(await effects(name)).toEqual(idsOf(before))
    await mend(log, { name, consumer, republish: before })
    expect(await effects(name)).toEqual(idsOf([...before, ...after]))
  })

  test('a broker that began anew and is already further than the position is recognised by the event id', async () => {
    const log = bench.openLog()
    const name = unique('anew')
    const before = some(3)
    await publish(log, before)
    const first = await bench.consume(log, name)
    await first.whenCaughtUp()
    await first.stop()
    await broker.wipe()
    await broker.start()
    const after = some(10)
    await publish(log, after)
    const consumer = await bench.consume(log, name)
    await expectLost(consumer, /another record/)
    expect(await effects(name)).toEqual(idsOf(before))
    await mend(log, { name, consumer, republish: before })
    expect(await effects(name)).toEqual(idsOf([...before, ...after]))
  })

  test('regression: a broker that lost its newest records and still knows the member, which never joins anew', async () => {
    // The member outlives the restart in its group.
    const log = bench.openLog({ sessionTimeoutMs: 10_000 })
    const name = unique('newest')
    const consumer = await bench.consume(log, name)
    const kept = some(5)
    await publish(log, kept)
    await consumer.whenCaughtUp()
    const records = join(broker.dataDirectory, 'records')
    const copy = mkdtempSync(join(tmpdir(), 'wds-records-'))
    await broker.stop()
    cpSync(records, copy, { recursive: true })
    await broker.start()
    const forgotten = some(3)
    await publish(log, forgotten)
    await consumer.whenCaughtUp()
    await broker.kill()
    rmSync(records, { recursive: true })
    cpSync(copy, records, { recursive: true })
    rmSync(copy, { recursive: true })
    await broker.start()
    // More than were lost: the position is within the log again.
    const after = some(10)
    await publish(log, after)
    await expectLost(consumer, /another record|ends at offset/)
    expect(await effects(name)).toEqual(idsOf([...kept, ...forgotten]))
    await mend(log, { name, consumer, republish: forgotten })
    expect(await effects(name)).toEqual(idsOf([...kept, ...forgotten, ...after]))
  })

  test('acknowledged records that nobody had read are missed by their producer, once', async () => {
    const log = bench.openLog()
    await publish(log, some(3))
    await publish(log, some(1))
    expect(toldOf(regressedMessage)).toEqual([])
    await broker.wipe()
    await broker.start()
    for (let n = 0; n < 5; n += 1) await publish(log, some(1))
    const partition = partitionOf('k', faultPartitions)
    expect(toldOf(regressedMessage).map(({ fields }) => fields)).toEqual([
      { topic, partition, acknowledged: '3', offset: '0' },
    ])
  })

  test('regression: what kafkajs left out of a send is not taken for written', async () => {
    const log = bench.openLog()
    await publish(log, some(1))
    const sent = Array.from({ length: 40 }, (_, k) => newRecord(topic, `wsp_${k}`))
    // A partition whose leader moves, while kafkajs tries again, to a broker that has answered for others: it is sent to nobody.
    const { produce } = Broker.prototype
    const spy = jest.spyOn(Broker.prototype, 'produce').mockImplementationOnce(async function (this: unknown, request) {
      for (const of of request.topicData) of.partitions = of.partitions.filter(({ partition }) => partition !== 1)
      return produce.call(this as typeof Broker.prototype, request)
    })
    await expect(log.publish(sent)).rejects.toThrow(`Kafka did not answer for partition 1 of ${topic}`)
    spy.mockRestore()
    await publish(log, sent)
    const name = unique('left-out')
    const consumer = await bench.consume(log, name)
    await consumer.whenCaughtUp()
    expect(await effects(name)).toEqual(expect.arrayContaining(idsOf(sent)))
  })

  test('regression: a topic that is given more partitions keeps each key where it was, so that its order holds', async () => {
    const log = bench.openLog()
    await log.ensureTopics()
    await asAdmin((admin) =>
      admin.createPartitions({ topicPartitions: [{ topic, count: 2 * faultPartitions }], validateOnly: false }),
    )
    await publish(
      log,
      Array.from({ length: 40 }, (_, k) => newRecord(topic, `wsp_${k}`)),
    )
    const used = [...(await log.ends(topic))].flatMap(([partition, end]) => (end < 0n ? [] : [partition]))
    expect(used).toEqual(Array.from({ length: faultPartitions }, (_, partition) => partition))
  })

  test('regression: a host whose clock is two hours ahead, or eight days behind, sends as any other, and its records age by the clock of the broker', async () => {
    const log = bench.openLog()
    await log.ensureTopics()
    const from = Date.now()
    const times: number[] = []
    for (const offMs of [2 * 3_600_000, -8 * 86_400_000]) {
      const { now } = Date
      const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + offMs)
      await log.publish(some(1)).finally(() => clock.mockRestore())
    }
    const kafka = new Kafka({ clientId: 'test', brokers: [broker.brokers], logLevel: logLevel.NOTHING })
    const reader = kafka.consumer({ groupId: unique('times'), sessionTimeout: 3_000, heartbeatInterval: 1_000 })
    await reader.subscribe({ topics: [topic], fromBeginning: true })
    await reader.run({ eachMessage: async ({ message }) => void times.push(Number(message.timestamp)) })
    await until(async () => times.length === 2)
    await reader.disconnect()
    for (const time of times) expect(Math.abs(time - from)).toBeLessThan(caseTimeoutMs)
  })

  test('regression: nobody waits for records that age removed', async () => {
    const log = bench.openLog()
    const name = unique('aged')
    await publish(log, some(3))
    await removeBelow(3n)
    expect((await log.ends(topic)).get(partitionOf('k', faultPartitions))).toBe(-1n)
    const consumer = await bench.consume(log, name)
    await consumer.whenCaughtUp()
    const after = some(1)
    await publish(log, after)
    await consumer.whenCaughtUp()
    expect(await effects(name)).toEqual(idsOf(after))
    expect(consumer.lost()).toEqual([])
  })

  test('F16: the oldest records removed below a stopped consumer are a gap, not a jump', async () => {
    const log = bench.openLog()
    const name = unique('gap')
    const read = some(5)
    await publish(log, read)
    const first = await bench.consume(log, name, { from: 'beginning' })
    await first.whenCaughtUp()
    await first.stop()
    const known = await effects(name)
    const [gone, left] = [some(5), some(5)]
    await publish(log, [...gone, ...left])
    const last = (await log.ends(topic)).get(partitionOf('k', faultPartitions)) ?? 0n
    await removeBelow(last - 4n)
    const consumer = await bench.consume(log, name)
    await expectLost(consumer, /oldest record has offset/)
    expect(await effects(name)).toEqual(known)
    await mend(log, { name, consumer, republish: gone })
    expect(await effects(name)).toEqual([...known, ...idsOf([...gone, ...left])].sort())
  })
})
