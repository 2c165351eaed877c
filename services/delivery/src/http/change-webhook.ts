// PATCH and DELETE /v1/webhooks/{id}, and the transitions enable and disable. An edit moves the retries that wait, too (decisions.md 8).
import { requireMatch } from '@wds/http-service/conditional'
import { Problem } from '@wds/http-service/problem'
import type { ApiAnswer, ApiRequest } from '@wds/http-service/route'
import type { SubscriptionCommand, SubscriptionFields, SubscriptionRejection } from '../domain/subscription.ts'
import { endLastBatch, lockFailingLane } from '../store/parked-lanes.ts'
import { changeSubscription } from '../store/subscription-stream.ts'
import { readSubscription, type SubscriptionRow } from '../store/subscriptions.ts'
import { lockWorkspace } from '../store/workspaces.ts'
import { toApiSubscription } from './api-shapes.ts'
import { existingSubscription } from './read-webhook.ts'
import type { RouteOptions } from './route-options.ts'
import { judgeFields } from './subscription-fields.ts'

export async function updateWebhook(request: ApiRequest, o: RouteOptions): Promise<ApiAnswer> {
  const row = await existingSubscription(request)
  const patch = request.body as Partial<SubscriptionFields>
  const judged = await judgeFields(merge(row, patch), {
    checkUrl: o.checkUrl,
    urlUnchanged: patch.url === undefined || patch.url === row.url,
  })
  return request.write(async (tx) => {
    // The address was judged outside of the transaction; the patch applies to the state under the lock, which nobody else changes.
    await lockWorkspace(tx, request.client.workspaceId)
    const current = await readSubscription(tx, request.client.workspaceId, row.subscription_id)
    if (current === null) throw new Problem('not_found')
    const url = patch.url === undefined ? {} : { url: judged.url }
    return carryOut(tx, request, { type: 'ChangeSubscription', fields: { ...merge(current, patch), ...url } })
  })
}

/** RFC 7396 at the top level and in `headers`; null goes back to the default. */
function merge(row: SubscriptionRow, patch: Partial<SubscriptionFields>): SubscriptionFields {
  const headers = { ...row.headers }
  for (const [name, value] of Object.entries(patch.headers ?? {})) {
    if ((value as string | null) === null) delete headers[name.toLowerCase()]
    else headers[name.toLowerCase()] = value
  }
  return {
    url: patch.url ?? row.url,
    events: patch.events ?? row.events,
    description: patch.description === undefined ? row.description : patch.description,
    headers: patch.headers === null ? {} : headers,
    rate_limit: patch.rate_limit === undefined ? row.rate_limit : patch.rate_limit,
    max_in_flight: patch.max_in_flight === undefined ? row.max_in_flight : (patch.max_in_flight ?? 8),
  }
}

export async function deleteWebhook(request: ApiRequest): Promise<ApiAnswer> {
  await existingSubscription(request)
  return request.write((tx) => carryOut(tx, request, { type: 'DeleteSubscription' }))
}

export async function enableWebhook(request: ApiRequest): Promise<ApiAnswer> {
  await existingSubscription(request)
  return request.write(async (tx) => {
    await lockWorkspace(tx, request.client.workspaceId)
    const isEnding = !(await endLastBatch(tx, request.params.id as string))
    return carryOut(tx, request, { type: 'EnableSubscription', isEnding })
  })
}

export async function disableWebhook(request: ApiRequest): Promise<ApiAnswer> {
  await existingSubscription(request)
  return request.write(async (tx) => {
    await lockWorkspace(tx, request.client.workspaceId)
    const { failing } = await lockFailingLane(tx, { subscriptionId: request.params.id as string, answered: null })
    return carryOut(tx, request, { type: 'DisableSubscription', reason: 'user', failing })
  })
}

type WriteTransaction = Parameters<Parameters<ApiRequest['write']>[0]>[0]

async function carryOut(tx: WriteTransaction, request: ApiRequest, command: SubscriptionCommand): Promise<ApiAnswer> {
  const id = request.params.id as string
  const outcome = await changeSubscription(tx, {
    context: request.context,
    id,
    command,
    judge: (version) => requireMatch(request, version),
  })
  if (!outcome.ok) throw refusal(outcome.rejection)
  if (command.type === 'DeleteSubscription') return { status: 204 }
  const row = (await readSubscription(tx, request.client.workspaceId, id)) as SubscriptionRow
  return { status: 200, body: toApiSubscription(row), version: row.version }
}

const stillEnding = 'Deliveries from before it was disabled are still being ended. Try again in a moment.'

function refusal(rejection: SubscriptionRejection): Problem {
  if (rejection.code === 'not_found') return new Problem('not_found')
  if (rejection.code === 'invalid_state') {
    const { current_status, allowed } = rejection
    // Nothing is allowed: the ending of old deliveries goes on by itself.
    const retry = allowed.length > 0 ? {} : { detail: stillEnding, headers: { 'Retry-After': '1' } }
    return new Problem('invalid_state', { members: { current_status, allowed }, ...retry })
  }
  // The fields were judged before: only a merge with somebody else's change can come here.
  return new Problem('validation_failed')
}
