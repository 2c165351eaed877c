// The log on Kafka under the conformance suite, on the broker that the test run shares.
import { randomBytes } from 'node:crypto'
import { describe, test } from '@jest/globals'
import { findTestBroker } from '@wds/local-infra/test-broker'
import { createPool, type Pool } from '@wds/postgres/pool'
import { runConformanceSuite } from './conformance.ts'
import type { ConformanceMember } from './conformance-harness.ts'
import { createFaultProxy, type FaultProxy } from './fault-proxy.fixture.ts'
import { createKafkaLog } from './kafka-log.ts'
import { prepareConsumerDatabase, stallable } from './log.fixture.ts'

const shared = await findTestBroker()
const partitions = 12
const run = randomBytes(4).toString('hex')
const freshTopics = Array.from({ length: 15 }, (_, n) => `fresh.${run}.${n}`)
const compactedTopic = `fresh.${run}.compacted`
const topics = { ...Object.fromEntries(freshTopics.map((topic) => [topic, false])), [compactedTopic]: true }

if ('missing' in shared) {
  describe('event log: Kafka', () => test.skip(shared.missing, () => undefined))
} else {
  const brokers = shared.brokers.split(',')
  runConformanceSuite({
    name: 'Kafka',
    async setUp() {
      const database = await prepareConsumerDatabase()
      const opened: { member: ConformanceMember; own: Pool; proxy: FaultProxy }[] = []
      let used = 0
      return {
        partitions,
        compactedTopic,
        freshTopic: () => freshTopics[used++] ?? 'no topic left',
        async openMember() {
          const own = createPool({ connectionString: database.urls.services.delivery.worker, applicationName: 'test' })
          const proxy = await createFaultProxy()
          const { pool, stall, resume } = stallable(own)
          const { socketFactory } = proxy
          const member = {
            // 6 s is the least that a broker takes by default.
            log: createKafkaLog({
              brokers,
              clientId: 'test',
              partitions,
              topics,
              sessionTimeoutMs: 6_000,
              socketFactory,
            }),
            pool,
            stall() {
              stall()
              proxy.stall()
            },
            resume() {
              resume()
              proxy.resume()
            },
          }
          opened.push({ member, own, proxy })
          return member
        },
        async close() {
          await Promise.all(opened.map(({ member }) => member.log.close()))
          await Promise.all(opened.map(({ own, proxy }) => Promise.all([own.end(), proxy.close()])))
          await database.drop()
        },
      }
    },
  })
}
