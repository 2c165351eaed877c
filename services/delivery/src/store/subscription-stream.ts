// Carries commands on a subscription out: lock the workspace, load the stream, decide, append, project; all in the caller's transaction.
// Every change raises the workspace's version with it, so that an event fanned out after the commit is matched by it.
import { serializeEnvelope } from '@wds/contracts/envelope'
import type { Id } from '@wds/contracts/ids'
import type { DisabledReason } from '@wds/contracts/states'
import { topics } from '@wds/contracts/topics'
import { accept, type Decider, reject } from '@wds/decider/decider'
import { type Announcement, type AppendContext, appendEvents, dbNow, loadStream } from '@wds/event-store/event-store'
import type { Transaction } from '@wds/postgres/transaction'
import { parkSubscription, reopenSubscription } from './parked-lanes.ts'
import { insertSubscription, type SubscriptionFields, updateSubscription } from './subscriptions.ts'
import { lockWorkspace, raiseSubscriptionsVersion } from './workspaces.ts'

/** Facts of a subscription. No secret and no ciphertext stands in them. */
export type SubscriptionEvent =
  | { type: 'SubscriptionCreated'; data: { owner: { type: string; id: string }; fields: SubscriptionFields } }
  | { type: 'SubscriptionUpdated'; data: { fields: SubscriptionFields } }
  | { type: 'SubscriptionDisabled'; data: { reason: DisabledReason; failing_since: string | null } }
  | { type: 'SubscriptionEnabled'; data: Record<string, never> }
  | { type: 'SubscriptionDeleted'; data: Record<string, never> }

/** What a command may ask. */
export type SubscriptionCommand =
  | { type: 'CreateSubscription'; owner: { type: string; id: string }; fields: SubscriptionFields }
  | { type: 'UpdateSubscription'; fields: SubscriptionFields }
  | { type: 'DisableSubscription'; reason: DisabledReason; failingSince: string | null }
  | { type: 'EnableSubscription' }
  | { type: 'DeleteSubscription' }

/** `status` is null before the first event. */
export interface SubscriptionState {
  status: 'enabled' | 'disabled' | 'deleted' | null
  fields: SubscriptionFields | null
}

export type SubscriptionRejection = 'not_found' | 'invalid_state'

/** The states of the README's table. A command that changes nothing is accepted without an event. */
export const subscriptionStream: Decider<SubscriptionState, SubscriptionCommand, SubscriptionEvent, SubscriptionRejection> = {
  initialState: { status: null, fields: null },
  evolve(state, event) {
    switch (event.type) {
      case 'SubscriptionCreated':
        return { status: 'enabled', fields: event.data.fields }
      case 'SubscriptionUpdated':
        return { ...state, fields: event.data.fields }
      case 'SubscriptionDisabled':
        return { ...state, status: 'disabled' }
      case 'SubscriptionEnabled':
        return { ...state, status: 'enabled' }
      case 'SubscriptionDeleted':
        return { ...state, status: 'deleted' }
    }
  },
  decide(state, command) {
    if (command.type === 'CreateSubscription') {
      if (state.status !== null) return reject('invalid_state')
      return accept({ type: 'SubscriptionCreated', data: { owner: command.owner, fields: command.fields } })
    }
    if (state.status === null || state.status === 'deleted') return reject('not_found')
    switch (command.type) {
      case 'UpdateSubscription':
        if (JSON.stringify(state.fields) === JSON.stringify(command.fields)) return accept()
        return accept({ type: 'SubscriptionUpdated', data: { fields: command.fields } })
      case 'DisableSubscription':
        if (state.status === 'disabled') return reject('invalid_state')
        return accept({ type: 'SubscriptionDisabled', data: { reason: command.reason, failing_since: command.failingSince } })
      case 'EnableSubscription':
        if (state.status === 'enabled') return reject('invalid_state')
        return accept({ type: 'SubscriptionEnabled', data: {} })
      case 'DeleteSubscription':
        return accept({ type: 'SubscriptionDeleted', data: {} })
    }
  },
}

export type CommandOutcome = { ok: true; version: number; created: string | null } | { ok: false; rejection: SubscriptionRejection }

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
  const stream = await loadStream(tx, subscriptionStream, place)
  const gone = stream.state.status === null || stream.state.status === 'deleted'
  if (!gone) o.judge?.(stream.version)
  const decision = subscriptionStream.decide(stream.state, o.command)
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
    announce: (event, meta) => announce(event, { ...meta, id, workspaceId: context.workspaceId }),
  })
  const created = appended.created[0] as string
  for (const event of decision.events) await project(tx, { id, event, version: appended.version, created })
  return { ok: true, version: appended.version, created }
}

async function project(tx: Transaction, o: { id: string; event: SubscriptionEvent; version: number; created: string }): Promise<void> {
  const { id, event, version, created } = o
  switch (event.type) {
    case 'SubscriptionCreated':
      await insertSubscription(tx, { id, owner: event.data.owner, fields: event.data.fields, version, created })
      return raiseSubscriptionsVersion(tx, tx.workspaceId as string)
    case 'SubscriptionUpdated':
      await updateSubscription(tx, { id, fields: event.data.fields, version, updated: created })
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

/** webhook.disabled and webhook.enabled go out through the log (domain.md 5, 53 and 54). */
function announce(
  event: SubscriptionEvent,
  meta: { eventId: string; created: string; id: string; workspaceId: string },
): Announcement[] {
  const common = { topic: topics.workspaceEvents, key: meta.workspaceId }
  const head = { id: meta.eventId as Id<'evt'>, created: meta.created }
  if (event.type === 'SubscriptionDisabled') {
    const data = { webhook_id: meta.id, reason: event.data.reason, failing_since: event.data.failing_since, failed_deliveries: 0 }
    return [{ ...common, type: 'webhook.disabled', payload: serializeEnvelope({ ...head, type: 'webhook.disabled', data }) }]
  }
  if (event.type === 'SubscriptionEnabled') {
    const data = { webhook_id: meta.id }
    return [{ ...common, type: 'webhook.enabled', payload: serializeEnvelope({ ...head, type: 'webhook.enabled', data }) }]
  }
  return []
}
