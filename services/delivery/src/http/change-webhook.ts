// PATCH and DELETE /v1/webhooks/{id}, and the transitions enable and disable. An edit moves the retries that wait, too (decisions.md 8).
import { requireMatch } from '@wds/http-service/conditional'
import { Problem } from '@wds/http-service/problem'
import type { ApiAnswer, ApiRequest } from '@wds/http-service/route'
import type { SubscriptionCommand, SubscriptionFields, SubscriptionRejection } from '../domain/subscription.ts'
import { changeSubscription } from '../store/subscription-stream.ts'
import { readSubscription, type SubscriptionRow } from '../store/subscriptions.ts'
import { toApiSubscription } from './api-shapes.ts'
import { existingSubscription } from './read-webhook.ts'
import type { RouteOptions } from './route-options.ts'
import { judgeFields } from './subscription-fields.ts'

export async function updateWebhook(request: ApiRequest, o: RouteOptions): Promise<ApiAnswer> {
  const row = await existingSubscription(request)
  const patch = request.body as Partial<SubscriptionFields>
  const merged = merge(row, patch)
  const fields = await judgeFields(merged, {
    checkUrl: o.checkUrl,
    urlUnchanged: patch.url === undefined || patch.url === row.url,
  })
  return request.write(async (tx) => {
    // The address was judged outside of the transaction; what others changed meanwhile is merged again.
    const current = await readSubscription(tx, request.client.workspaceId, row.subscription_id)
    const headers = patch.headers === undefined ? {} : { headers: fields.headers }
    const url = patch.url === undefined ? {} : { url: fields.url }
    const latest = current === null ? fields : { ...merge(current, patch), ...headers, ...url }
    return carryOut(tx, request, { type: 'ChangeSubscription', fields: latest })
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
  return request.write((tx) => carryOut(tx, request, { type: 'EnableSubscription' }))
}

export async function disableWebhook(request: ApiRequest): Promise<ApiAnswer> {
  const row = await existingSubscription(request)
  const failingSince = row.failing_since?.toISOString() ?? null
  return request.write((tx) => carryOut(tx, request, { type: 'DisableSubscription', reason: 'user' }, failingSince))
}

type WriteTransaction = Parameters<Parameters<ApiRequest['write']>[0]>[0]

async function carryOut(
  tx: WriteTransaction,
  request: ApiRequest,
  command: SubscriptionCommand,
  failingSince: string | null = null,
): Promise<ApiAnswer> {
  const id = request.params.id as string
  const outcome = await changeSubscription(tx, {
    context: request.context,
    id,
    command,
    failingSince,
    judge: (version) => requireMatch(request, version),
  })
  if (!outcome.ok) throw refusal(outcome.rejection)
  if (command.type === 'DeleteSubscription') return { status: 204 }
  const row = (await readSubscription(tx, request.client.workspaceId, id)) as SubscriptionRow
  return { status: 200, body: toApiSubscription(row), version: row.version }
}

function refusal(rejection: SubscriptionRejection): Problem {
  if (rejection.code === 'not_found') return new Problem('not_found')
  if (rejection.code === 'invalid_state') {
    return new Problem('invalid_state', {
      members: { current_status: rejection.current_status, allowed: rejection.allowed },
    })
  }
  // The fields were judged before: only a merge with somebody else's change can come here.
  return new Problem('validation_failed')
}
