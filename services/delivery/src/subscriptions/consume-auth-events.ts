// Takes over from auth what subscriptions hang on: grants and apps that end or lose scopes, and whether a workspace wants strict scopes. It only
// notes them; the subscriptions of a grant follow in transactions of their own (follow-grants.ts).
import { type RawEvent, readEvent, text, texts } from '@wds/access/event-fields'
import type { AuthEventType } from '@wds/contracts/auth-events'
import { topics } from '@wds/contracts/topics'
import type { ConsumerDeclaration } from '@wds/event-log/consumer'
import type { LogRecord } from '@wds/event-log/port'
import type { Transaction } from '@wds/postgres/transaction'
import { makeWorkspace, setStrictEventScopes } from '../workspaces/store.ts'
import {
  type ChangedApp,
  type ChangedGrant,
  forgetSuspendedApp,
  insertChangedGrants,
  insertGrantsOfApp,
} from './store-grants.ts'

type Handled = Extract<
  AuthEventType,
  | 'WorkspaceChanged'
  | 'GrantRevoked'
  | 'GrantScopesCut'
  | 'OAuthAppSuspended'
  | 'OAuthAppReinstated'
  | 'OAuthAppChanged'
>

/** What a batch tells to be followed. */
interface Changed {
  grants: ChangedGrant[]
  apps: ChangedApp[]
}

/** What each type does, in the order of the log. Others mean nothing here, and are not even parsed. */
const effects: Record<Handled, (tx: Transaction, event: RawEvent, changed: Changed) => Promise<unknown> | unknown> = {
  WorkspaceChanged: async (tx, { data }) => {
    const workspaceId = text(data, 'workspace_id')
    if (typeof data.strict_event_scopes !== 'boolean') return
    await makeWorkspace(tx, workspaceId)
    await setStrictEventScopes(tx, workspaceId, data.strict_event_scopes)
  },
  GrantRevoked: (_tx, event, { grants }) => grants.push({ ...placeOf(event), scopes: null }),
  GrantScopesCut: (_tx, event, { grants }) => grants.push({ ...placeOf(event), scopes: texts(event.data, 'scopes') }),
  OAuthAppSuspended: (_tx, { eventId, data }, { apps }) =>
    apps.push({ clientId: text(data, 'client_id'), eventId, scopes: null }),
  // It gets back nothing of itself: whoever may manage webhooks enables them again.
  OAuthAppReinstated: (tx, { data }) => forgetSuspendedApp(tx, text(data, 'client_id')),
  OAuthAppChanged: (_tx, { eventId, data }, { apps }) => {
    if (data.scopes_removed !== true || data.scopes === undefined) return
    apps.push({ clientId: text(data, 'client_id'), eventId, scopes: texts(data, 'scopes') })
  },
}

/** Each effect may be repeated. */
export const authConsumer: ConsumerDeclaration = {
  name: 'delivery.auth',
  topics: [topics.authEvents],
  dedupe: 'natural',
  handleBatch: createAuthHandler(() => undefined),
}

/** `onGrants` runs after the commit of changed grants. */
export function createAuthHandler(onGrants: () => void): (tx: Transaction, records: LogRecord[]) => Promise<void> {
  return async (tx, records) => {
    const changed: Changed = { grants: [], apps: [] }
    for (const record of records) {
      if (!Object.hasOwn(effects, record.headers.event_type ?? '')) continue
      const event = readEvent(record)
      if (event !== null) await effects[event.type as Handled]?.(tx, event, changed)
    }
    const { grants, apps } = changed
    if (grants.length + apps.length === 0) return
    await insertChangedGrants(tx, grants)
    for (const app of apps) await insertGrantsOfApp(tx, app)
    tx.afterCommit(onGrants)
  }
}

function placeOf({ eventId, data }: RawEvent) {
  return { workspaceId: text(data, 'workspace_id'), grantId: text(data, 'grant_id'), eventId }
}
