/** What the checkers of requests and stores ask: read once nothing moves any more. */
import type { Ask } from '../../harness/ask.ts'
import type { RequestHistory } from '../checkers/request-checker.ts'
import type { StoreHistory } from '../checkers/store-checker.ts'
import type { SubscriptionHistory } from '../checkers/subscription-checker.ts'
import { consuming } from './read-positions.ts'
import type { Rig } from './rig.ts'

/** reliability.md 5, I9, ms; and what a machine that others use may hold up. */
const apartMs = 5_000 + 5_000

/** `host`: of the receiver of the workspace's subscription. */
export async function readRequests(
  rig: Pick<Rig, 'receiver' | 'secret' | 'workspaceId'>,
  host: string = new URL(rig.receiver.origins[0] ?? '').hostname,
): Promise<RequestHistory> {
  const arrived = (await rig.receiver.arrivals()).filter(([to]) => to === host).length
  const kept = (await rig.receiver.requests()).filter(([, , , , to]) => to === host)
  return {
    arrived,
    requests: kept.map(([eventId, signature, body, atMs]) => ({ eventId, signature, body, atMs })),
    secrets: [{ secret: rig.secret, fromMs: 0, untilMs: Number.POSITIVE_INFINITY }],
    workspaceId: rig.workspaceId,
    types: ['integration.updated'],
    apartMs,
    faults: [],
  }
}

/** How the subscriptions of a workspace changed, and when their attempts began. */
export async function readSubscriptions(
  ask: Ask,
  workspaceId: string,
): Promise<Pick<SubscriptionHistory, 'changes' | 'attempts'>> {
  const changes = await ask<SubscriptionHistory['changes'][number]>(
    'delivery',
    `select stream_id as "subscriptionId", event_type as type, (extract(epoch from created) * 1000)::float8 as "atMs"
       from delivery.stream_events where workspace_id = $1 and event_type like 'Subscription%' order by stream_id, version`,
    [workspaceId],
  )
  const attempts = await ask<SubscriptionHistory['attempts'][number]>(
    'delivery',
    `select d.subscription_id as "subscriptionId", l.delivery_id as "deliveryId", l.attempt as number,
            (extract(epoch from l.started) * 1000)::float8 as "startedMs"
       from delivery.delivery_log l join delivery.deliveries d using (workspace_id, delivery_id)
      where l.workspace_id = $1 and l.kind like 'attempt_%' and l.started is not null`,
    [workspaceId],
  )
  return { changes, attempts }
}

export async function readStores(
  { ask, workspaceId }: Pick<Rig, 'ask' | 'workspaceId'>,
  announced: readonly string[],
): Promise<StoreHistory> {
  const stream = await ask<StoreHistory['stream'][number]>(
    'api',
    `select stream_id as "streamId", version, (extract(epoch from created) * 1000)::float8 as "createdMs"
       from api.stream_events where workspace_id = $1 order by stream_type, stream_id, version`,
    [workspaceId],
  )
  const log = await ask<StoreHistory['log'][number]>(
    'delivery',
    `select delivery_id as "deliveryId", seq, kind, epoch, dead_reason as reason
       from delivery.delivery_log where workspace_id = $1 order by delivery_id, seq`,
    [workspaceId],
  )
  const states = await ask<{ id: string; status: string }>(
    'delivery',
    'select delivery_id as id, status from delivery.deliveries where workspace_id = $1',
    [workspaceId],
  )
  const takenIn = await ask<{ id: string }>(
    'delivery',
    'select event_id as id from delivery.events where workspace_id = $1',
    [workspaceId],
  )
  const deadLetters = await Promise.all(
    consuming.map((service) =>
      ask<StoreHistory['deadLetters'][number]>(
        service,
        `select '${service}' as service, event_id as "eventId", reason from ${service}.dead_letters`,
      ),
    ),
  )
  return {
    stream,
    log,
    states: new Map(states.map(({ id, status }) => [id, status])),
    announced,
    takenIn: new Set(takenIn.map(({ id }) => id)),
    deadLetters: deadLetters.flat(),
  }
}
