// Takes in which keys were used (topic `access.used`).
import { instant, poison, type RawEvent, readEvent, text } from '@wds/access/event-fields'
import type { ApiKeysUsed } from '@wds/contracts/access-events'
import type { LogRecord } from '@wds/event-log/port'
import type { Transaction } from '@wds/postgres/transaction'
import { keepUses } from './store-uses.ts'

/** In the consumer's transaction (`dedupe: 'natural'`). Throws `PoisonRecord` for a malformed event. */
export async function consumeKeyUses(tx: Transaction, records: LogRecord[]): Promise<void> {
  for (const record of records) {
    const event = readEvent(record)
    if (event !== null) await keepUses(tx, usesOf(event))
  }
}

function usesOf({ data }: RawEvent): ApiKeysUsed {
  if (!Array.isArray(data.keys)) throw poison('keys')
  const keys = data.keys.map((key: unknown) => {
    const named = (key ?? {}) as RawEvent['data']
    return { workspace_id: text(named, 'workspace_id'), key_id: text(named, 'key_id') }
  })
  return { used: instant(data, 'used'), keys }
}
