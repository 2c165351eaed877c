// Starts and retries sync runs of an integration by hand, and lists them (domain.md 3.3). They are described with the sync run.
import type { Loaded } from '@wds/aggregate/aggregate'
import { list } from '@wds/aggregate/list'
import { answerOf, invalidState, loadOr404 } from '@wds/aggregate/resource'
import { requireMatch } from '@wds/http-service/conditional'
import { Problem, problemOfFaults } from '@wds/http-service/problem'
import type { ApiRequest, RouteOf } from '@wds/http-service/route'
import type { Transaction } from '@wds/postgres/transaction'
import { dayNumber, localDate } from '../calendar/domain/calendar.ts'
import { readFolded } from '../conversions/store-folds.ts'
import type { ApiDependencies } from '../dependencies.ts'
import type { operations, paths, Window } from '../openapi.generated.ts'
import type { SyncRunState } from '../sync-runs/domain/sync-run.ts'
import { syncRuns } from '../sync-runs/resource.ts'
import type { IntegrationState } from './domain/integration.ts'
import { triggerOf, windowFault } from './domain/run-window.ts'
import { type RunWindow, windowOfRun } from './fold-window.ts'
import { integrations } from './resource.ts'
import { openRun } from './start-run.ts'

export function runsOfIntegrationRoutes(o: ApiDependencies): RouteOf<paths>[] {
  const { scopes } = syncRuns
  const path = '/v1/integrations/{integration_id}/sync-runs'
  const scope = scopes.write
  return [
    { method: 'GET', path, scope: scopes.read, handle: (request) => listOfIntegration(request, o) },
    { method: 'POST', path, scope, handle: (request) => startSyncRun(request, o) },
    { method: 'POST', path: '/v1/sync-runs/{id}/retry', scope, handle: (request) => retrySyncRun(request, o) },
  ]
}

async function listOfIntegration(
  request: ApiRequest<operations['listIntegrationSyncRuns']>,
  { cursors }: ApiDependencies,
) {
  const { integration_id } = request.params
  await request.read((tx) => loadOr404(tx, integrations, integration_id))
  return list(request, syncRuns, { cursors, within: { integration_id } })
}

function startSyncRun(request: ApiRequest<operations['startSyncRun']>, o: ApiDependencies) {
  return request.write(async (tx) => {
    const integration = await loadOr404(tx, integrations, request.params.integration_id, { lock: true })
    const { body } = request
    const fields = pullFields(integration)
    const { nowMs } = integration
    const zone = fields.source_time_zone
    const { keptFromMs } = await readFolded(tx, integration.id)
    const keptFrom = keptFromMs === null ? null : localDate(keptFromMs, zone)
    const fault = body.window && windowFaultOf(body.window, { zone, nowMs, keptFrom })
    if (fault) throw problemOfFaults([{ pointer: '/window', code: 'validation_failed', detail: fault }])
    const asked: RunWindow = body.window ? { window: body.window, fold: null } : await windowOfRun(tx, integration)
    const trigger = triggerOf(body.window ?? null, fields, nowMs)
    return open(tx, request, o, { integration, trigger, ...asked, allowEmpty: body.allow_empty ?? false })
  })
}

function windowFaultOf(
  window: Window,
  { zone, nowMs, keptFrom }: { zone: string; nowMs: number; keptFrom: string | null },
): string | null {
  if (dayNumber(window.from) === null || dayNumber(window.to) === null) return 'The window has no calendar dates.'
  if (keptFrom !== null && window.to < keptFrom) return `Conversions are kept from ${keptFrom} on.`
  return windowFault(window, zone, nowMs)
}

function retrySyncRun(request: ApiRequest<operations['retrySyncRun']>, o: ApiDependencies) {
  return request.write(async (tx) => {
    const found = await loadOr404(tx, syncRuns, request.params.id)
    const order = found.state.order
    if (order === null) throw new Problem('not_found')
    requireMatch(request, found.version)
    const integration = await loadOr404(tx, integrations, order.integration_id, { lock: true })
    pullFields(integration)
    const { status } = found.state
    if (status !== 'failed' && status !== 'canceled') throw invalidState(retryRefusal(found.state))
    const { window } = order
    return open(tx, request, o, { integration, trigger: 'retry', window, allowEmpty: order.allow_empty })
  })
}

function retryRefusal(state: SyncRunState) {
  const allowed = state.status === 'succeeded' ? [] : ['cancel']
  return { code: 'invalid_state' as const, current_status: state.status, allowed }
}

interface Opening {
  integration: Loaded<IntegrationState>
  trigger: 'manual' | 'backfill' | 'retry'
  window: Window | null
  fold?: RunWindow['fold']
  allowEmpty: boolean
}

async function open(tx: Transaction, request: ApiRequest, o: ApiDependencies, opening: Opening) {
  const asked = { ...opening, context: request.context, importId: null, attemptsMax: o.syncAttemptsMax }
  const opened = await openRun(tx, asked)
  if (!opened.ok && opened.error === 'sync_already_running') throw new Problem('sync_already_running')
  if (!opened.ok)
    throw invalidState({ code: 'invalid_state', current_status: 'paused', allowed: ['resume', 'update', 'delete'] })
  const run = opened.value
  const location = `/v1/sync-runs/${run.id}`
  return { ...(await answerOf(tx, syncRuns, run)), status: 202, location, afterCommit: o.wakeWorker } as const
}

function pullFields(integration: Loaded<IntegrationState>) {
  const { fields } = integration.state
  if (fields === null || fields.provider === 'csv_upload') throw new Problem('sync_not_supported')
  return fields
}
