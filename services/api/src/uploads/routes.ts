// Takes files in, and cancels what they became (domain.md 3.12). Both are described with the import.
import { change } from '@wds/aggregate/resource'
import type { ApiRequest, RouteOf } from '@wds/http-service/route'
import type { ApiDependencies } from '../dependencies.ts'
import { imports } from '../imports/resource.ts'
import type { operations, paths } from '../openapi.generated.ts'
import { cancelRun } from '../sync-runs/cancel-work.ts'
import { createImport } from './create-import.ts'

export function uploadRoutes(o: ApiDependencies): RouteOf<paths>[] {
  const { scopes } = imports
  const upload = { bodyKind: 'stream', contentEncodings: ['gzip'] } as const
  return [
    {
      method: 'POST',
      path: '/v1/imports',
      scope: scopes.write,
      ...upload,
      handle: (request) => createImport(request, o),
    },
    { method: 'POST', path: '/v1/imports/{id}/cancel', scope: scopes.write, handle: cancelImport },
  ]
}

/** With its run, if one is open. */
function cancelImport(request: ApiRequest<operations['cancelImport']>) {
  return change(request, imports, (_tx, { nowMs }) => ({ type: 'cancel', atMs: nowMs }), {
    async after(tx, { state }) {
      if (state.sync_run_id !== null)
        await cancelRun(tx, state.sync_run_id, { context: request.context, reason: 'user' })
    },
  })
}
