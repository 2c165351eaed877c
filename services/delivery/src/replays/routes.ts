// Retry of one delivery, and what bulk replays have besides the routes that follow from their declaration: how they are asked for,
// pause, resume and cancel.
import { blank, executeOrFail, load } from '@wds/aggregate/aggregate'
import { answerOf, change, loadOr404 } from '@wds/aggregate/resource'
import { dbNow } from '@wds/event-store/event-store'
import { actorOf } from '@wds/http-service/console-client'
import { Problem } from '@wds/http-service/problem'
import type { ApiAnswer, ApiRequest, RouteOf } from '@wds/http-service/route'
import type { Transaction } from '@wds/postgres/transaction'
import { existingDelivery, showDelivery } from '../deliveries/read-delivery.ts'
import type { DeliveryRow } from '../deliveries/store.ts'
import type { operations, paths } from '../openapi.generated.ts'
import { subscriptions } from '../subscriptions/resource.ts'
import { lockWorkspace } from '../workspaces/store.ts'
import { countMatched } from './count-matched.ts'
import { isExpired, type Selection } from './domain/selection.ts'
import { requireEnabled, requireNamed, selectionOfDeadLetters, selectionOfWebhook } from './judge-order.ts'
import { replays } from './resource.ts'
import { findOverlapping, openEpochs, priorities } from './store.ts'

/** What main gives it. */
export interface ReplayRouteOptions {
  /** WDS_DELIVERY_ATTEMPTS. */
  attemptsMax: number
  /** Wakes the sender of this process after a commit that made something due. */
  onDue(): void
}

export function replayRoutes(o: ReplayRouteOptions): RouteOf<paths>[] {
  const scope = replays.scopes.write
  return [
    { method: 'POST', path: '/v1/deliveries/{id}/retry', scope, handle: (request) => retryDelivery(request, o) },
    { method: 'POST', path: '/v1/webhooks/{id}/replays', scope, handle: replayWebhook },
    { method: 'POST', path: '/v1/replays', scope, handle: replayDeadLetters },
    { method: 'POST', path: '/v1/replays/{id}/pause', scope, handle: act('pause') },
    { method: 'POST', path: '/v1/replays/{id}/resume', scope, handle: act('resume') },
    { method: 'POST', path: '/v1/replays/{id}/cancel', scope, handle: act('cancel') },
  ]
}

function retryDelivery(request: ApiRequest<operations['retryDelivery']>, o: ReplayRouteOptions) {
  return request.write(async (tx) => {
    const row = await existingDelivery(tx, request)
    const status = (await load(tx, subscriptions, row.subscription_id, { lock: false }))?.state.status
    if (status === 'deleted') throw refusal(row, 'Its subscription is deleted: nothing is sent to it any more.')
    if (status === 'disabled') throw new Problem('webhook_disabled')
    if (isExpired(row.delivery_id, await dbNow(tx))) throw new Problem('event_expired')
    if (row.attempt_under_way || row.status === 'pending' || row.status === 'replay') throw refusal(row)
    const requestedBy = requesterOf(request)
    const opened = await openEpochs(tx, { ids: [row.delivery_id], priority: priorities.live, requestedBy })
    if (opened.length === 0) throw refusal(await existingDelivery(tx, request))
    const body = await showDelivery(tx, request, o.attemptsMax)
    return { status: 202, body, location: `/v1/deliveries/${row.delivery_id}`, afterCommit: o.onDue }
  })
}

const notYet =
  'An attempt of it is due or under way. Retry is possible once that has ended: while it is retry, delivered or dead.'

/** Nothing is allowed while an attempt is under way or an epoch is open. */
function refusal({ status }: DeliveryRow, detail = notYet): Problem {
  return new Problem('invalid_state', { detail, members: { current_status: status, allowed: [] } })
}

const requesterOf = ({ client }: Pick<ApiRequest, 'client'>): string => {
  const { type, id } = actorOf(client)
  return `${type}:${id}`
}

async function replayWebhook(request: ApiRequest<operations['replayWebhook']>) {
  const webhookId = request.params.id
  // A missing subscription is 404 before the body is judged.
  await request.read((tx) => loadOr404(tx, subscriptions, webhookId))
  const { body } = request
  return replay(request, body, async (tx, nowMs) => {
    await requireEnabled(tx, webhookId)
    return { webhookId, selection: selectionOfWebhook(body, nowMs) }
  })
}

async function replayDeadLetters(request: ApiRequest<operations['replayDeadLetters']>) {
  const { body } = request
  return replay(request, body, async (tx, nowMs) => {
    const webhookId = body.webhook_id ?? null
    if (webhookId !== null) await requireEnabled(tx, webhookId, '/webhook_id')
    return { webhookId, selection: selectionOfDeadLetters(body, nowMs) }
  })
}

const rateDefault = 500

/** Counts, and unless that is all, stores the order. `judge` refuses what cannot be replayed. */
function replay(
  request: Pick<ApiRequest<operations['replayWebhook']>, 'read' | 'write' | 'client' | 'context'>,
  { rate = rateDefault, dry_run: isDryRun = false }: { rate?: number; dry_run?: boolean },
  judge: (tx: Transaction, nowMs: number) => Promise<{ webhookId: string | null; selection: Selection }>,
): Promise<ApiAnswer<operations['replayWebhook']>> {
  const counted = async (tx: Transaction) => {
    const nowMs = await dbNow(tx)
    const walked = await judge(tx, nowMs)
    await requireNamed(tx, walked, nowMs)
    return { ...walked, counts: await countMatched(tx, walked, nowMs) }
  }
  if (isDryRun) return request.read(async (tx) => ({ status: 200 as const, body: (await counted(tx)).counts }))
  return request.write(async (tx) => {
    const { webhookId, selection, counts } = await counted(tx)
    if (counts.complete && counts.matched === 0) throw new Problem('nothing_matched')
    await lockWorkspace(tx, request.client.workspaceId)
    const open = selection.scope === 'deliveries' ? null : await findOverlapping(tx, webhookId)
    if (open !== null) throw new Problem('replay_already_running', { members: { replay_id: open } })
    const loaded = blank(replays, { nowMs: await dbNow(tx) })
    const matched = counts.complete ? counts.matched : null
    const order = { webhook_id: webhookId, selection, rate, matched, requested_by: requesterOf(request) }
    const { context } = request
    const command = { type: 'request' as const, atMs: loaded.nowMs, order }
    const made = await executeOrFail(tx, replays, { context, loaded, command })
    return { ...(await answerOf(tx, replays, made)), status: 202 as const, location: `${replays.path}/${made.id}` }
  })
}

function act(type: 'pause' | 'resume' | 'cancel') {
  return (request: ApiRequest) => change(request, replays, (_tx, { nowMs }) => ({ type, atMs: nowMs }))
}
