// Actions of an integration beside what its resource declares, POST and PATCH among them, which judge addresses and seal credentials (domain.md 3.2).
import { change } from '@wds/aggregate/resource'
import type { RouteOf } from '@wds/http-service/route'
import type { ApiDependencies } from '../dependencies.ts'
import type { paths } from '../openapi.generated.ts'
import { createIntegration } from './create-integration.ts'
import { patchIntegration } from './patch-integration.ts'
import { rotatePostbackToken } from './postback-address.ts'
import { integrations } from './resource.ts'
import { runsOfIntegrationRoutes } from './start-sync-run.ts'
import { testIntegration } from './test-integration.ts'

export function integrationRoutes(o: ApiDependencies): RouteOf<paths>[] {
  const scope = integrations.scopes.write
  const action = { method: 'POST', scope } as const
  return [
    { method: 'POST', path: '/v1/integrations', scope, handle: (request) => createIntegration(request, o) },
    { method: 'PATCH', path: '/v1/integrations/{id}', scope, handle: (request) => patchIntegration(request, o) },
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
    {
      ...action,
      path: '/v1/integrations/{id}/rotate-postback-token',
      handle: (request) => rotatePostbackToken(request, o),
    },
    { ...action, path: '/v1/integrations/{id}/test', handle: (request) => testIntegration(request, o) },
    ...runsOfIntegrationRoutes(o),
  ]
}
