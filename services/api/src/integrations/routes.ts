// Actions of an integration beside what its resource declares (domain.md 3.2).
import { change } from '@wds/aggregate/resource'
import type { RouteOf } from '@wds/http-service/route'
import type { ApiDependencies } from '../dependencies.ts'
import type { paths } from '../openapi.generated.ts'
import { integrations } from './resource.ts'
import { runsOfIntegrationRoutes } from './start-sync-run.ts'
import { testIntegration } from './test-integration.ts'

export function integrationRoutes(o: ApiDependencies): RouteOf<paths>[] {
  const action = { method: 'POST', scope: integrations.scopes.write } as const
  return [
    {
      ...action,
      path: '/v1/integrations/{id}/pause',
      handle: (request) => change(request, integrations, () => ({ type: 'pause' })),
    },
    {
      ...action,
      path: '/v1/integrations/{id}/resume',
      handle: (request) => change(request, integrations, (_tx, { nowMs }) => ({ type: 'resume', atMs: nowMs })),
    },
    { ...action, path: '/v1/integrations/{id}/test', handle: testIntegration },
    ...runsOfIntegrationRoutes(o),
  ]
}
