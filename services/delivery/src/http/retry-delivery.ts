// POST /v1/deliveries/{id}/retry: opens a new epoch from dead, delivered or retry (decisions.md 4, 8).

import { dbNow } from '@wds/event-store/event-store'
import { Problem } from '@wds/http-service/problem'
import type { ApiAnswer, ApiRequest } from '@wds/http-service/route'
import type { DeliveryRow } from '../store/deliveries.ts'
import { replayDelivery } from '../store/replay-delivery.ts'
import { readSubscriptionStatus } from '../store/subscriptions.ts'
import { existingDelivery, showDelivery } from './read-delivery.ts'
import type { RouteOptions } from './route-options.ts'

const dayMs = 86_400_000
/** Days for which an event can be replayed (delivery.md, The log). */
const replayDays = 30

export async function retryDelivery(request: ApiRequest, o: RouteOptions): Promise<ApiAnswer> {
  return request.write(async (tx) => {
    const row = await existingDelivery(tx, request)
    const status = await readSubscriptionStatus(tx, request.client.workspaceId, row.subscription_id)
    if (status === 'deleted') throw refusal(row)
    if (status === 'disabled') throw new Problem('webhook_disabled')
    const today = Math.floor((await dbNow(tx)) / dayMs) * dayMs
    if (Date.parse(row.event_day) <= today - replayDays * dayMs) throw new Problem('event_expired')
    if (row.attempt_under_way || row.status === 'pending' || row.status === 'replay') throw refusal(row)
    const requestedBy = `${request.client.kind}:${request.client.id}`
    const opened = await replayDelivery(tx, { day: row.event_day, id: row.delivery_id, requestedBy })
    if (!opened) throw refusal(await existingDelivery(tx, request))
    const body = await showDelivery(tx, request, o)
    return { status: 202, body, location: `/v1/deliveries/${row.delivery_id}`, afterCommit: o.onDue }
  })
}

/** Nothing is allowed while an attempt is under way or an epoch is open. */
function refusal(row: DeliveryRow): Problem {
  return new Problem('invalid_state', { members: { current_status: row.status, allowed: [] } })
}
