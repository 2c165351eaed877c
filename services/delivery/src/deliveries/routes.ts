// The routes that show deliveries.
import type { Cursors } from '@wds/http-service/cursor'
import type { RouteOf } from '@wds/http-service/route'
import type { paths } from '../openapi.generated.ts'
import { listCauses, listDead } from './list-dead-letters.ts'
import { listDeliveries } from './list-deliveries.ts'
import { readDeliveryById } from './read-delivery.ts'

/** What main gives them; `attemptsMax`: WDS_DELIVERY_ATTEMPTS. */
export interface DeliveryRouteOptions {
  cursors: Cursors
  attemptsMax: number
}

export function deliveryRoutes(o: DeliveryRouteOptions): RouteOf<paths>[] {
  const scope = 'webhooks:manage'
  return [
    { method: 'GET', path: '/v1/webhooks/{id}/deliveries', scope, handle: (request) => listDeliveries(request, o) },
    {
      method: 'GET',
      path: '/v1/deliveries/{id}',
      scope,
      handle: (request) => readDeliveryById(request, o.attemptsMax),
    },
    { method: 'GET', path: '/v1/dead-letters', scope, handle: (request) => listDead(request, o) },
    { method: 'GET', path: '/v1/dead-letters/causes', scope, handle: (request) => listCauses(request) },
  ]
}
