/** Takes in what other services tell the audit log (topic `audit.entries`). */
import type { AuditEntryMade } from '@wds/contracts/audit-events'
import { PoisonRecord } from '@wds/event-log/consumer'
import type { LogRecord } from '@wds/event-log/port'
import type { Transaction } from '@wds/postgres/transaction'
import { keepToldEntry } from './store.ts'

/** In the consumer's transaction (`dedupe: 'natural'`). Throws `PoisonRecord` for a malformed event. */
export async function consumeAuditEntries(tx: Transaction, records: LogRecord[]): Promise<void> {
  for (const record of records) await keepToldEntry(tx, readEntry(record))
}

const isText = (value: unknown) => typeof value === 'string' && value !== '' && value.length <= 2_000

function readEntry({ payload }: LogRecord): AuditEntryMade {
  try {
    const { data } = JSON.parse(Buffer.from(payload ?? []).toString()) as { data: AuditEntryMade }
    const { entry_id, workspace_id, actor, action, target, request_id, address, user_agent, done } = data
    const isWhole = [entry_id, workspace_id, actor, action, target, request_id].every(isText)
    const isFromSomewhere = [address, user_agent].every((value) => value === null || typeof value === 'string')
    if (isWhole && isFromSomewhere && !Number.isNaN(Date.parse(done))) return data
  } catch {}
  throw new PoisonRecord('malformed entry of the audit log')
}
