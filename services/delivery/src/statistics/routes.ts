// The route of the numbers.
import type { RouteOf } from '@wds/http-service/route'
import type { paths } from '../openapi.generated.ts'
import { readStatistics } from './read-statistics.ts'

export function statisticsRoutes(): RouteOf<paths>[] {
  return [{ method: 'GET', path: '/v1/deliveries/statistics', scope: 'webhooks:manage', handle: readStatistics }]
}
