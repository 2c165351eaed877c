/** What a topic of the log holds, for the checkers. */
import { randomBytes } from 'node:crypto'
import { topics } from '@wds/contracts/topics'
import { createKafkaLog } from '@wds/event-log/kafka-log'
import type { EventLog, LogRecord } from '@wds/event-log/port'
import { createPostgresLog } from '@wds/event-log/postgres-log'
import { createPool } from '@wds/postgres/pool'
import { eventually } from '../../harness/standalone.ts'
import { idsBy } from './read-history.ts'

/** A broker's address, or that of a worker's role in the database that the log is in. */
export type LogPlace = { brokers: string } | { postgres: string }

export function openLog(place: LogPlace, partitions: number): { log: EventLog; close(): Promise<void> } {
  if ('brokers' in place) {
    const log = createKafkaLog({ brokers: [place.brokers], clientId: 'test', partitions })
    return { log, close: () => log.close() }
  }
  const pool = createPool({ connectionString: place.postgres, applicationName: 'test', max: 2 })
  const log = createPostgresLog({ pool, partitions })
  return {
    log,
    close: async () => {
      await log.close()
      await pool.end()
    },
  }
}

/** All records up to the ends at the call; those of a partition in their order. */
export async function readTopic(o: { from: LogPlace; topic: string; partitions: number }): Promise<LogRecord[]> {
  const { log, close } = openLog(o.from, o.partitions)
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
    await close()
  }
  return read
}

/** Ids of a workspace's `integration.updated`, by integration, as they stand in the log. */
export async function readUpdates(o: {
  from: LogPlace
  partitions: number
  workspaceId: string
}): Promise<Map<string, string[]>> {
  const read = await readTopic({ ...o, topic: topics.workspaceEvents })
  const updates = read.filter(
    ({ headers }) => headers.event_type === 'integration.updated' && headers.workspace_id === o.workspaceId,
  )
  return idsBy(
    updates.map(({ eventId, payload }) => {
      const { data } = JSON.parse(Buffer.from(payload ?? []).toString('utf8')) as { data: { integration_id: string } }
      return [data.integration_id, eventId]
    }),
  )
}
