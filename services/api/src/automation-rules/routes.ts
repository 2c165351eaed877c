// Actions of an automation rule beside what its resource declares (domain.md 3.10).
import { change } from '@wds/aggregate/resource'
import type { RouteOf } from '@wds/http-service/route'
import type { paths } from '../openapi.generated.ts'
import { automationRules, enableCommand } from './resource.ts'

export function automationRuleRoutes(): RouteOf<paths>[] {
  const action = { method: 'POST', scope: automationRules.scopes.write } as const
  const path = '/v1/automation-rules/{id}'
  return [
    {
      ...action,
      path: `${path}/enable`,
      handle: (request) => change(request, automationRules, (_tx, found) => enableCommand(found, request.client)),
    },
    {
      ...action,
      path: `${path}/disable`,
      handle: (request) => change(request, automationRules, () => ({ type: 'disable', reason: 'user' })),
    },
  ]
}
