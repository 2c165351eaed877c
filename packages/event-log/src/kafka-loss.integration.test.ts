// What a log on Kafka loses and what its clients leave out, on the broker that the test run shares: a topic that is made anew is to its
// clients as a broker that lost it. A broker that is wiped and set back: kafka-restarts, by night.
import { createRequire } from 'node:module'
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals'
import { findTestBroker } from '@wds/local-infra/test-broker'
import { type Admin, Kafka, logLevel } from 'kafkajs'
import { caseTimeoutMs, keysOfEach, newRecord, unique, until } from './conformance-harness.ts'
import { idsOf, lossCases } from './conformance-losses.ts'
import { faultPartitions } from './fault-bench.fixture.ts'
import { createFaultProxy, type FaultProxy } from './fault-proxy.fixture.ts'
import { createKafkaLog } from './kafka-log.ts'
import { partitionOf } from './partition.ts'
import type { NewLogRecord } from './port.ts'

jest.setTimeout(caseTimeoutMs)

type Produce = (request: { topicData: { partitions: { partition: number }[] }[] }) => Promise<unknown>
const Broker: { prototype: { produce: Produce } } = createRequire(import.meta.url)('kafkajs/src/broker')

const shared = await findTestBroker()
const suite = 'missing' in shared ? describe.skip : describe

suite('records that Kafka lost', () => {
  let proxy: FaultProxy
  beforeAll(async () => {
    proxy = await createFaultProxy()
  })
  afterAll(() => proxy?.close())
  const brokers = 'missing' in shared ? [] : shared.brokers.split(',')
  const asAdmin = async (fn: (admin: Admin) => Promise<unknown>) => {
    const admin = new Kafka({ clientId: 'test', brokers, logLevel: logLevel.NOTHING }).admin()
    await admin.connect()
    await fn(admin)
    await admin.disconnect()
  }
  /** The topic is gone, and another one of its name holds these records. */
  const makeAnew = async (topic: string, records: NewLogRecord[]) => {
    await asAdmin((admin) => admin.deleteTopics({ topics: [topic] }))
    const log = createKafkaLog({ brokers, clientId: 'test', partitions: faultPartitions, topics: { [topic]: false } })
    const made = async () => {
      await log.ensureTopics()
      await log.publish(records)
      return true
    }
    // A broker that was told to remove a topic may name it for a moment.
    await until(() => made().catch(() => false))
    await log.close()
  }
  const { topic, openLog, consume, some, publish, effects, expectLost, mend } = lossCases({
    brokers: brokers.join(','),
    loseAll: (of) => makeAnew(of, []),
    socketFactory: (o) => proxy.socketFactory(o),
    // Who reads would hear of a topic that is removed, and join anew. Of a broker that was set back it hears once that has new records.
    remember: async (of, kept) => async () => {
      proxy.stall()
      await makeAnew(of, kept)
    },
    show() {
      proxy.cut()
      proxy.resume()
    },
  })
  /** What age does. */
  const removeBelow = (offset: bigint) =>
    asAdmin(async (admin) => {
      // kafkajs asks about topics it knows only.
      await admin.fetchTopicOffsets(topic())
      const partition = partitionOf('k', faultPartitions)
      await admin.deleteTopicRecords({ topic: topic(), partitions: [{ partition, offset: String(offset) }] })
    })

  test('regression: what kafkajs left out of a send is not taken for written', async () => {
    const log = openLog()
    await publish(log, some(1))
    const sent = keysOfEach(faultPartitions).map((key) => newRecord(topic(), key))
    // A partition whose leader moves, while kafkajs tries again, to a broker that has answered for others: it is sent to nobody.
    const { produce } = Broker.prototype
    const spy = jest.spyOn(Broker.prototype, 'produce').mockImplementationOnce(async function (this: unknown, request) {
      for (const of of request.topicData) of.partitions = of.partitions.filter(({ partition }) => partition !== 1)
      return produce.call(this as typeof Broker.prototype, request)
    })
    await expect(log.publish(sent)).rejects.toThrow(`Kafka did not answer for partition 1 of ${topic()}`)
    spy.mockRestore()
    await publish(log, sent)
    const name = unique('left-out')
    const consumer = await consume(log, name)
    await consumer.whenCaughtUp()
    expect(await effects(name)).toEqual(expect.arrayContaining(idsOf(sent)))
  })

  test('regression: a topic that is given more partitions keeps each key where it was, so that its order holds', async () => {
    const log = openLog()
    await log.ensureTopics()
    await asAdmin((admin) =>
      admin.createPartitions({
        topicPartitions: [{ topic: topic(), count: 2 * faultPartitions }],
        validateOnly: false,
      }),
    )
    await publish(
      log,
      keysOfEach(faultPartitions).map((key) => newRecord(topic(), key)),
    )
    const used = [...(await log.ends(topic()))].flatMap(([partition, end]) => (end < 0n ? [] : [partition]))
    expect(used).toEqual(Array.from({ length: faultPartitions }, (_, partition) => partition))
  })

  test('regression: a host whose clock is two hours ahead, or eight days behind, sends as any other, and its records age by the clock of the broker', async () => {
    const log = openLog()
    await log.ensureTopics()
    const from = Date.now()
    const times: number[] = []
    for (const offMs of [2 * 3_600_000, -8 * 86_400_000]) {
      const { now } = Date
      const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + offMs)
      await log.publish(some(1)).finally(() => clock.mockRestore())
    }
    const kafka = new Kafka({ clientId: 'test', brokers, logLevel: logLevel.NOTHING })
    const reader = kafka.consumer({ groupId: unique('times'), sessionTimeout: 6_000, heartbeatInterval: 2_000 })
    await reader.subscribe({ topics: [topic()], fromBeginning: true })
    await reader.run({ eachMessage: async ({ message }) => void times.push(Number(message.timestamp)) })
    await until(async () => times.length === 2)
    await reader.disconnect()
    for (const time of times) expect(Math.abs(time - from)).toBeLessThan(caseTimeoutMs)
  })

  test('regression: nobody waits for records that age removed', async () => {
    const log = openLog()
    const name = unique('aged')
    await publish(log, some(3))
    await removeBelow(3n)
    expect((await log.ends(topic())).get(partitionOf('k', faultPartitions))).toBe(-1n)
    const consumer = await consume(log, name)
    await consumer.whenCaughtUp()
    const after = some(1)
    await publish(log, after)
    await consumer.whenCaughtUp()
    expect(await effects(name)).toEqual(idsOf(after))
    expect(consumer.lost()).toEqual([])
  })

  test('F16: the oldest records removed below a stopped consumer are a gap, not a jump', async () => {
    const log = openLog()
    const name = unique('gap')
    const read = some(5)
    await publish(log, read)
    const first = await consume(log, name, { from: 'beginning' })
    await first.whenCaughtUp()
    await first.stop()
    const known = await effects(name)
    const [gone, left] = [some(5), some(5)]
    await publish(log, [...gone, ...left])
    const last = (await log.ends(topic())).get(partitionOf('k', faultPartitions)) ?? 0n
    await removeBelow(last - 4n)
    const consumer = await consume(log, name)
    await expectLost(consumer, /oldest record has offset/)
    expect(await effects(name)).toEqual(known)
    await mend(log, { name, consumer, republish: gone })
    expect(await effects(name)).toEqual([...known, ...idsOf([...gone, ...left])].sort())
  })
})
