// GET /v1/webhooks and /v1/webhooks/{id}. No secret is shown, only its last four characters.
import { isId } from '@wds/contracts/ids'
import { page } from '@wds/http-service/cursor'
import { Problem } from '@wds/http-service/problem'
import type { ApiAnswer, ApiRequest } from '@wds/http-service/route'
import { listSubscriptions, readSubscription, type SubscriptionRow } from '../store/subscriptions.ts'
import { toApiSubscription } from './api-shapes.ts'
import type { RouteOptions } from './route-options.ts'

/** The subscription that the path names, or 404. */
export async function existingSubscription(request: ApiRequest): Promise<SubscriptionRow> {
  const id = request.params.id as string
  const row = isId('whk', id) ? await request.read((tx) => readSubscription(tx, request.client.workspaceId, id)) : null
  if (row === null) throw new Problem('not_found')
  return row
}

export async function readWebhook(request: ApiRequest): Promise<ApiAnswer> {
  const row = await existingSubscription(request)
  return { status: 200, body: toApiSubscription(row), version: row.version }
}

export async function listWebhooks(request: ApiRequest, o: RouteOptions): Promise<ApiAnswer> {
  const { workspaceId } = request.client
  const { cursor, limit = 20, status = null } = request.query as { cursor?: string; limit?: number; status?: string }
  const binding = { workspaceId, route: 'GET /v1/webhooks', filters: { status } }
  const [created, id] = cursor === undefined ? [] : (o.cursors.decode(cursor, binding) as [string, string])
  const after = created === undefined || id === undefined ? null : { created, id }
  const rows = await request.read((tx) => listSubscriptions(tx, { workspaceId, status, after, limit: limit + 1 }))
  const list = page(rows, limit, (last) =>
    o.cursors.encode({ ...binding, position: [last.created.toISOString(), last.subscription_id] }),
  )
  return { status: 200, body: { ...list, data: list.data.map((row) => toApiSubscription(row)) } }
}
