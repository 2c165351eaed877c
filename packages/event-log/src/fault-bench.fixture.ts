// Logs and consumers of a suite that makes faults, on any broker: what they told and what took effect can be counted.
import type { Pool } from '@wds/postgres/pool'
import type { Transaction } from '@wds/postgres/transaction'
import { type ConsumerOptions, type RunningConsumer, runConsumer } from './consumer.ts'
import { noteEffects } from './effects-table.ts'
import { createKafkaLog, type KafkaLogOptions } from './kafka-log.ts'
import type { EventLog, LogRecord } from './port.ts'

/** As the other suites have on the broker that a run shares: the topics of every log are the same. */
export const faultPartitions = 12

/** Logs and consumers of a suite on one topic; `close` ends those that still run. */
export function createFaultBench(brokers: string, pool: Pool, topic: string, partitions: number = faultPartitions) {
  const logs: EventLog[] = []
  const consumers: RunningConsumer[] = []
  const told: { level: string; message: string; fields: Record<string, unknown> }[] = []
  const hear = (level: string) => (fields: object, message: string) =>
    void told.push({ level, message, fields: fields as Record<string, unknown> })
  const logger = { info: hear('info'), warn: hear('warn'), error: hear('error') }
  return {
    told,
    openLog(o: Partial<KafkaLogOptions> = {}): EventLog {
      const log = createKafkaLog({
        brokers: brokers.split(','),
        clientId: 'test',
        partitions,
        topics: { [topic]: false },
        // 6 s is the least that a broker takes by default.
        sessionTimeoutMs: 6_000,
        logger,
        ...o,
      })
      logs.push(log)
      return log
    },
    async consume(log: EventLog, name: string, o: Partial<ConsumerOptions> = {}): Promise<RunningConsumer> {
      const consumer = await runConsumer({
        log,
        pool,
        name,
        topics: [topic],
        dedupe: 'inbox',
        logger,
        handleBatch: (tx: Transaction, records: LogRecord[]) => noteEffects(tx, name, records, 'a'),
        ...o,
      })
      consumers.push(consumer)
      return consumer
    },
    async eventIds(name: string): Promise<string[]> {
      const { rows } = await pool.query<{ event_id: string }>(
        'select event_id from effects where consumer = $1 order by n',
        [name],
      )
      return rows.map((row) => row.event_id)
    },
    async close(): Promise<void> {
      await Promise.all(consumers.map((consumer) => consumer.stop()))
      await Promise.all(logs.map((log) => log.close()))
    },
  }
}
