/** What a process refuses at its start on Kafka: one sentence that says what to do, on standard error, and exit code 1. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { whyNoOwnBroker } from '@wds/local-infra/test-broker'
import {
  type AclEntry,
  AclOperationTypes,
  AclPermissionTypes,
  AclResourceTypes,
  type Admin,
  Kafka,
  logLevel,
  ResourcePatternTypes,
} from 'kafkajs'
import { type Stack, startStack } from '../../harness/stack.ts'

const suite = (await whyNoOwnBroker()) === null ? describe : describe.skip

suite('a start on Kafka is refused', () => {
  let stack: Stack
  let admin: Admin
  beforeAll(async () => {
    stack = await startStack({
      kafka: true,
      kafkaSettings: {
        'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
        'allow.everyone.if.no.acl.found': 'true',
      },
    })
    const brokers = [stack.kafka?.brokers as string]
    admin = new Kafka({ clientId: 'test', brokers, logLevel: logLevel.NOTHING }).admin()
    await admin.connect()
  })
  afterAll(async () => {
    await admin?.disconnect()
    await stack?.stop()
  })

  const entry = (o: Pick<AclEntry, 'resourceType' | 'resourceName'> & Partial<AclEntry>): AclEntry => ({
    resourcePatternType: ResourcePatternTypes.LITERAL,
    principal: 'User:ANONYMOUS',
    host: '*',
    operation: AclOperationTypes.ALL,
    permissionType: AclPermissionTypes.DENY,
    ...o,
  })

  /** The rights are missing until `work` is done; everything that is not named here stays allowed. */
  async function without<T>(denied: AclEntry[], work: () => Promise<T>): Promise<T> {
    const { ALLOW: permissionType } = AclPermissionTypes
    const { ALL: operation } = AclOperationTypes
    const acl = [...denied.map((one) => ({ ...one, operation, permissionType })), ...denied]
    await admin.createAcls({ acl })
    try {
      return await work()
    } finally {
      await admin.deleteAcls({ filters: acl })
    }
  }

  async function expectRefused(sentence: RegExp, env: Record<string, string> = {}): Promise<void> {
    const { code, output } = await stack.run('delivery', [], env)
    const told = output.split('\n').filter((line) => line !== '' && !line.startsWith('{'))
    expect(told).toEqual([expect.stringMatching(sentence)])
    expect(code).toBe(1)
  }

  test('when topics are missing and may not be made', async () => {
    const { CREATE: operation } = AclOperationTypes
    const cluster = entry({ resourceType: AclResourceTypes.CLUSTER, resourceName: 'kafka-cluster', operation })
    const topics = entry({ resourceType: AclResourceTypes.TOPIC, resourceName: '*', operation })
    await without([cluster, topics], () =>
      expectRefused(
        /^delivery: Kafka has no topic auth\.events, .* make them with 12 partitions, or grant the rights\.$/,
      ),
    )
    expect(await admin.listTopics()).toEqual([])
  })

  describe('where the topics are there', () => {
    beforeAll(async () => {
      // Where nobody has looked at the log for 10 s, a start waits for auth's word, and this suite may take longer (auth.md 5.6).
      await stack.start('auth')
      const delivery = await stack.start('delivery')
      expect(await delivery.stop()).toBe(0)
    })

    test('when they have another number of partitions', () =>
      expectRefused(/^delivery: the topic \S+ has 12 partitions, WDS_LOG_PARTITIONS says 5$/, {
        WDS_LOG_PARTITIONS: '5',
      }))

    test('when one has a wrong cleanup policy', async () => {
      const resource = (value: string) => ({
        validateOnly: false,
        resources: [{ type: 2, name: 'workspace.events', configEntries: [{ name: 'cleanup.policy', value }] }],
      })
      await admin.alterConfigs(resource('compact'))
      const sentence = /^delivery: the topic workspace\.events has the cleanup\.policy compact, it must be delete/
      await expectRefused(sentence).finally(() => admin.alterConfigs(resource('delete')))
    })

    test('when a topic may not be seen', () =>
      without([entry({ resourceType: AclResourceTypes.TOPIC, resourceName: 'workspace.events' })], () =>
        expectRefused(/^delivery: Kafka .*(workspace\.events|the right to the topic)/),
      ))

    test('when a topic may not be read', () =>
      without(
        [
          entry({
            resourceType: AclResourceTypes.TOPIC,
            resourceName: 'workspace.events',
            operation: AclOperationTypes.READ,
          }),
        ],
        () => expectRefused(/^delivery: Kafka refuses .*lacks the right to the topic\.$/),
      ))

    test('when the consumer group may not be read', () =>
      without([entry({ resourceType: AclResourceTypes.GROUP, resourceName: 'delivery.ingest' })], () =>
        expectRefused(/^delivery: Kafka refuses the (consumer )?group.*lacks the right/),
      ))

    test('and starts once everything is granted', async () => {
      const delivery = await stack.start('delivery')
      expect(await delivery.stop()).toBe(0)
    })
  })
})
