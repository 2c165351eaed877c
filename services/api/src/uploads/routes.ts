// Takes files in, and cancels what they became (domain.md 3.12). Both are described with the import.

import { change, type MakeCommand } from '@wds/aggregate/resource'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import type { ApiRequest, RouteOf } from '@wds/http-service/route'
import type { ApiDependencies } from '../dependencies.ts'
import type { ImportCommand, ImportState } from '../imports/domain/import.ts'
import { imports } from '../imports/resource.ts'
import { readProgress } from '../imports/store-file-work.ts'
import type { operations, paths } from '../openapi.generated.ts'
import { cancelRun } from '../sync-runs/cancel-work.ts'
import { createImport } from './create-import.ts'
import { judgeUpload } from './upload-target.ts'

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
  const cancel: MakeCommand<ImportState, ImportCommand> = async (tx, { id, state, nowMs: atMs }) => {
    judgeUpload(request.client, state.order?.import_type ?? 'stats')
    const progress = await readProgress(tx, id)
    return withoutUndefined({ type: 'cancel', atMs, counts: progress?.counts })
  }
  return change(request, imports, cancel, {
    async after(tx, { state }) {
      if (state.sync_run_id !== null)
        await cancelRun(tx, state.sync_run_id, { context: request.context, reason: 'user' })
    },
  })
}
