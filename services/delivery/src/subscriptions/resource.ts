// A subscription, declared once. Its row is the fold of its stream; its lane follows each change, in the same transaction. The version
// of the workspace's subscriptions is raised with it, so that an event that is fanned out after the commit is matched by it.
import { type Change, type Loaded, workspaceOf } from '@wds/aggregate/aggregate'
import { publicEvents } from '@wds/aggregate/announcement'
import { commonFields, invalidState, type Resource } from '@wds/aggregate/resource'
import { Problem } from '@wds/http-service/problem'
import type { Transaction } from '@wds/postgres/transaction'
import { readableMs } from '../days/store.ts'
import { wholeSecond } from '../lanes/domain/lane.ts'
import { addLane, limitLane } from '../lanes/store.ts'
import { endingOf, parkLane, reopenLane } from '../lanes/store-parked.ts'
import type { Webhook } from '../openapi.generated.ts'
import { lockWorkspace, raiseSubscriptionsVersion } from '../workspaces/store.ts'
import {
  publicEvent,
  type SubscriptionCommand,
  type SubscriptionEvent,
  type SubscriptionFields,
  type SubscriptionRejection,
  type SubscriptionState,
  subscription,
} from './domain/subscription.ts'
import { readDetails } from './store.ts'

export const subscriptions: Resource<
  SubscriptionState,
  SubscriptionCommand,
  SubscriptionEvent,
  SubscriptionRejection,
  Webhook
> = {
  streamType: 'webhook',
  idPrefix: 'whk',
  table: 'subscriptions',
  idColumn: 'subscription_id',
  path: '/v1/webhooks',
  scopes: { read: 'webhooks:manage', write: 'webhooks:manage' },
  decider: subscription,
  columns: ({ status, fields, owner, scopes }) => ({
    status,
    url: fields?.url,
    events: fields?.events,
    headers: fields?.headers,
    filter: fields?.filter ?? null,
    scopes: scopes ?? null,
    owner_grant: owner?.grant ?? null,
  }),
  filters: { status: 'status' },
  announce: publicEvents((id, _state, event) => publicEvent(id, event)),
  project,
  keptMs: ({ status }) => (status === 'deleted' ? readableMs : null),
  async beforeRebuild(tx) {
    await lockWorkspace(tx, workspaceOf(tx))
    await raiseSubscriptionsVersion(tx, workspaceOf(tx))
  },
  lockFirst: (tx) => lockWorkspace(tx, workspaceOf(tx)),
  isLive: true,
  toApi: toApiWebhooks,
  delete: () => () => ({ type: 'delete' }),
  toProblem,
}

/** What a client has set. */
export function fieldsOf({ fields }: SubscriptionState): SubscriptionFields {
  if (fields === null) throw new Error('a subscription has fields from its first event on')
  // Of the version before it had no filter.
  return { ...fields, filter: fields.filter ?? null }
}

async function project(tx: Transaction, o: Change<SubscriptionState, SubscriptionEvent>): Promise<void> {
  const { id, state } = o.after
  for (const { type } of o.events) {
    if (type === 'SubscriptionCreated') await addLane(tx, id, fieldsOf(state))
    if (type === 'SubscriptionChanged') await limitLane(tx, id, fieldsOf(state))
    if (type === 'SubscriptionEnabled') await reopenLane(tx, id)
    if (type === 'SubscriptionDisabled' || type === 'SubscriptionDeleted')
      await parkLane(tx, id, endingOf(state.status))
  }
  await raiseSubscriptionsVersion(tx, workspaceOf(tx))
}

/** As clients see them (domain.md 3.13). */
export async function toApiWebhooks(rows: Loaded<SubscriptionState>[], tx: Transaction): Promise<Webhook[]> {
  const details = await readDetails(
    tx,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => {
    const { status, disabledReason, owner } = row.state
    const { failingSince, lastDelivered, secrets } = details.get(row.id) ?? nothing
    if (owner === null || status === 'none' || status === 'deleted')
      throw new Error('nobody sees a deleted subscription')
    return {
      ...commonFields('webhook', row),
      ...fieldsOf(row.state),
      owner: { type: owner.type, id: owner.id },
      status,
      disabled_reason: disabledReason,
      secrets,
      failing_since: instantOfLane(failingSince),
      last_delivered: instantOfLane(lastDelivered),
    }
  })
}

const nothing = { failingSince: null, lastDelivered: null, secrets: [] }

function instantOfLane(date: Date | null): string | null {
  return date === null ? null : new Date(wholeSecond(date.getTime())).toISOString()
}

const stillEnding = 'Deliveries from before it was disabled are still being ended. Try again in a moment.'

function toProblem(rejection: SubscriptionRejection): Problem {
  if (rejection.code === 'not_found' || rejection.code === 'webhook_disabled') return new Problem(rejection.code)
  // The fields were judged before.
  if (rejection.code !== 'invalid_state') return new Problem('validation_failed')
  if (rejection.allowed.length > 0) return invalidState(rejection)
  // Nothing is allowed: the ending of old deliveries goes on by itself.
  const { current_status, allowed } = rejection
  return new Problem('invalid_state', {
    members: { current_status, allowed },
    detail: stillEnding,
    headers: { 'Retry-After': '1' },
  })
}
