// The stats query (domain.md 3.5).
import type { RouteOf } from '@wds/http-service/route'
import type { ApiDependencies } from '../dependencies.ts'
import type { paths } from '../openapi.generated.ts'
import { queryStats } from './query-stats.ts'

export function statsRoutes(o: ApiDependencies): RouteOf<paths>[] {
  return [{ method: 'GET', path: '/v1/stats', scope: 'stats:read', handle: (request) => queryStats(request, o) }]
}
