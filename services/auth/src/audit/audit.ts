// Writes down who did what (auth.md 4.6), in the transaction of the deed. Rows are added, never changed, and hold no secret.
import type { AggregateEvent, AggregateState, Change } from '@wds/aggregate/aggregate'
import { newId } from '@wds/aggregate/new-id'
import type { AppendContext } from '@wds/event-store/event-store'
import type { ApiRequest } from '@wds/http-service/route'
import type { Transaction } from '@wds/postgres/transaction'
import { serverContext } from '@wds/telemetry/spans'
import { reportSecurityEvent } from './security-events.ts'
import { type AuditEntry, type AuditOrigin, insertAudit, insertAuditEverywhere } from './store.ts'

/** Who does it, and in which request. */
export type By = Omit<AppendContext, 'workspaceId'>

/** The operator, in a request of the internal listener; without its id there is none. */
export function byOperator(requestId: string = newId('req', Date.now())): By {
  return { actor: { type: 'system', id: 'operator' }, correlation: requestId, trace: serverContext(undefined) }
}

export function originOfBy({ actor, correlation, origin }: By): AuditOrigin {
  return {
    actor: `${actor.type}:${actor.id}`,
    requestId: correlation,
    address: origin?.address ?? null,
    userAgent: origin?.userAgent ?? null,
  }
}

/** Of a request of the settings API. */
export function originOf(request: ApiRequest): AuditOrigin {
  const { context, remoteAddress: address, userAgent, requestId } = request
  return { actor: `${context.actor.type}:${context.actor.id}`, address, userAgent, requestId }
}

/** In the workspace of the transaction; and a security event, once it is committed. */
export function recordAudit(tx: Transaction, entry: AuditEntry): Promise<void> {
  report(tx, entry)
  return insertAudit(tx, { id: newId('aud', Date.now()), outcome: 'done', ...entry })
}

/** In every workspace of the person whom the transaction's `userId` names; in none for a person of none. One statement in any case (XO10). */
export function recordAuditOfPerson(tx: Transaction, entry: AuditEntry): Promise<void> {
  report(tx, entry)
  return insertAuditEverywhere(tx, { id: newId('aud', Date.now()), outcome: 'done', ...entry })
}

function report(tx: Transaction, { action, outcome, actor, object, requestId: request_id }: AuditEntry): void {
  const security_event = outcome === 'refused' ? `${action}_failed` : action
  // Somebody whom nobody knows has an empty id.
  const known = actor.endsWith(':') ? { actor: null, object: null } : { actor, object }
  const event = { security_event, ...known, workspace_id: tx.workspaceId || null, request_id }
  tx.afterCommit(() => reportSecurityEvent(event))
}

/** `project` of an aggregate: each event is an entry of its own. */
export async function auditChange<S extends AggregateState, E extends AggregateEvent>(
  tx: Transaction,
  { context, after, events }: Change<S, E>,
): Promise<void> {
  for (const { type } of events) {
    await recordAudit(tx, { ...originOfBy(context), action: snakeCase(type), object: after.id })
  }
}

/** `OAuthAppRegistered` becomes `oauth_app_registered`. */
export function snakeCase(type: string): string {
  return type
    .replace('OAuth', 'Oauth')
    .replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`)
    .toLowerCase()
}
