// Who saves a subscription: whom it belongs to, and whether they may have the events that it asks for.
import { scopes as allScopes, type Scope } from '@wds/contracts/scopes'
import { insufficientScope } from '@wds/http-service/bearer'
import { actorOf } from '@wds/http-service/console-client'
import type { RequestClient } from '@wds/http-service/route'
import type { Transaction } from '@wds/postgres/transaction'
import { readStrictEventScopes } from '../workspaces/store.ts'
import { missingReadScopes } from './domain/event-scopes.ts'
import type { SubscriptionOwner } from './domain/subscription.ts'

/** The owner of what the client makes. That of an app hangs on its grant; what a person makes in the console belongs to the workspace (domain.md 10). */
export function ownerOf(client: RequestClient): SubscriptionOwner {
  const { type, id } = actorOf(client)
  return client.kind === 'client' && type === 'client' ? { type, id, grant: client.grantId } : { type, id }
}

/** What a client may read. A signed-in person whose role opened the route has all scopes (settled-points.md 21). */
export function scopesOf(client: RequestClient): ReadonlySet<Scope> {
  return client.kind === 'user' ? new Set(allScopes) : client.scopes
}

/**
 * The scopes to be stored with what the client saves, in the order of the specification. Throws the Problem `insufficient_scope` where the
 * workspace is strict and a type that the patterns mean needs another one. The caller holds the workspace's row.
 */
export async function scopesOfSaver(tx: Transaction, client: RequestClient, patterns: string[]): Promise<Scope[]> {
  const held = scopesOf(client)
  const missing = missingReadScopes(patterns, held)
  if (missing.length > 0 && (await readStrictEventScopes(tx, client.workspaceId))) throw insufficientScope(missing)
  return allScopes.filter((scope) => held.has(scope))
}
