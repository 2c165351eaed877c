// The stats query (domain.md 3.5): by parameters, and as JSON where these grow too long for an address.
import type { RouteOf } from '@wds/http-service/route'
import type { ApiDependencies } from '../dependencies.ts'
import type { paths } from '../openapi.generated.ts'
import { answerStats } from './query-stats.ts'
import { membersOf } from './read-request.ts'

export function statsRoutes({ cursors, referenceRates }: ApiDependencies): RouteOf<paths>[] {
  return [
    {
      method: 'GET',
      path: '/v1/stats',
      scope: 'stats:read',
      handle: (request) =>
        answerStats(request, { cursors, referenceRates, given: membersOf(request.query), where: 'parameter' }),
    },
    {
      method: 'POST',
      path: '/v1/stats/query',
      scope: 'stats:read',
      handle: (request) => answerStats(request, { cursors, referenceRates, given: request.body, where: 'pointer' }),
    },
  ]
}
