// GET /v1/webhooks/{id}/deliveries and /v1/dead-letters: keyset pages, newest event first. `failed` covers retry and dead (delivery.md).
import { idDay } from '@wds/contracts/ids'
import { type Page, page, toBeContinued } from '@wds/http-service/cursor'
import type { ApiAnswer, ApiRequest } from '@wds/http-service/route'
import { boundOf, type DeliveryRow, listDeadLetters, listHistory, type Walked } from '../store/deliveries.ts'
import { toApiDelivery } from './api-shapes.ts'
import { existingSubscription } from './read-webhook.ts'
import type { RouteOptions } from './route-options.ts'

interface ListQuery {
  cursor?: string
  limit?: number
  status?: string[]
  type?: string
  since?: string
  until?: string
  event_id?: string
  webhook_id?: string
  reason?: string
  error_code?: string
}

const msOf = (text: string | undefined): number | null => (text === undefined ? null : Date.parse(text))
const dayOf = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString().slice(0, 10))

export async function listDeliveries(request: ApiRequest, o: RouteOptions): Promise<ApiAnswer> {
  const subscription = await existingSubscription(request)
  const { cursor, limit = 20, ...filters } = request.query as ListQuery
  const { workspaceId } = request.client
  const binding = { workspaceId, route: `GET /v1/webhooks/${subscription.subscription_id}/deliveries`, filters }
  const [afterEventId = null] = cursor === undefined ? [] : (o.cursors.decode(cursor, binding) as [string])
  const [sinceMs, untilMs] = [msOf(filters.since), msOf(filters.until)]
  const walked = await request.read((tx) =>
    listHistory(tx, {
      workspaceId,
      subscriptionId: subscription.subscription_id,
      statuses: filters.status?.flatMap((status) => (status === 'failed' ? ['retry', 'dead'] : [status])) ?? null,
      type: filters.type ?? null,
      eventId: filters.event_id ?? null,
      fromEventId: sinceMs === null ? null : boundOf(sinceMs, '0'),
      toEventId: untilMs === null ? null : boundOf(untilMs, 'Z'),
      afterEventId,
      limit: limit + 1,
    }),
  )
  const encode = (id: string) => o.cursors.encode({ ...binding, position: [id] })
  return answerOf(pageOf(walked, { limit, encode, key: 'event_id' }), o)
}

export async function listDead(request: ApiRequest, o: RouteOptions): Promise<ApiAnswer> {
  const { cursor, limit = 20, ...filters } = request.query as ListQuery
  const { workspaceId } = request.client
  const binding = { workspaceId, route: 'GET /v1/dead-letters', filters }
  const [id] = cursor === undefined ? [] : (o.cursors.decode(cursor, binding) as [string])
  const [sinceMs, untilMs] = [msOf(filters.since), msOf(filters.until)]
  const walked = await request.read((tx) =>
    listDeadLetters(tx, {
      workspaceId,
      subscriptionId: filters.webhook_id ?? null,
      type: filters.type ?? null,
      reason: filters.reason ?? null,
      errorCode: filters.error_code ?? null,
      fromDay: dayOf(sinceMs),
      toDay: dayOf(untilMs),
      sinceMs,
      untilMs,
      after: id === undefined ? null : { day: idDay(id), id },
      limit: limit + 1,
    }),
  )
  const encode = (id: string) => o.cursors.encode({ ...binding, position: [id] })
  return answerOf(pageOf(walked, { limit, encode, key: 'delivery_id' }), o)
}

function pageOf(
  { rows, walkedTo }: Walked,
  o: { limit: number; encode: (id: string) => string; key: 'event_id' | 'delivery_id' },
): Page<DeliveryRow> {
  const found = page(rows, o.limit, (last) => o.encode(last[o.key]))
  return found.has_more || walkedTo === null ? found : toBeContinued(found, o.encode(walkedTo))
}

function answerOf(list: Page<DeliveryRow>, o: RouteOptions): ApiAnswer {
  return { status: 200, body: { ...list, data: list.data.map((row) => toApiDelivery(row, o.attemptsMax)) } }
}
