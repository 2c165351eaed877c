// What is refused at the start, in one sentence: another number of partitions, topics that may not be made, missing rights.
import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import {
  type AclEntry,
  AclOperationTypes,
  AclPermissionTypes,
  AclResourceTypes,
  Kafka,
  logLevel,
  ResourcePatternTypes,
} from 'kafkajs'
import { newRecord } from './conformance-harness.ts'
import { createKafkaLog, type KafkaLogOptions } from './kafka-log.ts'
import { createKafkaTopics } from './kafka-topics.ts'
import { startOwnBroker } from './own-broker.fixture.ts'
import { type EventLog, LogRefused, PartitionsDiffer } from './port.ts'

const own = await startOwnBroker({
  'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
  'allow.everyone.if.no.acl.found': 'true',
})
const suite = own ? describe : describe.skip

suite('a start on Kafka is refused', () => {
  const { broker, end } = own ?? (null as never)
  const logs: EventLog[] = []
  const open = (o: Partial<KafkaLogOptions> = {}) => {
    const log = createKafkaLog({
      brokers: [broker.brokers],
      clientId: 'test',
      partitions: 4,
      topics: { 'plain.topic': false, 'readonly.topic': false, 'unread.topic': false },
      ...o,
    })
    logs.push(log)
    return log
  }
  beforeAll(async () => {
    await open().ensureTopics()
    const admin = new Kafka({ clientId: 'test', brokers: [broker.brokers], logLevel: logLevel.NOTHING }).admin()
    await admin.connect()
    const entry = (o: Partial<AclEntry>): AclEntry => ({
      resourceType: AclResourceTypes.TOPIC,
      resourceName: 'denied.',
      resourcePatternType: ResourcePatternTypes.PREFIXED,
      principal: 'User:ANONYMOUS',
      host: '*',
      operation: AclOperationTypes.ALL,
      permissionType: AclPermissionTypes.DENY,
      ...o,
    })
    const cluster = {
      resourceType: AclResourceTypes.CLUSTER,
      resourceName: 'kafka-cluster',
      resourcePatternType: ResourcePatternTypes.LITERAL,
    }
    await admin.createAcls({
      acl: [
        entry({}),
        entry({ resourceType: AclResourceTypes.GROUP }),
        entry({ resourceName: 'readonly.', permissionType: AclPermissionTypes.ALLOW }),
        entry({ resourceName: 'readonly.', operation: AclOperationTypes.WRITE }),
        entry({ resourceName: 'unread.', permissionType: AclPermissionTypes.ALLOW }),
        entry({ resourceName: 'unread.', operation: AclOperationTypes.READ }),
        entry({ ...cluster, permissionType: AclPermissionTypes.ALLOW }),
        entry({ ...cluster, operation: AclOperationTypes.CREATE }),
      ],
    })
    await admin.disconnect()
  })
  afterEach(async () => {
    await Promise.all(logs.splice(0).map((log) => log.close()))
  })
  afterAll(() => end())

  const subscribe = (group: string, topic: string) =>
    open().subscribe({
      group: `${group}.${randomBytes(4).toString('hex')}`,
      topics: [topic],
      positionOf: async () => null,
      onBatch: async () => undefined,
    })
  const refusalOf = async (promise: Promise<unknown>): Promise<Error> => {
    const error = await promise.then(
      () => new Error('nothing was refused'),
      (thrown: Error) => thrown,
    )
    // Where it was another fault, the run shows which.
    if (!(error instanceof LogRefused || error instanceof PartitionsDiffer)) throw error
    expect(error.message.split('\n')).toHaveLength(1)
    return error
  }

  test('when the topics have another number of partitions', async () => {
    const error = await refusalOf(open({ partitions: 5 }).ensureTopics())
    expect(error).toBeInstanceOf(PartitionsDiffer)
    expect(error.message).toMatch(/^the topic \S+ has 4 partitions, WDS_LOG_PARTITIONS says 5$/)
  })

  test('regression: when somebody added partitions, but who runs already goes on', async () => {
    const options = { topics: new Map([['grown.topic', false]]), partitions: 4, answerMs: 30_000 }
    const openTopics = () => createKafkaTopics({ brokers: [broker.brokers], clientId: 'test' }, options)
    const [running, next] = [openTopics(), openTopics()]
    try {
      await running.ensure()
      const admin = new Kafka({ clientId: 'test', brokers: [broker.brokers], logLevel: logLevel.NOTHING }).admin()
      await admin.connect()
      await admin.createPartitions({ topicPartitions: [{ topic: 'grown.topic', count: 6 }] })
      await admin.disconnect()
      // As after a leader that moved.
      running.forget()
      await running.ensure()
      expect(await refusalOf(next.ensure())).toBeInstanceOf(PartitionsDiffer)
    } finally {
      await Promise.all([running.close(), next.close()])
    }
  })

  test('when topics are missing and may not be made', async () => {
    const error = await refusalOf(open({ topics: { 'denied.topic': false } }).ensureTopics())
    expect(error).toBeInstanceOf(LogRefused)
    expect(error.message).toMatch(/^Kafka has no topic denied\.topic that this client may see/)
  })

  test('when a topic that is to be compacted is cut by age, or the other way round', async () => {
    await open({ topics: { 'aged.topic': false, 'kept.topic': true } }).ensureTopics()
    for (const [topics, wrong] of [
      [{ 'aged.topic': true }, 'aged.topic has the cleanup.policy delete, it must be compact'],
      [{ 'kept.topic': false }, 'kept.topic has the cleanup.policy compact, it must be delete'],
    ] as const) {
      const error = await refusalOf(open({ topics }).ensureTopics())
      expect(error).toBeInstanceOf(LogRefused)
      expect(error.message).toBe(`the topic ${wrong}: set it so`)
    }
  })

  test.each([
    ['packs a topic as no consumer can unpack it', 'compression.type', 'zstd', 'producer'],
    ['takes less of a topic at once than is sent', 'max.message.bytes', '524288', 'at least 1048576'],
  ])('regression: when the broker %s', async (_, name, value, wanted) => {
    const topic = `set.${name}`
    const topics = { [topic]: false }
    await open({ topics }).ensureTopics()
    const admin = new Kafka({ clientId: 'test', brokers: [broker.brokers], logLevel: logLevel.NOTHING }).admin()
    await admin.connect()
    const configEntries = [{ name, value }]
    await admin.alterConfigs({ validateOnly: false, resources: [{ type: 2, name: topic, configEntries }] })
    await admin.disconnect()
    const error = await refusalOf(open({ topics }).ensureTopics())
    expect(error.message).toBe(`the topic ${topic} has the ${name} ${value}, it must be ${wanted}: set it so`)
  })

  test('when the consumer group may not be read', async () => {
    const error = await refusalOf(subscribe('denied', 'plain.topic'))
    expect(error).toBeInstanceOf(LogRefused)
    expect(error.message).toMatch(/^Kafka refuses the (consumer )?group.*: this client lacks the right/)
  })

  test('when a topic may not be read', async () => {
    const error = await refusalOf(subscribe('reading', 'unread.topic'))
    expect(error).toBeInstanceOf(LogRefused)
    expect(error.message).toMatch(/^Kafka refuses .*: this client lacks the right to the topic\.$/)
  })

  test('and a topic that may not be written is named when something is sent to it', async () => {
    const error = await refusalOf(open().publish([newRecord('readonly.topic', 'k')]))
    expect(error).toBeInstanceOf(LogRefused)
    expect(error.message).toBe('Kafka refuses records of readonly.topic: this client lacks the right to the topic.')
  })
})
