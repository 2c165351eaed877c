// Bad days of the way to a broker, and of what it answers: nothing is lost, nothing takes effect twice, everything recovers by itself. A broker
// that is restarted: kafka-restarts, by night.
import { type ChildProcess, fork } from 'node:child_process'
import { createRequire } from 'node:module'
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals'
import { findTestBroker } from '@wds/local-infra/test-broker'
import type { TestDatabase } from '@wds/local-infra/test-database'
import { isFullRun } from '@wds/local-infra/test-size'
import { createPool, type Pool } from '@wds/postgres/pool'
import { type Consumer, Kafka, logLevel } from 'kafkajs'
import { expectOnceInOrder } from './conformance-effects.ts'
import { caseTimeoutMs, keysOfEach, newRecord, unique, until } from './conformance-harness.ts'
import { noteEffects } from './effects-table.ts'
import { createFaultBench, faultPartitions } from './fault-bench.fixture.ts'
import { createFaultProxy } from './fault-proxy.fixture.ts'
import { prepareConsumerDatabase } from './log.fixture.ts'
import { partitionOf } from './partition.ts'
import { type EventLog, type NewLogRecord, PartlyPublished } from './port.ts'

jest.setTimeout(caseTimeoutMs)

/** Of a member that is stopped; WDS_FAULTS=full: those of production. The stop outlasts both. */
const limits = isFullRun()
  ? { sessionTimeoutMs: 10_000, silenceMs: 30_000 }
  : { sessionTimeoutMs: 6_000, silenceMs: 9_000 }
const stoppedMs = 1.5 * limits.silenceMs

const load = createRequire(import.meta.url)
/** What a broker answers, as kafkajs reads it. */
const Broker: {
  prototype: Record<
    'heartbeat' | 'joinGroup' | 'syncGroup' | 'fetch' | 'listOffsets' | 'produce',
    () => Promise<unknown>
  >
} = load('kafkajs/src/broker')
const { createErrorFromCode }: { createErrorFromCode(code: number): Error } = load('kafkajs/src/protocol/error')
const metadata: {
  decode(bytes: Buffer): Promise<{ topicMetadata: { topic: string; partitionMetadata: { partitionId: number }[] }[] }>
} = load('kafkajs/src/protocol/requests/metadata/v6/response')
const [leaderNotAvailable, coordinatorLoads, notCoordinator, unknownMember] = [5, 14, 16, 25]
const answer = (code: number) => async () => {
  throw createErrorFromCode(code)
}

/** From now on the broker names no leader of a topic's partitions, or of one. `told`: how often it said so. */
function withoutLeader(topic: string, partition?: number) {
  const { decode } = metadata
  let told = 0
  const spy = jest.spyOn(metadata, 'decode').mockImplementation(async (bytes) => {
    const answer = await decode(bytes)
    for (const one of answer.topicMetadata.filter((found) => found.topic === topic)) {
      told += 1
      for (const led of one.partitionMetadata) {
        if (led.partitionId !== (partition ?? led.partitionId)) continue
        Object.assign(led, { partitionErrorCode: leaderNotAvailable, leader: -1 })
      }
    }
    return answer
  })
  return { told: () => told, restore: () => spy.mockRestore() }
}

const shared = await findTestBroker()
const suite = 'missing' in shared ? describe.skip : describe

const faultTopic = unique('fault')
const keys = keysOfEach(faultPartitions)
const places = Array.from({ length: faultPartitions }, (_, partition) => partition)

suite('the log on Kafka', () => {
  const brokers = 'missing' in shared ? '' : shared.brokers
  let database: TestDatabase
  let pool: Pool
  let bench: ReturnType<typeof createFaultBench>
  const children = new Set<ChildProcess>()
  beforeAll(async () => {
    database = await prepareConsumerDatabase()
    pool = createPool({ connectionString: database.urls.services.delivery.worker, applicationName: 'test', max: 20 })
  })
  afterEach(async () => {
    for (const child of children) child.kill('SIGKILL')
    children.clear()
    await bench.close()
  })
  afterAll(async () => {
    await pool?.end()
    await database?.drop()
  })
  const open = () => {
    bench = createFaultBench(brokers, pool, faultTopic)
    return bench
  }
  const some = (n: number): NewLogRecord[] =>
    Array.from({ length: n }, (_, k) => newRecord(faultTopic, keys[k % keys.length] as string))

  /** Sends until acknowledged, as the relay does: the same rows again after a failure. */
  const sendUntilDone = async (log: EventLog, records: NewLogRecord[]) => {
    await until(async () =>
      log.publish(records).then(
        () => true,
        () => false,
      ),
    )
  }
  /** What took effect of the given records, in any order. */
  const effectsOf = async (name: string, sent: NewLogRecord[]) => {
    const wanted = new Set(sent.map((record) => record.eventId))
    return (await bench.eventIds(name)).filter((id) => wanted.has(id)).sort()
  }
  /** Every record took effect, once. */
  const expectAll = async (name: string, sent: NewLogRecord[]) => {
    await until(async () => (await effectsOf(name, sent)).length >= sent.length)
    expect(await effectsOf(name, sent)).toEqual(sent.map((record) => record.eventId).sort())
  }

  test('F13: a member that joins in mid-batch takes nothing twice and nobody is thrown out in a loop', async () => {
    const { openLog, consume } = open()
    const [first, second] = [openLog(), openLog()]
    const name = unique('mid-batch')
    let batches = 0
    const slow = async (member: string) =>
      consume(member === 'a' ? first : second, name, {
        async handleBatch(tx, records) {
          await noteEffects(tx, name, records, member)
          batches += 1
          // In sum longer than a session, which costs the member nothing: kafkajs beats between its fetches.
          for (let sleeps = 0; sleeps < 6; sleeps += 1)
            await tx.query('select pg_sleep($1)', [limits.sessionTimeoutMs / 5_000])
        },
      })
    await first.publish(some(60))
    const one = await slow('a')
    await until(async () => batches > 0)
    const two = await slow('b')
    await first.publish(some(60))
    await two.whenCaughtUp()
    await expectOnceInOrder({ log: first, pool }, name, faultTopic)
    expect(batches).toBeLessThan(40)
    await Promise.all([one.stop(), two.stop()])
  })

  test('F10: a broker that is away under load loses nothing and repeats nothing, and what kafkajs calls errors is told once per change of state', async () => {
    const { openLog, consume, told } = open()
    const proxy = await createFaultProxy()
    const log = openLog({ socketFactory: proxy.socketFactory })
    const name = unique('away')
    await consume(log, name)
    const sent: NewLogRecord[] = []
    let working = true
    const sending = (async () => {
      while (working) {
        const records = some(20)
        await sendUntilDone(log, records)
        sent.push(...records)
      }
    })()
    const hears = (wanted: string) => until(async () => told.some(({ message }) => message === wanted))
    await until(async () => sent.length > 0 && (await effectsOf(name, sent)).length > 0)
    proxy.refuse(true)
    await hears('Kafka consumer failed, reconnecting')
    const before = sent.length
    proxy.refuse(false)
    await hears('Kafka consumer recovered')
    await until(async () => sent.length > before + 100)
    working = false
    await sending
    await expectAll(name, sent)
    expect(told.filter(({ level }) => level === 'error')).toEqual([])
    expect(told.filter(({ level }) => level === 'warn').length).toBeLessThanOrEqual(2)
    await bench.close()
    await proxy.close()
  })

  test('connections that were cut while idle cost a few seconds and no record', async () => {
    const { openLog, consume } = open()
    const proxy = await createFaultProxy()
    const log = openLog({ socketFactory: proxy.socketFactory, requestTimeoutMs: 1_000 })
    const name = unique('idle-cut')
    await consume(log, name)
    const sent = some(50)
    await log.publish(sent.slice(0, 10))
    await expectAll(name, sent.slice(0, 10))
    expect(proxy.connections()).toBeGreaterThan(0)
    proxy.cutSilently()
    await sendUntilDone(log, sent.slice(10))
    await expectAll(name, sent)
    await bench.close()
    await proxy.close()
  })

  test('a send whose answer was lost does not make the next one look like its repetition', async () => {
    const { openLog } = open()
    const proxy = await createFaultProxy()
    const log = openLog({ socketFactory: proxy.socketFactory, requestTimeoutMs: 1_000 })
    const reader = openLog()
    await log.publish([newRecord(faultTopic, 'k')])
    const [lost, next] = [newRecord(faultTopic, 'k'), newRecord(faultTopic, 'k')]
    proxy.swallowAnswers(true)
    await expect(log.publish([lost])).rejects.toThrow()
    proxy.swallowAnswers(false)
    proxy.cut()
    // Written, though nobody was told.
    const seen = new Set<string>()
    const subscription = await reader.subscribe({
      group: unique('lost-answer'),
      topics: [faultTopic],
      positionOf: async () => null,
      async onBatch(batch) {
        for (const record of batch.records) seen.add(record.eventId)
      },
    })
    await until(async () => seen.has(lost.eventId))
    await sendUntilDone(log, [next])
    await until(async () => seen.has(next.eventId))
    await subscription.stop()
    await bench.close()
    await proxy.close()
  })

  test('F13: a member stopped for longer than its session and its silence may last, and continued changes nothing, and works again', async () => {
    const { openLog, consume } = open()
    const log = openLog(limits)
    const name = unique('stopped')
    const victim = fork(
      new URL('./consumer-process.fixture.ts', import.meta.url),
      [database.urls.services.delivery.worker, brokers, faultTopic, name, JSON.stringify(limits)],
      { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], execArgv: [] },
    )
    children.add(victim)
    const members = async () => {
      const { rows } = await pool.query('select distinct member from effects where consumer = $1', [name])
      return rows.map((row) => row.member)
    }
    await log.publish(some(100))
    await until(async () => (await members()).includes('victim'))
    victim.kill('SIGSTOP')
    const stoppedAt = performance.now()
    const heir = await consume(log, name, { dedupe: 'natural' })
    while (performance.now() - stoppedAt < stoppedMs) {
      await log.publish(some(20))
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
    await heir.whenCaughtUp()
    victim.kill('SIGCONT')
    const startedAt = await pool.query('select max(n) as n from effects where consumer = $1', [name])
    await until(async () => {
      await log.publish(some(20))
      const { rows } = await pool.query(
        `select count(*)::integer as n from effects where consumer = $1 and member = 'victim' and n > $2`,
        [name, startedAt.rows[0]?.n],
      )
      return rows[0]?.n > 0
    })
    await heir.whenCaughtUp()
    await expectOnceInOrder({ log, pool }, name, faultTopic)
  })

  test('a client that falls silent without a word is built anew', async () => {
    const { openLog, consume } = open()
    const made: Consumer[] = []
    const make = Kafka.prototype.consumer
    const spy = jest.spyOn(Kafka.prototype, 'consumer').mockImplementation(function (this: Kafka, ...args) {
      const consumer = make.apply(this, args)
      made.push(consumer)
      return consumer
    })
    const log = openLog({ silenceMs: 2_000 })
    const name = unique('silent')
    await consume(log, name)
    const early = some(10)
    await log.publish(early)
    await expectAll(name, early)
    // It neither fetches nor beats any more, and tells nobody: what kafkajs does after some of its errors.
    await made[0]?.stop()
    const sent = some(10)
    await log.publish(sent)
    await expectAll(name, sent)
    expect(made.length).toBeGreaterThan(1)
    expect(bench.told.some(({ fields }) => /no sign of life/.test(String((fields.err as Error)?.message)))).toBe(true)
    spy.mockRestore()
  })

  test('regression: a member whose coordinator says no to its join, and still knows it, reads on', async () => {
    const { openLog, consume } = open()
    const log = openLog()
    const name = unique('join-refused')
    await consume(log, name)
    const early = some(10)
    await log.publish(early)
    await expectAll(name, early)
    // A coordinator that was moved and loads: the heartbeat finds it gone, the join too early, the next heartbeat all as it was.
    const heartbeat = jest.spyOn(Broker.prototype, 'heartbeat').mockImplementationOnce(answer(notCoordinator))
    const join = jest.spyOn(Broker.prototype, 'joinGroup').mockImplementationOnce(answer(coordinatorLoads))
    await until(async () => join.mock.calls.length > 0)
    const sent = some(10)
    await log.publish(sent)
    await expectAll(name, sent)
    heartbeat.mockRestore()
    join.mockRestore()
  })

  test('regression: a member that joins under a new id and is not told its partitions does not wait for the end of the rebalance', async () => {
    const { openLog, consume, told } = open()
    const log = openLog()
    const name = unique('sync-refused')
    await consume(log, name)
    const early = some(10)
    await log.publish(early)
    await expectAll(name, early)
    // The coordinator forgot it. Until it misses the one that joined (60 s) it takes the heartbeats of the new id.
    const spies = [
      jest.spyOn(Broker.prototype, 'heartbeat').mockImplementationOnce(answer(notCoordinator)),
      jest.spyOn(Broker.prototype, 'joinGroup').mockImplementationOnce(answer(unknownMember)),
      jest.spyOn(Broker.prototype, 'syncGroup').mockImplementationOnce(answer(coordinatorLoads)),
    ]
    await until(async () => spies.every((spy) => spy.mock.calls.length > 0))
    const sent = some(10)
    await log.publish(sent)
    await expectAll(name, sent)
    expect(told.map(({ fields }) => String(fields.err))).toContain('Error: Kafka did not let the member join anew')
    for (const spy of spies) spy.mockRestore()
  })

  test('regression: a member that lives and reads nothing is built anew', async () => {
    const { openLog, consume, told } = open()
    const log = openLog({ silenceMs: 2_000 })
    const name = unique('unread')
    await consume(log, name)
    const early = some(10)
    await log.publish(early)
    await expectAll(name, early)
    const fetch = Broker.prototype.fetch
    let starved: unknown
    const spy = jest.spyOn(Broker.prototype, 'fetch').mockImplementation(async function (this: unknown, ...args: []) {
      starved ??= this
      if (this !== starved) return fetch.apply(this as typeof Broker.prototype, args)
      await new Promise((resolve) => setTimeout(resolve, 50))
      return { responses: [] }
    })
    await until(async () => starved !== undefined)
    const sent = some(10)
    await log.publish(sent)
    await expectAll(name, sent)
    expect(told.some(({ fields }) => /^Error: nobody reads partition/.test(String(fields.err)))).toBe(true)
    spy.mockRestore()
  })

  test('regression: an answer that kafkajs lost is not waited for for ever', async () => {
    const { openLog, consume } = open()
    const log = openLog({ silenceMs: 2_000 })
    const name = unique('lost-answer')
    await consume(log, name)
    const early = some(40)
    await log.publish(early)
    await expectAll(name, early)
    // From now on kafkajs has no question of its own for the offsets.
    await until(async () => (await log.committedOffsets(faultTopic, name)).size === faultPartitions)
    const spy = jest.spyOn(Broker.prototype, 'listOffsets').mockImplementationOnce(() => new Promise(() => undefined))
    await consume(log, name)
    await until(async () => spy.mock.calls.length > 0)
    const sent = some(40)
    await log.publish(sent)
    await expectAll(name, sent)
    spy.mockRestore()
  })

  test('regression: a send that kafkajs lost is not waited for for ever, and what comes behind it is sent', async () => {
    const { openLog } = open()
    const log = openLog({ silenceMs: 2_000 })
    await log.publish(some(1))
    const spy = jest.spyOn(Broker.prototype, 'produce').mockImplementationOnce(() => new Promise(() => undefined))
    await expect(log.publish(some(10))).rejects.toThrow('Kafka was asked and did not answer for 2000 ms')
    await log.publish(some(10))
    spy.mockRestore()
  })

  test('regression: a topic of somebody else that has no leader keeps out neither a producer nor a start', async () => {
    const { openLog } = open()
    const foreign = unique('foreign')
    const admin = new Kafka({ clientId: 'test', brokers: brokers.split(','), logLevel: logLevel.NOTHING }).admin()
    await admin.connect()
    await admin.createTopics({ topics: [{ topic: foreign, numPartitions: 1 }] })
    await admin.disconnect()
    const gone = withoutLeader(foreign)
    const log = openLog()
    await log.publish(some(10))
    expect(gone.told()).toBeGreaterThan(0)
    gone.restore()
  })

  test('regression: a partition without a leader holds up neither the reading nor the sending of the others, and goes on when it has one', async () => {
    const { openLog, consume, told } = open()
    await openLog().publish(some(40))
    const log = openLog()
    const name = unique('leaderless')
    const away = 0
    const gone = withoutLeader(faultTopic, away)
    const consumer = await consume(log, name)
    const sent = some(80)
    const isAway = ({ key }: NewLogRecord) => partitionOf(key, faultPartitions) === away
    const [held, others] = [sent.filter(isAway), sent.filter((record) => !isAway(record))]
    const fault = (await log.publish(sent).catch((error: Error) => error)) as PartlyPublished
    expect(fault).toBeInstanceOf(PartlyPublished)
    expect([...fault.stored]).toEqual(others)
    await expectAll(name, others)
    await expect(log.ends(faultTopic)).rejects.toThrow(`a partition of ${faultTopic} has no leader`)
    // Of the others backpressure and the gauge of the lag go on.
    const known = [...(await log.ends(faultTopic, { isPartial: true })).keys()]
    expect(known).toEqual(places.filter((partition) => partition !== away))
    expect(await effectsOf(name, held)).toEqual([])
    const ofLeaders = () => told.filter(({ message }) => message.startsWith('Kafka partition has'))
    await until(async () => ofLeaders().length > 0)
    gone.restore()
    await log.publish(held)
    await consumer.whenCaughtUp()
    await expectAll(name, sent)
    await expectOnceInOrder({ log, pool }, name, faultTopic)
    expect(ofLeaders().map(({ message, fields }) => [message, fields.partition])).toEqual([
      ['Kafka partition has no leader and waits, the others are read', away],
      ['Kafka partition has a leader again', away],
    ])
  })

  test('regression: a partition without a leader is missed also where somebody added others', async () => {
    const { openLog } = open()
    const topic = unique('added')
    const topics = { [topic]: false }
    await openLog({ topics }).ensureTopics()
    const log = openLog({ topics })
    await log.ensureTopics()
    const admin = new Kafka({ clientId: 'test', brokers: brokers.split(','), logLevel: logLevel.NOTHING }).admin()
    await admin.connect()
    const count = 2 * faultPartitions
    await admin.createPartitions({ topicPartitions: [{ topic, count }] })
    await until(
      async () => (await admin.fetchTopicMetadata({ topics: [topic] })).topics[0]?.partitions.length === count,
    )
    await admin.disconnect()
    const gone = withoutLeader(topic, 0)
    expect((await log.ends(topic, { isPartial: true })).size).toBe(count - 1)
    await expect(log.ends(topic)).rejects.toThrow('has no leader')
    gone.restore()
  })

  test('regression: a link on which a full answer does not arrive in time is read in smaller ones', async () => {
    const { openLog, consume } = open()
    const proxy = await createFaultProxy()
    const name = unique('narrow')
    const writing = openLog()
    const sent = some(200)
    const payload = Buffer.alloc(4_000)
    // A broker hands on what was sent as one only as one.
    for (let at = 0; at < sent.length; at += 20) {
      await writing.publish(sent.slice(at, at + 20).map((record) => ({ ...record, payload })))
    }
    proxy.throttle(400_000)
    await consume(openLog({ socketFactory: proxy.socketFactory, requestTimeoutMs: 800 }), name)
    await expectAll(name, sent)
    await bench.close()
    await proxy.close()
  })
})
