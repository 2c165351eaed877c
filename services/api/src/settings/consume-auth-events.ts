// Hears from auth what a workspace is called, which of its settings changed, and what was taken from whom. It only notes them:
// announce-auth-changes.ts tells subscribers, a transaction each, and automation rules ask before they act.
import { readDenial } from '@wds/access/denial-events'
import { readEvent, text } from '@wds/access/event-fields'
import { topics } from '@wds/contracts/topics'
import type { ConsumerDeclaration } from '@wds/event-log/consumer'
import type { LogRecord } from '@wds/event-log/port'
import type { Transaction } from '@wds/postgres/transaction'
import { noteDenial } from '../authorities/store-authority.ts'
import { authSettings } from './domain/settings.ts'
import { insertAuthChange } from './store-auth-changes.ts'
import { noteWorkspaceName } from './store-workspace-names.ts'

/** By the id of auth's event. */
export const authConsumer: ConsumerDeclaration = {
  name: 'api.auth',
  topics: [topics.authEvents],
  dedupe: 'natural',
  handleBatch: createAuthHandler(() => undefined),
}

/** `onNoted` runs after the commit of changes. */
export function createAuthHandler(onNoted: () => void): (tx: Transaction, records: LogRecord[]) => Promise<void> {
  return async (tx, records) => {
    for (const record of records) {
      const event = readEvent(record)
      if (event === null) continue
      const denial = readDenial(event)
      if (denial !== null) await noteDenial(tx, denial, event.created)
      const { event_type: type, actor = '', correlation = '' } = record.headers
      if (type !== 'WorkspaceCreated' && type !== 'WorkspaceChanged') continue
      const { eventId, data } = event
      const workspaceId = text(data, 'workspace_id')
      if (data.name !== undefined) await noteWorkspaceName(tx, { workspaceId, eventId, name: text(data, 'name') })
      const changed = authSettings.filter((name) => data[name] !== undefined)
      if (type !== 'WorkspaceChanged' || changed.length === 0) continue
      await insertAuthChange(tx, { workspaceId, eventId, changed, actor, correlation })
      tx.afterCommit(onNoted)
    }
  }
}
