// What a consumer tells of its work: the spans of its records, their number and time, and how far behind it is.
import { idTimeMs, isId } from '@wds/contracts/ids'
import type { Pool } from '@wds/postgres/pool'
import { startProcess } from '@wds/telemetry/messaging-spans'
import { isMetering, observe, timed } from '@wds/telemetry/metrics'
import { consumerMetrics } from '@wds/telemetry/platform-metrics'
import { positionsOf } from './consumer-store.ts'
import type { EventLog, LogLogger, LogRecord, LostRecords } from './port.ts'

const { lag, lost, wait, consumed, processDuration, deadLetters } = consumerMetrics

/** Runs the taking into effect of records of one topic within their spans, timed. */
export async function told<T>(consumer: string, records: readonly LogRecord[], work: () => Promise<T>): Promise<T> {
  const topic = records[0]?.topic ?? ''
  const labels = { 'messaging.consumer.group.name': consumer, 'messaging.destination.name': topic }
  const result = await timed(processDuration, labels, () => startProcess(consumer, records).around(work))
  consumed.add(records.length, labels)
  if (isMetering()) tellOfWaits(consumer, topic, records)
  return result
}

/** Ids carry the database's time: a host whose clock is behind it shows no wait. Records took effect: nothing here may fail. */
function tellOfWaits(consumer: string, topic: string, records: readonly LogRecord[]): void {
  const nowMs = Date.now()
  for (const { eventId } of records) {
    if (isId('evt', eventId)) wait.record(Math.max(0, nowMs - idTimeMs(eventId)) / 1_000, { consumer, topic })
  }
}

/** Counts a record that was put aside. */
export function tellOfDeadLetter(consumer: string, record: LogRecord): void {
  deadLetters.add(1, { consumer, topic: record.topic })
}

/** Makes lag and losses readable; returns how to end it. The lag is that of the consumer's own positions. */
export function observeConsumer(o: {
  log: EventLog
  pool: Pool
  name: string
  topics: string[]
  lost(): LostRecords[]
  logger: LogLogger
}): () => void {
  const endLosses = observe([lost], {
    onError: (error) => o.logger.warn({ err: error, consumer: o.name }, 'the losses of a consumer could not be read'),
    async read(report) {
      const losses = o.lost()
      for (const topic of o.topics) {
        report(lost, losses.filter((one) => one.topic === topic).length, { consumer: o.name, topic })
      }
    },
  })
  const endLag = observe([lag], {
    onError: (error) => o.logger.warn({ err: error, consumer: o.name }, 'the lag of a consumer could not be read'),
    async read(report) {
      const positions = await positionsOf(o.pool, o.name)
      for (const topic of o.topics) {
        const behind = [...(await o.log.ends(topic))].map(([partition, end]) =>
          Number(end - (positions.get(`${topic}/${partition}`) ?? -1n)),
        )
        const records = behind.reduce((sum, n) => sum + Math.max(0, n), 0)
        report(lag, records, { consumer: o.name, topic })
      }
    },
  })
  return () => {
    endLosses()
    endLag()
  }
}
