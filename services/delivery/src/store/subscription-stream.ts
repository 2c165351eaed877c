// Carries commands on a subscription out: lock the workspace, load the stream, decide, append, project; all in the caller's transaction.
// Every change raises the workspace's version with it, so that an event fanned out after the commit is matched by it.
import { serializeEnvelope } from '@wds/contracts/envelope'
import type { Id } from '@wds/contracts/ids'
import { topics } from '@wds/contracts/topics'
import { type Announcement, type AppendContext, appendEvents, dbNow, loadStream } from '@wds/event-store/event-store'
import type { Transaction } from '@wds/postgres/transaction'
import {
  type SubscriptionCommand,
  type SubscriptionEvent,
  type SubscriptionRejection,
  type SubscriptionState,
  subscription,
} from '../domain/subscription.ts'
import { parkSubscription, reopenSubscription } from './parked-lanes.ts'
import { insertSubscription, updateSubscription } from './subscriptions.ts'
import { lockWorkspace, raiseSubscriptionsVersion } from './workspaces.ts'

export type CommandOutcome =
  | { ok: true; version: number; created: string | null }
  | { ok: false; rejection: SubscriptionRejection }

/** Carries one command out. Throws VersionConflict. The stream is loaded under the workspace's lock. */
export async function changeSubscription(
  tx: Transaction,
  o: {
    context: AppendContext
    id: string
    command: SubscriptionCommand
    /** Judges the version that was loaded (If-Match); throws what the caller answers with. */
    judge?(version: number): void
  },
): Promise<CommandOutcome> {
  const { context, id } = o
  await lockWorkspace(tx, context.workspaceId)
  const place = { workspaceId: context.workspaceId, streamType: 'webhook', streamId: id }
  const stream = await loadStream<SubscriptionState, SubscriptionEvent>(tx, subscription, place)
  const gone = stream.state.status === 'none' || stream.state.status === 'deleted'
  if (!gone) o.judge?.(stream.version)
  const decision = subscription.decide(stream.state, o.command)
  if (!decision.accepted) return { ok: false, rejection: decision.rejection }
  if (decision.events.length === 0) return { ok: true, version: stream.version, created: null }
  const appended = await appendEvents(tx, {
    context,
    streamType: place.streamType,
    streamId: id,
    expectedVersion: stream.version,
    nowMs: await dbNow(tx),
    lastCreatedMs: stream.lastCreatedMs,
    events: decision.events,
    announce: (event, meta) => announceChange(event, { ...meta, id, workspaceId: context.workspaceId }),
  })
  const created = appended.created[0] as string
  for (const event of decision.events) {
    const state = subscription.evolve(stream.state, event)
    await project(tx, { id, event, state, version: appended.version, created })
  }
  return { ok: true, version: appended.version, created }
}

async function project(
  tx: Transaction,
  o: { id: string; event: SubscriptionEvent; state: SubscriptionState; version: number; created: string },
): Promise<void> {
  const { id, event, version, created } = o
  const { fields } = o.state
  if (fields === null) throw new Error('a subscription has fields from its first event on')
  switch (event.type) {
    case 'SubscriptionCreated':
      await insertSubscription(tx, { id, owner: event.data.owner, fields, version, created })
      return raiseSubscriptionsVersion(tx, tx.workspaceId as string)
    case 'SubscriptionChanged':
      await updateSubscription(tx, { id, fields, version, updated: created })
      return raiseSubscriptionsVersion(tx, tx.workspaceId as string)
    case 'SubscriptionDisabled':
      await parkSubscription(tx, { id, status: 'disabled', reason: event.data.reason, version, at: created })
      return
    case 'SubscriptionEnabled':
      await reopenSubscription(tx, { id, version, at: created })
      return
    case 'SubscriptionDeleted':
      await parkSubscription(tx, { id, status: 'deleted', reason: null, version, at: created })
      return
  }
}

/** webhook.disabled and webhook.enabled go out through the log (domain.md 5, 53 and 54); made of the event alone, so that `republish` can repeat them. */
export function announceChange(
  event: SubscriptionEvent,
  meta: { eventId: string; created: string; id: string; workspaceId: string },
): Announcement[] {
  const common = { topic: topics.workspaceEvents, key: meta.workspaceId }
  const head = { id: meta.eventId as Id<'evt'>, created: meta.created }
  if (event.type === 'SubscriptionDisabled') {
    const data = {
      webhook_id: meta.id,
      reason: event.data.reason,
      failing_since: event.data.failing_since ?? null,
      failed_deliveries: event.data.failed_deliveries ?? 0,
    }
    return [
      { ...common, type: 'webhook.disabled', payload: serializeEnvelope({ ...head, type: 'webhook.disabled', data }) },
    ]
  }
  if (event.type === 'SubscriptionEnabled') {
    const data = { webhook_id: meta.id }
    return [
      { ...common, type: 'webhook.enabled', payload: serializeEnvelope({ ...head, type: 'webhook.enabled', data }) },
    ]
  }
  return []
}
