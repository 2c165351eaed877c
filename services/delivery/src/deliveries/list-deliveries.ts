// GET /v1/webhooks/{id}/deliveries: keyset pages, newest event first. `failed` covers retry and dead (delivery.md).
import { loadOr404 } from '@wds/aggregate/resource'
import { type Cursors, type Page, pageOfWalk } from '@wds/http-service/cursor'
import type { ApiAnswer, ApiRequest } from '@wds/http-service/route'
import { rangeOf } from '../events/domain/period.ts'
import type { operations } from '../openapi.generated.ts'
import { subscriptions } from '../subscriptions/resource.ts'
import { requireEventType } from './require-event-type.ts'
import type { DeliveryRow } from './store.ts'
import { listHistory } from './store-history.ts'
import { toApiDelivery } from './to-api.ts'

/** What lists of deliveries are given. */
export interface ListOptions {
  cursors: Cursors
  attemptsMax: number
}

export async function listDeliveries(
  request: ApiRequest<operations['listDeliveries']>,
  o: ListOptions,
): Promise<ApiAnswer<operations['listDeliveries']>> {
  const { id: subscriptionId } = request.params
  const { cursor, limit, ...filters } = request.query
  const { workspaceId } = request.client
  const binding = { workspaceId, route: `GET /v1/webhooks/${subscriptionId}/deliveries`, filters }
  const walk = await request.read(async (tx) => {
    await loadOr404(tx, subscriptions, subscriptionId)
    requireEventType(filters.type, { parameter: 'type' })
    const [after] = cursor === undefined ? [] : o.cursors.decode(cursor, binding)
    return listHistory(tx, {
      workspaceId,
      subscriptionId,
      statuses: filters.status?.flatMap((status) => (status === 'failed' ? ['retry', 'dead'] : [status])) ?? null,
      type: filters.type ?? null,
      eventId: filters.event_id ?? null,
      ...rangeOf(filters),
      after: after === undefined ? null : String(after),
      limit: limit + 1,
    })
  })
  const toCursor = (at: { event_id: string }) => o.cursors.encode({ ...binding, position: [at.event_id] })
  return answerOf(pageOfWalk(walk, limit, toCursor), o)
}

/** A page as the API shows it. */
export function answerOf(list: Page<DeliveryRow>, o: ListOptions) {
  return { status: 200, body: { ...list, data: list.data.map((row) => toApiDelivery(row, o.attemptsMax)) } } as const
}
