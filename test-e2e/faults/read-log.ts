/** What a topic of a broker holds, for the checkers. */
import { randomBytes } from 'node:crypto'
import { topics } from '@wds/contracts/topics'
import { createKafkaLog } from '@wds/event-log/kafka-log'
import type { LogRecord } from '@wds/event-log/port'
import { eventually } from '../harness/standalone.ts'
import { idsBy } from './read-history.ts'

/** All records up to the ends at the call; those of a partition in their order. */
export async function readTopic(o: { brokers: string; topic: string; partitions: number }): Promise<LogRecord[]> {
  const log = createKafkaLog({ brokers: [o.brokers], clientId: 'test', partitions: o.partitions })
  const read: LogRecord[] = []
  const last = new Map<number, bigint>()
  try {
    const ends = await log.ends(o.topic)
    const subscription = await log.subscribe({
      group: `test.${randomBytes(4).toString('hex')}`,
      topics: [o.topic],
      positionOf: async () => null,
      async onBatch(batch) {
        read.push(...batch.records)
        last.set(batch.partition, batch.records.at(-1)?.offset ?? -1n)
      },
    })
    await eventually('the log is read', async () =>
      [...ends].every(([partition, end]) => (last.get(partition) ?? -1n) >= end),
    )
    await subscription.stop()
  } finally {
    await log.close()
  }
  return read
}

/** Ids of `integration.updated`, by integration, as they stand in the log. */
export async function readUpdates(brokers: string, partitions: number): Promise<Map<string, string[]>> {
  const read = await readTopic({ brokers, partitions, topic: topics.workspaceEvents })
  const updates = read.filter(({ headers }) => headers.event_type === 'integration.updated')
  return idsBy(
    updates.map(({ eventId, payload }) => {
      const { data } = JSON.parse(Buffer.from(payload ?? []).toString('utf8')) as { data: { integration_id: string } }
      return [data.integration_id, eventId]
    }),
  )
}
