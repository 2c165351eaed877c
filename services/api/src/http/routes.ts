// The one table of this service's routes: method, path, scope, operation. openapi.yaml says the same, compared at start.
import type { Route } from '@wds/http-service/route'
import { deleteIntegration, patchIntegration, pauseIntegration, resumeIntegration } from './change-integration.ts'
import { createIntegration } from './create-integration.ts'
import { cancelImportRoute, createImport, listImports, readImport, readImportErrors } from './imports.ts'
import type { ApiDependencies } from './operations.ts'
import { queryStats } from './query-stats.ts'
import { listIntegrations, readIntegration } from './read-integrations.ts'
import { listProviders, readProvider } from './read-providers.ts'
import {
  cancelSyncRun,
  listIntegrationSyncRuns,
  listSyncRuns,
  readSyncRun,
  retrySyncRun,
  startSyncRun,
} from './sync-runs.ts'
import { testIntegration } from './test-integration.ts'

const read = 'integrations:read'
const write = 'integrations:write'

export function apiRoutes(o: ApiDependencies): Route[] {
  return [
    { method: 'GET', path: '/v1/integrations', scope: read, handle: (request) => listIntegrations(request, o) },
    { method: 'POST', path: '/v1/integrations', scope: write, handle: createIntegration },
    { method: 'GET', path: '/v1/integrations/{id}', scope: read, handle: readIntegration },
    { method: 'PATCH', path: '/v1/integrations/{id}', scope: write, handle: patchIntegration },
    { method: 'DELETE', path: '/v1/integrations/{id}', scope: write, handle: deleteIntegration },
    { method: 'POST', path: '/v1/integrations/{id}/pause', scope: write, handle: pauseIntegration },
    { method: 'POST', path: '/v1/integrations/{id}/resume', scope: write, handle: resumeIntegration },
    { method: 'POST', path: '/v1/integrations/{id}/test', scope: write, handle: testIntegration },
    { method: 'GET', path: '/v1/providers', scope: read, handle: listProviders },
    { method: 'GET', path: '/v1/providers/{provider}', scope: read, handle: readProvider },
    {
      method: 'GET',
      path: '/v1/integrations/{integration_id}/sync-runs',
      scope: read,
      handle: (request) => listIntegrationSyncRuns(request, o),
    },
    {
      method: 'POST',
      path: '/v1/integrations/{integration_id}/sync-runs',
      scope: write,
      handle: (request) => startSyncRun(request, o),
    },
    { method: 'GET', path: '/v1/sync-runs', scope: read, handle: (request) => listSyncRuns(request, o) },
    { method: 'GET', path: '/v1/sync-runs/{id}', scope: read, handle: readSyncRun },
    { method: 'POST', path: '/v1/sync-runs/{id}/retry', scope: write, handle: (request) => retrySyncRun(request, o) },
    { method: 'POST', path: '/v1/sync-runs/{id}/cancel', scope: write, handle: cancelSyncRun },
    { method: 'GET', path: '/v1/imports', scope: read, handle: (request) => listImports(request, o) },
    {
      method: 'POST',
      path: '/v1/imports',
      scope: write,
      bodyKind: 'stream',
      contentEncodings: ['gzip'],
      handle: (request) => createImport(request, o),
    },
    { method: 'GET', path: '/v1/imports/{id}', scope: read, handle: readImport },
    { method: 'GET', path: '/v1/imports/{id}/errors', scope: read, handle: readImportErrors },
    { method: 'POST', path: '/v1/imports/{id}/cancel', scope: write, handle: cancelImportRoute },
    { method: 'GET', path: '/v1/stats', scope: 'stats:read', handle: (request) => queryStats(request, o) },
  ]
}
