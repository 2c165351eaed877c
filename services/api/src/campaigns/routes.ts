// Actions of a campaign beside what its resource declares (domain.md 3.4).
import { change } from '@wds/aggregate/resource'
import type { RouteOf } from '@wds/http-service/route'
import type { paths } from '../openapi.generated.ts'
import { campaigns } from './resource.ts'

export function campaignRoutes(): RouteOf<paths>[] {
  const action = { method: 'POST', scope: campaigns.scopes.write } as const
  const path = '/v1/campaigns/{id}'
  return [
    {
      ...action,
      path: `${path}/activate`,
      handle: (request) => change(request, campaigns, () => ({ type: 'activate' })),
    },
    { ...action, path: `${path}/pause`, handle: (request) => change(request, campaigns, () => ({ type: 'pause' })) },
    { ...action, path: `${path}/resume`, handle: (request) => change(request, campaigns, () => ({ type: 'resume' })) },
    {
      ...action,
      path: `${path}/archive`,
      handle: (request) => change(request, campaigns, () => ({ type: 'archive' })),
    },
  ]
}
