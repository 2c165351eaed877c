// Cancels sync runs (domain.md 3.3). An integration starts them: `integrations/start-sync-run.ts`.
import { change } from '@wds/aggregate/resource'
import type { ApiRequest, RouteOf } from '@wds/http-service/route'
import type { operations, paths } from '../openapi.generated.ts'
import { syncRuns } from './resource.ts'

export function syncRunRoutes(): RouteOf<paths>[] {
  const path = '/v1/sync-runs/{id}/cancel'
  return [{ method: 'POST', path, scope: syncRuns.scopes.write, handle: cancelSyncRun }]
}

function cancelSyncRun(request: ApiRequest<operations['cancelSyncRun']>) {
  return change(request, syncRuns, (_tx, { nowMs }) => ({ type: 'cancel', atMs: nowMs, reason: 'user' }))
}
