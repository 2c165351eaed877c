// What must hold where Kafka lost records, whoever takes them away: each consumer that would skip some stands still, says so, and goes on
// after a republish. In each run a topic is made anew on the broker that all share; by night a broker of its own is wiped or set back.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import type { TestDatabase } from '@wds/local-infra/test-database'
import { createPool, type Pool } from '@wds/postgres/pool'
import { newRecord, unique, until } from './conformance-harness.ts'
import { type RunningConsumer, readAgain } from './consumer.ts'
import { createFaultBench, faultPartitions } from './fault-bench.fixture.ts'
import type { KafkaConnection } from './kafka-client.ts'
import { prepareConsumerDatabase } from './log.fixture.ts'
import { lostRecordsMessage, regressedMessage } from './lost-records.ts'
import { partitionOf } from './partition.ts'
import type { EventLog, NewLogRecord } from './port.ts'

/** A broker that loses what is asked of it. */
export interface LosingBroker {
  brokers: string
  /** Of a member that hears of what was lost behind `remember` with `show` alone. */
  socketFactory?: KafkaConnection['socketFactory']
  show?(): void
  /** Every record of the topic. */
  loseAll(topic: string): Promise<void>
  /** Remembers the topic as it stands, with these records; the result loses what came behind them. */
  remember(topic: string, kept: NewLogRecord[]): Promise<() => Promise<void>>
}

/** What every case has: a topic of its own, so that none needs an empty broker. */
export interface LossBench {
  topic(): string
  /** What was logged. */
  told(): ReturnType<typeof createFaultBench>['told']
  openLog: ReturnType<typeof createFaultBench>['openLog']
  consume: ReturnType<typeof createFaultBench>['consume']
  /** Records of one key, so that all stand in one partition and offsets are known. */
  some(n: number): NewLogRecord[]
  publish(log: EventLog, records: NewLogRecord[]): Promise<void>
  /** Ids of the events that took effect for a consumer, sorted. */
  effects(name: string): Promise<string[]>
  expectLost(consumer: RunningConsumer, reason: RegExp): Promise<void>
  /** What an operator does: the producers republish, then the consumer reads again. */
  mend(log: EventLog, o: { name: string; consumer: RunningConsumer; republish: NewLogRecord[] }): Promise<void>
}

export const idsOf = (records: NewLogRecord[]): string[] => records.map((record) => record.eventId).sort()

/** Declares the cases; the result is for others beside them. */
export function lossCases(losing: LosingBroker): LossBench {
  let database: TestDatabase
  let pool: Pool
  let bench: ReturnType<typeof createFaultBench>
  let topic: string
  beforeAll(async () => {
    database = await prepareConsumerDatabase()
    pool = createPool({ connectionString: database.urls.services.delivery.worker, applicationName: 'test', max: 20 })
  })
  beforeEach(() => {
    topic = unique('fault')
    bench = createFaultBench(losing.brokers, pool, topic)
  })
  afterEach(() => bench.close())
  afterAll(async () => {
    await pool?.end()
    await database?.drop()
  })

  const some = (n: number): NewLogRecord[] => Array.from({ length: n }, () => newRecord(topic, 'k'))
  const publish = (log: EventLog, records: NewLogRecord[]) =>
    until(() =>
      log.publish(records).then(
        () => true,
        () => false,
      ),
    )
  const effects = async (name: string) => (await bench.eventIds(name)).sort()
  const toldOf = (wanted: string) => bench.told.filter(({ level, message }) => level === 'error' && message === wanted)
  const expectLost = async (consumer: RunningConsumer, reason: RegExp) => {
    await until(async () => consumer.lost().length > 0)
    expect(consumer.lost()).toEqual([expect.objectContaining({ topic, partition: partitionOf('k', faultPartitions) })])
    expect(consumer.lost()[0]?.reason).toMatch(reason)
    const errors = toldOf(lostRecordsMessage)
    expect(errors).toHaveLength(1)
    expect(errors[0]?.fields).toMatchObject({ topic })
  }
  const mend: LossBench['mend'] = async (log, o) => {
    await publish(log, o.republish)
    expect(await readAgain(pool, { consumer: o.name, topic })).toBe(1)
    await until(async () => o.consumer.lost().length === 0)
    await o.consumer.whenCaughtUp()
  }

  test('F16: a broker that starts empty under running members: they stand still, and a republish mends it', async () => {
    const log = bench.openLog()
    const name = unique('empty')
    const before = some(20)
    await publish(log, before)
    const consumer = await bench.consume(log, name)
    await consumer.whenCaughtUp()
    await losing.loseAll(topic)
    const after = some(5)
    await publish(log, after)
    await expectLost(consumer, /ends at offset (-1|4), before the position/)
    expect(await effects(name)).toEqual(idsOf(before))
    await mend(log, { name, consumer, republish: before })
    expect(await effects(name)).toEqual(idsOf([...before, ...after]))
  })

  test('F16: a broker that began anew and is already further than the position is recognised by the event id', async () => {
    const log = bench.openLog()
    const name = unique('anew')
    const before = some(3)
    await publish(log, before)
    const first = await bench.consume(log, name)
    await first.whenCaughtUp()
    await first.stop()
    await losing.loseAll(topic)
    const after = some(10)
    await publish(log, after)
    const consumer = await bench.consume(log, name)
    await expectLost(consumer, /another record/)
    expect(await effects(name)).toEqual(idsOf(before))
    await mend(log, { name, consumer, republish: before })
    expect(await effects(name)).toEqual(idsOf([...before, ...after]))
  })

  test('regression: F16: a broker that lost its newest records and still knows the member, which never joins anew', async () => {
    // The member outlives the restart in its group.
    const { socketFactory } = losing
    const read = bench.openLog(withoutUndefined({ sessionTimeoutMs: 10_000, socketFactory }))
    const log = bench.openLog()
    const name = unique('newest')
    const consumer = await bench.consume(read, name)
    const kept = some(5)
    await publish(log, kept)
    await consumer.whenCaughtUp()
    const loseNewer = await losing.remember(topic, kept)
    const forgotten = some(3)
    await publish(log, forgotten)
    await consumer.whenCaughtUp()
    await loseNewer()
    // More than were lost: the position is within the log again.
    const after = some(10)
    await publish(log, after)
    losing.show?.()
    await expectLost(consumer, /another record|ends at offset/)
    expect(await effects(name)).toEqual(idsOf([...kept, ...forgotten]))
    await mend(log, { name, consumer, republish: forgotten })
    expect(await effects(name)).toEqual(idsOf([...kept, ...forgotten, ...after]))
  })

  test('F16: acknowledged records that nobody had read are missed by their producer, once', async () => {
    const log = bench.openLog()
    await publish(log, some(3))
    await publish(log, some(1))
    expect(toldOf(regressedMessage)).toEqual([])
    await losing.loseAll(topic)
    for (let n = 0; n < 5; n += 1) await publish(log, some(1))
    const partition = partitionOf('k', faultPartitions)
    expect(toldOf(regressedMessage).map(({ fields }) => fields)).toEqual([
      { topic, partition, acknowledged: '3', offset: '0' },
    ])
  })

  return {
    topic: () => topic,
    told: () => bench.told,
    openLog: (o) => bench.openLog(o),
    consume: (...args) => bench.consume(...args),
    some,
    publish,
    effects,
    expectLost,
    mend,
  }
}
