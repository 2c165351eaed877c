// Who may read the data of which events: everybody with webhooks:manage, unless the workspace wants the read scope of the type, too.
import { eventTypes } from '@wds/contracts/event-types'
import type { RequestClient } from '@wds/http-service/route'
import type { Transaction } from '@wds/postgres/transaction'
import { readStrictEventScopes } from '../workspaces/store.ts'
import { mayReadEvent } from './domain/event-scopes.ts'
import { scopesOf } from './saver.ts'

/** The event types that the client may read; null: all (settled-points.md 20). */
export async function readableTypes(tx: Transaction, client: RequestClient): Promise<string[] | null> {
  if (!(await readStrictEventScopes(tx, client.workspaceId))) return null
  const held = scopesOf(client)
  return eventTypes.map(({ type }) => type).filter((type) => mayReadEvent(type, held))
}
