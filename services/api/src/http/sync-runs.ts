// Reads sync runs, and starts, retries and cancels them (domain.md 3.3).
import { requireMatch } from '@wds/http-service/conditional'
import { Problem, problemOfFaults } from '@wds/http-service/problem'
import type { ApiAnswer, ApiRequest } from '@wds/http-service/route'
import type { Transaction } from '@wds/postgres/transaction'
import { dayNumber } from '../domain/calendar.ts'
import type { IntegrationState } from '../domain/integration.ts'
import { defaultWindow, triggerOf, windowFault } from '../domain/run-window.ts'
import { type SyncRunState, syncRunDecider } from '../domain/sync-run.ts'
import type { Loaded } from '../store/aggregate.ts'
import { cancelRun } from '../store/cancel-work.ts'
import { sampleRejects } from '../store/import-rejects.ts'
import { syncRunKind } from '../store/kinds.ts'
import { lockRowOfIntegration, openRunOf } from '../store/open-work.ts'
import { queueRun } from '../store/queue-run.ts'
import { toApiSyncRun } from './api-shapes.ts'
import {
  type ApiDependencies,
  equalsFilters,
  invalidState,
  listPage,
  loadOr404,
  lockIntegration,
  orProblem,
} from './operations.ts'

type Window = { from: string; to: string }

export async function readSyncRun(request: ApiRequest): Promise<ApiAnswer> {
  return request.read(async (tx) => {
    const run = await loadOr404<SyncRunState>(tx, request, syncRunKind, { id: request.params.id ?? '', lock: false })
    const [body = {}] = await toApiRuns(tx, request, [run])
    return { status: 200, body, version: run.version }
  })
}

/** Rejected lines that a run shows. */
const sampleMax = 20

/** Runs with a sample of their rejects. It stands once the run has ended, so that the ETag names one representation. */
async function toApiRuns(tx: Transaction, request: ApiRequest, runs: Loaded<SyncRunState>[]): Promise<object[]> {
  const importOf = ({ state }: Loaded<SyncRunState>) =>
    state.finished_ms === null ? null : (state.order?.import_id ?? null)
  const importIds = runs.map(importOf).filter((id) => id !== null)
  const { workspaceId } = request.client
  const samples = await sampleRejects(tx, { workspaceId, importIds, limit: sampleMax })
  return runs.map((run) => toApiSyncRun(run, samples.get(importOf(run) ?? '') ?? []))
}

export function listSyncRuns(request: ApiRequest, { cursors }: ApiDependencies): Promise<ApiAnswer> {
  const columns = { integration_id: 'integration_id', status: 'status', trigger: 'trigger' }
  const query = { table: 'sync_runs', equals: equalsFilters(request.query, columns) } as const
  return listPage<SyncRunState>(request, { cursors, route: 'sync-runs', query, toApi: toApiRuns })
}

export async function listIntegrationSyncRuns(request: ApiRequest, o: ApiDependencies): Promise<ApiAnswer> {
  const id = request.params.integration_id ?? ''
  await request.read((tx) => loadOr404<IntegrationState>(tx, request, { table: 'integrations' }, { id, lock: false }))
  const equals = equalsFilters(request.query, { status: 'status', trigger: 'trigger' })
  equals.push({ column: 'integration_id', values: [id] })
  const query = { table: 'sync_runs', equals } as const
  return listPage<SyncRunState>(request, {
    cursors: o.cursors,
    route: 'integration-sync-runs',
    query,
    toApi: toApiRuns,
  })
}

export function startSyncRun(request: ApiRequest, o: ApiDependencies): Promise<ApiAnswer> {
  return request.write(async (tx) => {
    const integration = await lockIntegration(tx, request, request.params.integration_id ?? '')
    const body = request.body as { window?: Window; allow_empty?: boolean }
    const fields = pullFields(integration)
    const { nowMs } = integration
    const fault = body.window && windowFaultOf(body.window, fields.source_time_zone, nowMs)
    if (fault) throw problemOfFaults([{ pointer: '/window', code: 'validation_failed', detail: fault }])
    const window = body.window ?? defaultWindow(integration.state, fields, nowMs)
    const trigger = triggerOf(body.window ?? null, fields, nowMs)
    return open(tx, request, o, { integration, trigger, window, allowEmpty: body.allow_empty ?? false, nowMs })
  })
}

function windowFaultOf(window: Window, zone: string, nowMs: number): string | null {
  if (dayNumber(window.from) === null || dayNumber(window.to) === null) return 'The window has no calendar dates.'
  return windowFault(window, zone, nowMs)
}

export function retrySyncRun(request: ApiRequest, o: ApiDependencies): Promise<ApiAnswer> {
  return request.write(async (tx) => {
    const found = await loadOr404<SyncRunState>(tx, request, syncRunKind, { id: request.params.id ?? '', lock: false })
    const order = found.state.order
    if (order === null) throw new Problem('not_found')
    requireMatch(request, found.version)
    const integration = await lockIntegration(tx, request, order.integration_id)
    pullFields(integration)
    const { status } = found.state
    if (status !== 'failed' && status !== 'canceled') throw invalidState(retryRefusal(found.state))
    const { nowMs } = integration
    const window = order.window
    return open(tx, request, o, { integration, trigger: 'retry', window, allowEmpty: order.allow_empty, nowMs })
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
  allowEmpty: boolean
  nowMs: number
}

async function open(tx: Transaction, request: ApiRequest, o: ApiDependencies, opening: Opening): Promise<ApiAnswer> {
  const { integration } = opening
  if (integration.state.status === 'paused') {
    throw invalidState({ code: 'invalid_state', current_status: 'paused', allowed: ['resume', 'update', 'delete'] })
  }
  if (await openRunOf(tx, request.client.workspaceId, integration.id)) throw new Problem('sync_already_running')
  const wish = { ...opening, context: request.context, importId: null, attemptsMax: o.syncAttemptsMax }
  const run = await queueRun(tx, wish)
  const location = `/v1/sync-runs/${run.id}`
  return { status: 202, body: toApiSyncRun(run, []), location, version: run.version, afterCommit: o.wakeWorker }
}

function pullFields(integration: Loaded<IntegrationState>) {
  const { fields } = integration.state
  if (fields === null || fields.provider === 'csv_upload') throw new Problem('sync_not_supported')
  return fields
}

export function cancelSyncRun(request: ApiRequest): Promise<ApiAnswer> {
  return request.write(async (tx) => {
    const id = request.params.id ?? ''
    const seen = await loadOr404<SyncRunState>(tx, request, syncRunKind, { id, lock: false })
    await lockRowOfIntegration(tx, request.client.workspaceId, seen.state.order?.integration_id ?? '')
    const run = await loadOr404<SyncRunState>(tx, request, syncRunKind, { id, lock: true })
    requireMatch(request, run.version)
    const refused = syncRunDecider.decide(run.state, { type: 'cancel', atMs: 0, reason: 'user' })
    if (!refused.accepted) throw invalidState(refused.rejection)
    const { nowMs } = run
    const canceled = orProblem(await cancelRun(tx, run, { context: request.context, reason: 'user', nowMs }))
    return { status: 200, body: toApiSyncRun(canceled, []), version: canceled.version }
  })
}
