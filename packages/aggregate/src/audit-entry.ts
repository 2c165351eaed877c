// Tells the audit log of a change, in its transaction: `project` of an aggregate of a service that has no audit log of its own (auth.md
// 4.6). The service has the table `kept_announcements`.
import type { AuditEntryMade } from '@wds/contracts/audit-events'
import { topics } from '@wds/contracts/topics'
import { dbNow } from '@wds/event-store/event-store'
import { putInOutboxAndKeep } from '@wds/event-store/kept-announcements'
import { unstreamedRecords } from '@wds/event-store/unstreamed'
import type { Transaction } from '@wds/postgres/transaction'
import type { AggregateEvent, AggregateState, Change } from './aggregate.ts'
import { newId } from './new-id.ts'

/** One entry for a command, whatever number of events it had; none where nothing was changed. */
export function auditEntry<S extends AggregateState, E extends AggregateEvent>(action: string) {
  return async (tx: Transaction, { context, after, events }: Change<S, E>): Promise<void> => {
    if (events.length === 0) return
    const { workspaceId: workspace_id, actor, correlation: request_id, origin } = context
    const nowMs = await dbNow(tx)
    const data: AuditEntryMade = {
      entry_id: newId('aud', nowMs),
      workspace_id,
      done: new Date(nowMs).toISOString(),
      actor: `${actor.type}:${actor.id}`,
      action,
      target: after.id,
      address: origin?.address ?? null,
      user_agent: origin?.userAgent ?? null,
      request_id,
    }
    const entry = { topic: topics.auditEntries, key: workspace_id, type: 'AuditEntryMade', data }
    // No stream knows from where it was done (decision 116).
    await putInOutboxAndKeep(tx, unstreamedRecords(tx, context, { nowMs, announcements: [entry] }))
  }
}
