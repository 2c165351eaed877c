// Telemetry of a consumer: spans of its records, their count and duration, and its lag.
import { idTimeMs, isId } from '@wds/contracts/ids'
import type { Pool } from '@wds/postgres/pool'
import { startProcess } from '@wds/telemetry/messaging-spans'
import { isMetering, observe, timed } from '@wds/telemetry/metrics'
import { consumerMetrics } from '@wds/telemetry/platform-metrics'
import { positionsOf } from './consumer-store.ts'
import { countKeptDeadLetters } from './dead-letters.ts'
import { placeOf } from './places.ts'
import type { EventLog, LogLogger, LogRecord, LostRecords } from './port.ts'

const { lag, lost, wait, consumed, processDuration, deadLetters, keptDeadLetters } = consumerMetrics

/** Runs `work`, which applies records of one topic, inside their spans; counts and times it. */
export async function withConsumerTelemetry<T>(
  consumer: string,
  records: readonly LogRecord[],
  work: () => Promise<T>,
): Promise<T> {
  const topic = records[0]?.topic ?? ''
  const labels = { 'messaging.consumer.group.name': consumer, 'messaging.destination.name': topic }
  const result = await timed(processDuration, labels, () => startProcess(consumer, records).around(work))
  consumed.add(records.length, labels)
  if (isMetering()) recordWaits(consumer, topic, records)
  return result
}

/** Time from event to effect. Ids carry the database's time, so a host clock that is behind shows 0. It must not throw: the records took effect. */
function recordWaits(consumer: string, topic: string, records: readonly LogRecord[]): void {
  const nowMs = Date.now()
  for (const { eventId, headers } of records) {
    if (!isId('evt', eventId)) continue
    wait.record(Math.max(0, nowMs - idTimeMs(eventId)) / 1_000, { consumer, topic }, headers.traceparent)
  }
}

/** Counts a record that was moved to the dead letters. */
export function countDeadLetter(consumer: string, record: LogRecord): void {
  deadLetters.add(1, { consumer, topic: record.topic })
}

/**
 * Publishes lag (of the consumer's own positions, in the partitions that can be asked), lost partitions, and dead letters: counted from
 * 0, and how many are kept. The returned function ends it.
 */
export function observeConsumer(o: {
  log: EventLog
  pool: Pool
  name: string
  topics: string[]
  lost(): LostRecords[]
  logger: LogLogger
}): () => void {
  for (const topic of o.topics) deadLetters.begin({ consumer: o.name, topic })
  const endLosses = observe([lost], {
    onError: (error) =>
      o.logger.warn({ err: error, consumer: o.name }, 'lost partitions of a consumer could not be read'),
    async read(report) {
      const losses = o.lost()
      for (const topic of o.topics) {
        report(lost, losses.filter((one) => one.topic === topic).length, { consumer: o.name, topic })
      }
    },
  })
  const endLag = observe([lag], {
    onError: (error) => o.logger.warn({ err: error, consumer: o.name }, 'consumer lag could not be read'),
    async read(report) {
      const positions = await positionsOf(o.pool, o.name)
      for (const topic of o.topics) {
        const behind = [...(await o.log.ends(topic, { isPartial: true }))].map(([partition, end]) =>
          Number(end - (positions.get(placeOf({ topic, partition })) ?? -1n)),
        )
        const records = behind.reduce((sum, n) => sum + Math.max(0, n), 0)
        report(lag, records, { consumer: o.name, topic })
      }
    },
  })
  // Apart from the lag, which cannot be read while the log is away.
  const endKept = observe([keptDeadLetters], {
    onError: (error) =>
      o.logger.warn({ err: error, consumer: o.name }, 'dead letters of a consumer could not be counted'),
    async read(report) {
      report(keptDeadLetters, await countKeptDeadLetters(o.pool, o.name), { consumer: o.name })
    },
  })
  return () => {
    endKept()
    endLosses()
    endLag()
  }
}
