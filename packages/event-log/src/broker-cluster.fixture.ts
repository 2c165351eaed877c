// Three brokers as a cluster of production has them (kubernetes.md): three copies of each record, two of which must be in sync. The
// first is the controller as well and stays up; the others may be stopped and killed.

import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { type KafkaBroker, startKafka } from '@wds/local-infra/kafka-broker'
import { whyNoOwnBroker } from '@wds/local-infra/test-broker'
import { takeTestPorts } from '@wds/local-infra/test-ports'
import { brokerFolder } from './own-broker.fixture.ts'

export interface BrokerCluster {
  /** `host:port` of each. */
  brokers: string[]
  /** Those that lead and follow like the first one, and of which one at a time may be away. */
  members: [KafkaBroker, KafkaBroker]
  end(): Promise<void>
}

const settings = {
  'default.replication.factor': '3',
  'min.insync.replicas': '2',
  'offsets.topic.replication.factor': '3',
  'group.min.session.timeout.ms': '1000',
  // A broker that is back leads again soon; the default is 5 minutes.
  'leader.imbalance.check.interval.seconds': '1',
}

/** Null, and one line, where this machine cannot run brokers; an error where Kafka tests are required (the default under CI). */
export async function startBrokerCluster(): Promise<BrokerCluster | null> {
  if ((await whyNoOwnBroker()) !== null) return null
  const folder = brokerFolder(tmpdir())
  const started: KafkaBroker[] = []
  const end = async () => {
    for (const broker of started) await broker.kill()
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }
  try {
    const { next } = await takeTestPorts()
    const start = async (nodeId: number, cluster?: KafkaBroker): Promise<KafkaBroker> => {
      const broker = await startKafka(
        withoutUndefined({
          dataDirectory: join(brokerFolder(folder), 'kafka'),
          port: await next(),
          settings,
          joins: cluster === undefined ? undefined : { cluster, nodeId },
        }),
      )
      started.push(broker)
      return broker
    }
    const first = await start(1)
    const starting = [start(2, first), start(3, first)] as const
    // Both are waited for, so that none is left running where the other fails.
    await Promise.allSettled(starting)
    const members = await Promise.all(starting)
    return { brokers: [first, ...members].map(({ brokers }) => brokers), members, end }
  } catch (error) {
    await end()
    throw error
  }
}
