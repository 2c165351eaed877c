// The local Kafka with real processes that are killed for it. Skipped where there is no Java; then the line says so.
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { type Admin, Kafka, logLevel } from 'kafkajs'
import { eventually, inChild, moduleUrl } from './child-program.fixture.ts'
import { type KafkaBroker, type KafkaCrash, removeKafka, startKafka } from './kafka-broker.ts'
import { orphanedBroker } from './kafka-process.ts'
import { answersAsKafka } from './kafka-readiness.ts'
import { LocalInfraError } from './local-infra-error.ts'
import { isAlive } from './process-liveness.ts'
import { whyNoOwnBroker } from './test-broker.ts'
import { takeTestPorts } from './test-ports.ts'

const missing = await whyNoOwnBroker()

let folder: string
let main: string
const brokers: KafkaBroker[] = []
beforeAll(() => {
  // A space and a comma, as a clone's folder may have them.
  folder = mkdtempSync(join(tmpdir(), 'wds kafka, '))
  chmodSync(folder, 0o755)
  main = join(folder, 'main')
})
afterEach(async () => {
  for (const broker of brokers.splice(0)) await broker.stop()
})
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))

async function start(options: Partial<Parameters<typeof startKafka>[0]> = {}): Promise<KafkaBroker> {
  const broker = await startKafka({ dataDirectory: main, port: 19_300, onNotice: () => undefined, ...options })
  brokers.push(broker)
  return broker
}

const clientOf = (broker: { brokers: string }) =>
  new Kafka({ clientId: 'test', brokers: [broker.brokers], logLevel: logLevel.NOTHING, retry: { retries: 20 } })

/** A new topic of one partition with that many acknowledged records. */
async function publish(broker: KafkaBroker, topic: string, count: number): Promise<void> {
  const admin = clientOf(broker).admin()
  await admin.connect()
  await admin.createTopics({ topics: [{ topic, numPartitions: 1 }], waitForLeaders: true })
  await admin.disconnect()
  const producer = clientOf(broker).producer({ allowAutoTopicCreation: false, idempotent: true })
  await producer.connect()
  await producer.send({
    topic,
    acks: -1,
    messages: Array.from({ length: count }, (_, n) => ({ value: `record ${n}` })),
  })
  await producer.disconnect()
}

/** A broker that has just started, or restarted, answers before it leads its partitions: then it is asked again, 200 times at most. */
async function offsetsOf(admin: Admin, topic: string): Promise<{ high: string; low: string }[]> {
  for (let asked = 1; ; asked += 1) {
    try {
      return await admin.fetchTopicOffsets(topic)
    } catch (error) {
      const isNotLedYet = error instanceof Error && 'type' in error && error.type === 'NOT_LEADER_FOR_PARTITION'
      if (!isNotLedYet || asked === 200) throw error
      await sleep(100)
    }
  }
}

/** Number of records by topic. */
async function topicsOf(broker: KafkaBroker): Promise<Record<string, number>> {
  const admin = clientOf(broker).admin()
  await admin.connect()
  const counts: Record<string, number> = {}
  for (const topic of await admin.listTopics()) {
    const partitions = await offsetsOf(admin, topic)
    counts[topic] = partitions.reduce((sum, { high, low }) => sum + Number(high) - Number(low), 0)
  }
  await admin.disconnect()
  return counts
}

const withJava = missing ? describe.skip : describe

withJava('a broker', () => {
  // One after the other on the same data: a start costs as much as all that is judged after it.
  test('finds a free port, serves on loopback, keeps its records over a stop, a kill and a crash, and is empty once it is wiped', async () => {
    const port = await (await takeTestPorts()).next()
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve))
    const first = await start({ port }).finally(() => new Promise((resolve) => other.close(resolve)))
    expect([first.adopted, first.port > port, first.port < 32_768]).toEqual([false, true, true])
    await publish(first, 'kept', 100)
    expect(await topicsOf(first)).toEqual({ kept: 100 })
    const producer = clientOf(first).producer({ allowAutoTopicCreation: true, retry: { retries: 0 } })
    await producer.connect()
    await expect(producer.send({ topic: 'unknown', messages: [{ value: 'x' }] })).rejects.toThrow()
    await producer.disconnect()
    // Regression: what another broker answers on the port is not taken for its own.
    const admin = clientOf(first).admin()
    await admin.connect()
    const { clusterId } = await admin.describeCluster()
    await admin.disconnect()
    expect(await answersAsKafka(first.port, { clusterId, port: first.port })).toBe(true)
    expect(await answersAsKafka(first.port, { clusterId: 'another', port: first.port })).toBe(false)
    const pid = first.pid()
    await Promise.all([first.stop(), first.stop()])
    expect(isAlive(pid)).toBe(false)

    const broker = await start({ port: first.port, portDemanded: true })
    expect([broker.brokers, broker.adopted]).toEqual([first.brokers, false])
    expect(await topicsOf(broker)).toEqual({ kept: 100 })
    const crashes: KafkaCrash[] = []
    const crashed = new Promise<void>((resolve) =>
      broker.onCrash((crash) => {
        crashes.push(crash)
        resolve()
      }),
    )
    await publish(broker, 'acknowledged', 10)
    const ofOwner = broker.pid()
    await broker.kill()
    expect(isAlive(ofOwner)).toBe(false)
    await broker.start()
    expect(broker.pid()).not.toBe(ofOwner)
    expect(await topicsOf(broker)).toEqual({ kept: 100, acknowledged: 10 })
    await broker.start()
    expect(crashes).toEqual([])

    await publish(broker, 'acknowledged-later', 10)
    const ofNobody = broker.pid()
    process.kill(ofNobody, 'SIGKILL')
    await crashed
    expect(crashes).toMatchObject([{ code: null, signal: 'SIGKILL', restarting: true }])
    const lines = crashes[0]?.lastLines.length ?? 0
    expect([lines > 0, lines <= 50]).toEqual([true, true])
    await eventually(() => broker.pid() !== ofNobody, 120_000, 'another process runs')
    expect(await topicsOf(broker)).toEqual({ kept: 100, acknowledged: 10, 'acknowledged-later': 10 })

    await broker.wipe()
    await broker.start()
    expect(await topicsOf(broker)).toEqual({})
  })

  /** A broker whose supervisor was killed. */
  async function leaveOne(): Promise<{ brokers: string; pid: number; errors: string }> {
    const { child, line, errors, exited } = await inChild(`
      const { startKafka } = await import(${moduleUrl('./kafka-broker.ts')})
      const broker = await startKafka({ dataDirectory: ${JSON.stringify(main)}, port: 19_400 })
      process.stdout.write(JSON.stringify({ brokers: broker.brokers, pid: broker.pid() }) + '\\n')
      setInterval(() => undefined, 1_000)`)
    child.kill('SIGKILL')
    await exited
    const left = JSON.parse(line) as { brokers: string; pid: number }
    expect(isAlive(left.pid)).toBe(true)
    return { ...left, errors: errors() }
  }

  test('is adopted with its port and records by the next start, when its supervisor was killed; regression: no start sets a timer of a negative delay', async () => {
    const left = await leaveOne()
    expect(left.errors).not.toContain('TimeoutNegativeWarning')
    const broker = await start()
    expect([broker.adopted, broker.brokers, broker.pid()]).toEqual([true, left.brokers, left.pid])
    await broker.stop()
    expect(isAlive(left.pid)).toBe(false)
  })

  test('is ended and its data are removed in whatever state they are, but not what is not its own', async () => {
    const left = await leaveOne()
    writeFileSync(join(main, 'records', 'meta.properties'), 'damaged')
    await removeKafka(main)
    expect([isAlive(left.pid), existsSync(main)]).toEqual([false, false])
    await removeKafka(main)
    mkdirSync(main)
    writeFileSync(join(main, 'letter.txt'), 'dear')
    await expect(removeKafka(main)).rejects.toThrow(/holds files but no Kafka data/)
    expect(readdirSync(main)).toEqual(['letter.txt'])
    rmSync(main, { recursive: true })
  })
})

withJava('a start that cannot succeed is one sentence and leaves nothing running', () => {
  async function refused(options: Partial<Parameters<typeof startKafka>[0]>, sentence: RegExp): Promise<void> {
    const error = await start(options).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(LocalInfraError)
    const { message } = error as LocalInfraError
    expect(message).toMatch(sentence)
    expect(message.split('\n')).toHaveLength(1)
    expect(orphanedBroker(options.dataDirectory ?? main)).toBeNull()
  }

  async function withEnvironment(changes: Record<string, string>, run: () => Promise<void>): Promise<void> {
    const before = Object.fromEntries(Object.keys(changes).map((name) => [name, process.env[name]]))
    Object.assign(process.env, changes)
    try {
      await run()
    } finally {
      for (const [name, value] of Object.entries(before)) {
        if (value === undefined) delete process.env[name]
        else process.env[name] = value
      }
    }
  }

  test('a demanded port that is taken', async () => {
    const port = await (await takeTestPorts()).next()
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve))
    try {
      await refused({ port, portDemanded: true }, new RegExp(`^Port ${port} is taken by another program`))
    } finally {
      await new Promise((resolve) => other.close(resolve))
    }
  })

  test('settings that Kafka refuses: its own reason is told, for new data and for old ones', async () => {
    const settings = { 'num.io.threads': 'banana' }
    await refused({ dataDirectory: join(folder, 'new'), settings }, /did not start.*num\.io\.threads/)
    await refused({ settings }, /did not start.*num\.io\.threads/)
  })

  test('a data folder that cannot be written', async () => {
    writeFileSync(join(folder, 'file'), '')
    await refused({ dataDirectory: join(folder, 'file', 'kafka') }, /data folder .* cannot be used/)
  })

  test('a second supervisor of the same data, while the first lives', async () => {
    const { child, line, exited } = await inChild(`
      const { claimSupervision } = await import(${moduleUrl('./supervision.ts')})
      claimSupervision(${JSON.stringify(main)}, 'Kafka')
      process.stdout.write('claimed\\n')
      setInterval(() => undefined, 1_000)`)
    expect(line).toBe('claimed')
    await refused({}, new RegExp(`^Process ${child.pid} already runs the Kafka`))
    child.kill('SIGKILL')
    await exited
  })

  test('no Java, and a Java that is too old', async () => {
    const empty = join(folder, 'empty')
    mkdirSync(empty)
    await withEnvironment({ PATH: empty, JAVA_HOME: '' }, () =>
      refused({}, /^No Java that runs was found on the path.*KAFKA_BROKERS/),
    )
    await withEnvironment({ JAVA_HOME: empty }, () =>
      refused({}, /^No Java that runs was found in JAVA_HOME.*KAFKA_BROKERS/),
    )
    const old = join(folder, 'old')
    mkdirSync(join(old, 'bin'), { recursive: true })
    writeFileSync(join(old, 'bin/java'), '#!/bin/sh\necho \'openjdk version "11.0.2" 2019-01-15\' >&2\n', {
      mode: 0o755,
    })
    await withEnvironment({ JAVA_HOME: old }, () => refused({}, /needs Java 17 and this is Java 11\.0\.2/))
  })

  test('jars that cannot be fetched, and no Maven: nothing stays in the cache', async () => {
    // MAVEN_OPTS knows no quotes, so no space here.
    const home = mkdtempSync(join(tmpdir(), 'wds-offline-'))
    const cacheDirectory = join(folder, 'cache')
    mkdirSync(join(home, '.m2'), { recursive: true })
    writeFileSync(join(home, '.m2/settings.xml'), '<settings><offline>true</offline></settings>')
    await withEnvironment({ MAVEN_OPTS: `-Duser.home=${home}` }, () =>
      refused({ cacheDirectory }, /^Kafka's jars cannot be fetched: Maven says: .*offline.*KAFKA_BROKERS/),
    )
    rmSync(home, { recursive: true })
    expect(readdirSync(cacheDirectory)).toEqual([])
    await refused(
      { cacheDirectory, signal: AbortSignal.abort() },
      /^Kafka's jars cannot be fetched: the start was called off/,
    )
    const onlyJava = join(folder, 'only-java')
    mkdirSync(onlyJava)
    writeFileSync(join(onlyJava, 'java'), `#!/bin/sh\nPATH='${process.env.PATH}' exec java "$@"\n`, { mode: 0o755 })
    await withEnvironment({ PATH: onlyJava, JAVA_HOME: '' }, () =>
      refused({ cacheDirectory }, /^Kafka's jars cannot be fetched: Maven \(mvn\) is not installed.*KAFKA_BROKERS/),
    )
    expect(readdirSync(cacheDirectory)).toEqual([])
  })
})

const asRoot = process.getuid?.() === 0 && !missing
;(asRoot ? test : test.skip)('runs as an ordinary user as well, with nothing of root', async () => {
  const home = join(folder, 'home of nobody')
  const cached = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'wds-local')
  cpSync(cached, join(home, '.cache/wds-local'), { recursive: true })
  for (const name of ['', ...readdirSync(home, { recursive: true, encoding: 'utf8' })])
    chownSync(join(home, name), 65_534, 65_534)
  const program = `
    const { startKafka } = await import(${moduleUrl('./kafka-broker.ts')})
    const broker = await startKafka({ dataDirectory: ${JSON.stringify(join(home, 'kafka'))}, port: 19_500 })
    process.stdout.write(broker.brokers + '\\n')
    await broker.stop()`
  const env = { PATH: process.env.PATH, HOME: home }
  const { line, exited } = await inChild(program, { uid: 65_534, gid: 65_534, env })
  expect(line).toMatch(/^127\.0\.0\.1:\d+$/)
  expect(await exited).toBe(0)
  expect(orphanedBroker(join(home, 'kafka'))).toBeNull()
  expect(existsSync(join(home, 'kafka', 'wds-supervisor'))).toBe(false)
})
