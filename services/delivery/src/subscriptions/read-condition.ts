// GET /v1/webhooks/{id}/condition: what waits for a subscription now, asked before it is disabled or deleted, and since when it is disabled.
import { loadOr404 } from '@wds/aggregate/resource'
import type { Handle } from '@wds/http-service/route'
import type { operations } from '../openapi.generated.ts'
import { subscriptions } from './resource.ts'
import { countOpen, failingDeliveriesOf, openCountedMax, whenDisabled } from './store-condition.ts'

export const readCondition: Handle<operations['readWebhookCondition']> = (request) =>
  request.read(async (tx) => {
    const { id, state } = await loadOr404(tx, subscriptions, request.params.id)
    const open = await countOpen(tx, id)
    const disabled = state.status === 'disabled' ? await whenDisabled(tx, id) : null
    const body = {
      object: 'webhook_condition' as const,
      webhook_id: id,
      open_deliveries: Math.min(open, openCountedMax),
      open_deliveries_complete: open <= openCountedMax,
      failing_deliveries: await failingDeliveriesOf(tx, id),
      disabled: disabled?.toISOString() ?? null,
    }
    return { status: 200, body }
  })
