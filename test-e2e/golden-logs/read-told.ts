/** What each consumer of a topic reads of a record, without a database. */
import { topics } from '@wds/contracts/topics'
import type { LogRecord } from '@wds/event-log/port'
import { readAuthEvents } from '../../packages/access/src/auth-events.ts'
import { toIncomingEvent } from '../../services/delivery/src/fan-out/consumer.ts'
import { asJson } from './golden-log.ts'

const readers: Record<string, Record<string, (record: LogRecord) => object>> = {
  [topics.authEvents]: { access: (record) => readAuthEvents([record]) },
  // The payload goes out byte for byte: the record holds it already.
  [topics.workspaceEvents]: { delivery: (record) => ({ ...toIncomingEvent(record), payload: undefined }) },
}

/** Throws what a consumer throws. */
export function readTold(record: LogRecord): Record<string, unknown> {
  const of = Object.entries(readers[record.topic] ?? {})
  return Object.fromEntries(of.map(([name, read]) => [name, asJson(read(record))]))
}
