/** Takes in which keys were used (topic `access.used`). */
import type { ApiKeysUsed } from '@wds/contracts/access-events'
import { PoisonRecord } from '@wds/event-log/consumer'
import type { LogRecord } from '@wds/event-log/port'
import type { Transaction } from '@wds/postgres/transaction'
import { keepUses } from './store-uses.ts'

/** In the consumer's transaction (`dedupe: 'natural'`). Throws `PoisonRecord` for a malformed event. */
export async function consumeKeyUses(tx: Transaction, records: LogRecord[]): Promise<void> {
  for (const record of records) await keepUses(tx, readUses(record))
}

function readUses({ payload }: LogRecord): ApiKeysUsed {
  const isText = (value: unknown) => typeof value === 'string' && value !== '' && value.length <= 200
  try {
    const { data } = JSON.parse(Buffer.from(payload ?? []).toString()) as { data: ApiKeysUsed }
    const isWhole = data.keys.every(({ workspace_id, key_id }) => isText(workspace_id) && isText(key_id))
    if (isWhole && !Number.isNaN(Date.parse(data.used))) return data
  } catch {}
  throw new PoisonRecord('malformed uses of keys')
}
