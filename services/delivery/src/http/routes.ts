// Every public route of delivery, with its scope (domain.md 10).
import type { ApiAnswer, ApiRequest, Route } from '@wds/http-service/route'
import { deleteWebhook, disableWebhook, enableWebhook, updateWebhook } from './change-webhook.ts'
import { createWebhook } from './create-webhook.ts'
import { listDead, listDeliveries } from './list-deliveries.ts'
import { readDeliveryById } from './read-delivery.ts'
import { listWebhooks, readWebhook } from './read-webhook.ts'
import { retryDelivery } from './retry-delivery.ts'
import type { RouteOptions } from './route-options.ts'

/** The table of routes, bound to what main built. */
export function routesOf(o: RouteOptions): Route[] {
  const scope = 'webhooks:manage'
  const bound = (operation: (request: ApiRequest, o: RouteOptions) => Promise<ApiAnswer>) => (request: ApiRequest) =>
    operation(request, o)
  return [
    { method: 'POST', path: '/v1/webhooks', scope, handle: bound(createWebhook) },
    { method: 'GET', path: '/v1/webhooks', scope, handle: bound(listWebhooks) },
    { method: 'GET', path: '/v1/webhooks/{id}', scope, handle: bound(readWebhook) },
    { method: 'PATCH', path: '/v1/webhooks/{id}', scope, handle: bound(updateWebhook) },
    { method: 'DELETE', path: '/v1/webhooks/{id}', scope, handle: bound(deleteWebhook) },
    { method: 'POST', path: '/v1/webhooks/{id}/enable', scope, handle: bound(enableWebhook) },
    { method: 'POST', path: '/v1/webhooks/{id}/disable', scope, handle: bound(disableWebhook) },
    { method: 'GET', path: '/v1/webhooks/{id}/deliveries', scope, handle: bound(listDeliveries) },
    { method: 'GET', path: '/v1/deliveries/{id}', scope, handle: bound(readDeliveryById) },
    { method: 'POST', path: '/v1/deliveries/{id}/retry', scope, handle: bound(retryDelivery) },
    { method: 'GET', path: '/v1/dead-letters', scope, handle: bound(listDead) },
  ]
}
