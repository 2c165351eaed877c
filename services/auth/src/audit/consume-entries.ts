// Takes in what other services tell the audit log (topic `audit.entries`).
import { instant, type RawEvent, readEvent, text, textOrNull } from '@wds/access/event-fields'
import type { AuditEntryMade } from '@wds/contracts/audit-events'
import type { LogRecord } from '@wds/event-log/port'
import type { Transaction } from '@wds/postgres/transaction'
import { keepToldEntry } from './store.ts'

/** Characters of a field that is never empty. */
const lengthMax = 2_000

/** In the consumer's transaction (`dedupe: 'natural'`). Throws `PoisonRecord` for a malformed event. */
export async function consumeAuditEntries(tx: Transaction, records: LogRecord[]): Promise<void> {
  for (const record of records) {
    const event = readEvent(record)
    if (event !== null) await keepToldEntry(tx, entryOf(event))
  }
}

function entryOf({ data }: RawEvent): AuditEntryMade {
  const textOf = (name: keyof AuditEntryMade) => text(data, name, { lengthMax })
  return {
    entry_id: textOf('entry_id'),
    workspace_id: textOf('workspace_id'),
    done: instant(data, 'done'),
    actor: textOf('actor'),
    action: textOf('action'),
    target: textOf('target'),
    address: textOrNull(data, 'address'),
    user_agent: textOrNull(data, 'user_agent'),
    request_id: textOf('request_id'),
  }
}
