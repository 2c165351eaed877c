// Hears from auth which settings of a workspace it changed, and what it took from whom. It only notes both: announce-auth-changes.ts tells
// subscribers, a transaction each, and automation rules ask before they act.
import { readDenial } from '@wds/access/denial-events'
import { readEvent, text } from '@wds/access/event-fields'
import type { LogRecord } from '@wds/event-log/port'
import type { Transaction } from '@wds/postgres/transaction'
import { noteDenial } from '../authorities/store-authority.ts'
import { authSettings } from './domain/settings.ts'
import { insertAuthChange } from './store-auth-changes.ts'

/** Name of the consumer. */
export const authConsumer = 'api.auth'

/** The handler for `runConsumer` (dedupe natural: by the id of auth's event). `onNoted` runs after the commit of changes. */
export function createAuthHandler(onNoted: () => void): (tx: Transaction, records: LogRecord[]) => Promise<void> {
  return async (tx, records) => {
    for (const record of records) {
      const event = readEvent(record)
      if (event === null) continue
      const denial = readDenial(event)
      if (denial !== null) await noteDenial(tx, denial, event.created)
      if (record.headers.event_type !== 'WorkspaceChanged') continue
      const changed = authSettings.filter((name) => event.data[name] !== undefined)
      if (changed.length === 0) continue
      const { actor = '', correlation = '' } = record.headers
      const workspaceId = text(event.data, 'workspace_id')
      await insertAuthChange(tx, { workspaceId, eventId: event.eventId, changed, actor, correlation })
      tx.afterCommit(onNoted)
    }
  }
}
