// Leaders that move amid sends, of the nightly run (test-e2e/faults/README.md): three brokers, of which one goes away and comes back.
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals'
import type { TestDatabase } from '@wds/local-infra/test-database'
import { createPool, type Pool } from '@wds/postgres/pool'
import { Kafka, logLevel } from 'kafkajs'
import { startBrokerCluster } from './broker-cluster.fixture.ts'
import { caseTimeoutMs, expectRising, newRecord, readUntil, unique, until } from './conformance-harness.ts'
import { noteEffects } from './effects-table.ts'
import { createFaultBench } from './fault-bench.fixture.ts'
import { prepareConsumerDatabase } from './log.fixture.ts'
import { partitionOf } from './partition.ts'
import { type LogRecord, type NewLogRecord, PartlyPublished } from './port.ts'

jest.setTimeout(caseTimeoutMs)

/** On brokers of its own. */
const partitions = 4
/** A multiple of the partitions and more, so that each has several keys, and each broker leads for some of them. */
const keys = 10 * partitions
/** Acknowledged batches from one event to the next: a second or two of load. */
const batchesBetween = 30

const cluster = await startBrokerCluster()
const suite = cluster ? describe : describe.skip

suite('the log on three brokers', () => {
  const { brokers, members, end } = cluster ?? (null as never)
  let database: TestDatabase
  let pool: Pool
  let bench: ReturnType<typeof createFaultBench>
  beforeAll(async () => {
    database = await prepareConsumerDatabase()
    // Somebody else's, each with its only copy on a broker that will be away.
    const admin = new Kafka({ clientId: 'test', brokers, logLevel: logLevel.NOTHING }).admin()
    await admin.connect()
    const replicaAssignment = [2, 3].map((broker, partition) => ({ partition, replicas: [broker] }))
    await admin.createTopics({ topics: [{ topic: 'foreign', replicaAssignment }], waitForLeaders: false })
    await admin.disconnect()
    pool = createPool({ connectionString: database.urls.services.delivery.worker, applicationName: 'test', max: 20 })
  })
  afterEach(async () => {
    await bench.close()
    for (const member of members) await member.start()
  })
  afterAll(async () => {
    await pool?.end()
    await database?.drop()
    await end()
  })

  test.each([
    ['stopped in order', 'stop', 0],
    ['killed', 'kill', 1],
  ] as const)(
    'F10: keeps each acknowledged event in the order of its key, and each takes effect once, when leaders are %s amid sends',
    async (_, away, nth) => {
      const topic = unique(away)
      const name = `${topic}.consumer`
      bench = createFaultBench(brokers.join(','), pool, topic, partitions)
      const [producer, ...consumers] = [bench.openLog(), bench.openLog(), bench.openLog()]
      await until(() => producer.ensureTopics().then(isDone, isNot))
      for (const [n, log] of consumers.entries()) {
        await bench.consume(log, name, { handleBatch: (tx, found) => noteEffects(tx, name, found, `member ${n}`) })
      }

      const acknowledged: NewLogRecord[] = []
      let batches = 0
      let isWorking = true
      const sending = (async () => {
        while (isWorking) {
          const batch = Array.from({ length: keys }, (_, n) => newRecord(topic, `wsp_${n}`))
          // As the relay does: the same rows again until they are acknowledged.
          await until(() => producer.publish(batch).then(isDone, isNot))
          acknowledged.push(...batch)
          batches += 1
        }
      })()
      const more = () => {
        const enough = batches + batchesBetween
        return until(async () => batches >= enough)
      }
      await more()
      await members[nth][away]()
      await more()
      await members[nth].start()
      await more()
      isWorking = false
      await sending

      const isThere = (found: LogRecord[]) => new Set(found.map(({ eventId }) => eventId)).size >= acknowledged.length
      const records = await readUntil(producer, topic, isThere)
      expectRising(records)
      // What a send repeated counts where it stood first.
      const first = new Map(records.map((record) => [record.eventId, record] as const).reverse())
      expect(idsByKey([...first.values()].reverse())).toEqual(idsByKey(acknowledged))

      await until(async () => (await bench.eventIds(name)).length >= acknowledged.length)
      const effects = (await bench.eventIds(name)).map((eventId) => first.get(eventId) as LogRecord)
      expect(idsByKey(effects)).toEqual(idsByKey(acknowledged))
      expect(bench.told.filter(({ level }) => level === 'error')).toEqual([])
    },
  )

  test.each([
    ['stopped in order', 'stop', 0],
    ['killed', 'kill', 1],
  ] as const)(
    'regression: a broker that is %s with the only copy of a partition holds up neither reading nor sending of the others, and its own goes on when it is back',
    async (_, away, nth) => {
      const topic = unique(`single-${away}`)
      const name = `${topic}.consumer`
      const admin = new Kafka({ clientId: 'test', brokers, logLevel: logLevel.NOTHING }).admin()
      await admin.connect()
      const replicaAssignment = [1, 2, 3, 1].map((broker, partition) => ({ partition, replicas: [broker] }))
      const configEntries = [{ name: 'min.insync.replicas', value: '1' }]
      await admin.createTopics({ topics: [{ topic, replicaAssignment, configEntries }], waitForLeaders: true })
      await admin.disconnect()
      bench = createFaultBench(brokers.join(','), pool, topic, partitions)
      const [producer, ...consumers] = [bench.openLog(), bench.openLog(), bench.openLog()]
      for (const [n, log] of consumers.entries()) {
        await bench.consume(log, name, { handleBatch: (tx, found) => noteEffects(tx, name, found, `member ${n}`) })
      }
      const sent: NewLogRecord[] = []
      let waiting: NewLogRecord[] = []
      /** As the relay does: what was not stored again, behind it what is new. */
      const send = () =>
        producer.publish(waiting).then(
          () => void waiting.splice(0),
          (error: Error) => {
            const stored = error instanceof PartlyPublished ? error.stored : new Set()
            waiting = waiting.filter((record) => !stored.has(record))
          },
        )
      const more = () => {
        const batch = Array.from({ length: keys }, (_unused, n) => newRecord(topic, `wsp_${n}`))
        sent.push(...batch)
        waiting.push(...batch)
      }
      const isAway = ({ key }: NewLogRecord) => partitionOf(key, partitions) === nth + 1
      const takeEffect = (wanted: NewLogRecord[]) =>
        until(async () => {
          await send()
          const found = new Set(await bench.eventIds(name))
          return wanted.every(({ eventId }) => found.has(eventId))
        })

      more()
      await takeEffect(sent)
      await members[nth][away]()
      const awayAt = performance.now()
      more()
      await takeEffect(sent.filter((record) => !isAway(record)))
      process.stdout.write(
        `faults: F10 single copy, ${away}: others read after ${Math.round(performance.now() - awayAt)} ms\n`,
      )
      more()
      await takeEffect(sent.filter((record) => !isAway(record)))
      expect(waiting).toEqual(sent.slice(keys).filter(isAway))
      await members[nth].start()
      const backAt = performance.now()
      await takeEffect(sent)
      process.stdout.write(
        `faults: F10 single copy, ${away}: all read after ${Math.round(performance.now() - backAt)} ms\n`,
      )
      const effects = new Map(sent.map((record) => [record.eventId, record]))
      const inOrder = (await bench.eventIds(name)).map((eventId) => effects.get(eventId) as NewLogRecord)
      expect(idsByKey(inOrder)).toEqual(idsByKey(sent))
      expect(bench.told.filter(({ level }) => level === 'error')).toEqual([])
    },
  )

  test('regression: a partition with too few copies in sync holds up the sending of no other, of which nothing is sent again', async () => {
    const topic = unique('insync')
    const admin = new Kafka({ clientId: 'test', brokers, logLevel: logLevel.NOTHING }).admin()
    await admin.connect()
    const away = 0
    const copies = [
      [1, 2],
      [3, 1],
      [3, 1],
      [1, 3],
    ]
    const replicaAssignment = copies.map((replicas, partition) => ({ partition, replicas }))
    const configEntries = [{ name: 'min.insync.replicas', value: '2' }]
    await admin.createTopics({ topics: [{ topic, replicaAssignment, configEntries }], waitForLeaders: true })
    await admin.disconnect()
    bench = createFaultBench(brokers.join(','), pool, topic, partitions)
    const log = bench.openLog()
    const batch = () => Array.from({ length: keys }, (_unused, n) => newRecord(topic, `wsp_${n}`))
    const isAway = ({ key }: NewLogRecord) => partitionOf(key, partitions) === away
    await log.publish(batch())
    await members[0].kill()
    // Until the cluster has given the broker up.
    const first = batch()
    const sends = async (records: NewLogRecord[]) => log.publish(records).catch((error: Error) => error)
    await until(async () => (await sends(first)) instanceof PartlyPublished)
    const before = await log.ends(topic)
    const second = batch()
    const fault = (await sends(second)) as PartlyPublished
    expect([...fault.stored]).toEqual(second.filter((record) => !isAway(record)))
    const after = await log.ends(topic)
    const added = [...after].map(([partition, end]) => Number(end - (before.get(partition) ?? -1n)))
    const wanted = Map.groupBy(second, ({ key }) => partitionOf(key, partitions))
    expect(added).toEqual([...after.keys()].map((one) => (one === away ? 0 : (wanted.get(one)?.length ?? 0))))
    await members[0].start()
    await until(async () => (await sends(second.filter(isAway))) === undefined)
  })
})

const isDone = (): boolean => true
const isNot = (): boolean => false

function idsByKey(records: { key: string; eventId: string }[]): Map<string, string[]> {
  const byKey = Map.groupBy(records, ({ key }) => key)
  return new Map([...byKey].map(([key, own]) => [key, own.map(({ eventId }) => eventId)]))
}
