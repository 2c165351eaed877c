// PATCH, DELETE, pause and resume of an integration (domain.md 3.2). Pause and deletion cancel what is open.
import type { ProblemCode } from '@wds/contracts/problems'
import { requireMatch } from '@wds/http-service/conditional'
import { type Fault, Problem, problemOfFaults } from '@wds/http-service/problem'
import type { ApiAnswer, ApiRequest } from '@wds/http-service/route'
import type { Transaction } from '@wds/postgres/transaction'
import {
  changesOfBasis,
  type IntegrationCommand,
  type IntegrationFields,
  type IntegrationPatch,
  type IntegrationState,
} from '../domain/integration.ts'
import { fieldFaults, normalized } from '../domain/integration-form.ts'
import { carryOut, type Loaded } from '../store/aggregate.ts'
import { cancelOpenWork } from '../store/cancel-work.ts'
import { integrationKind } from '../store/kinds.ts'
import { openImportsOf, openRunOf } from '../store/open-work.ts'
import { removeSchedule, reschedule } from '../store/schedules.ts'
import { hasStats } from '../store/stats-rows.ts'
import { toApiIntegration } from './api-shapes.ts'
import { lockIntegration, orProblem } from './operations.ts'

export function patchIntegration(request: ApiRequest): Promise<ApiAnswer> {
  return request.change(async (tx) => {
    const loaded = await lockIntegration(tx, request, request.params.id ?? '')
    const { nowMs } = loaded
    requireMatch(request, loaded.version)
    const { fields } = loaded.state
    if (fields === null) throw new Error('an integration without fields')
    const patch = merged(fields, request.body as IntegrationPatch)
    const faults = fieldFaults({ ...fields, ...patch })
    if (faults.length > 0) throw problemOfFaults(faults)
    await requireBasis(tx, request, loaded.id, changesOfBasis(fields, patch))
    const changed = await carry(tx, request, loaded, { type: 'update', patch, atMs: nowMs }, nowMs)
    if (changed.version !== loaded.version) await afterPatch(tx, changed, patch, nowMs)
    return { status: 200, body: toApiIntegration(changed), version: changed.version }
  })
}

/**
 * Refuses a change of what rows are keyed by once there are rows, or work that will write some: rows of two bases for one hour or
 * day would be summed, and nothing tells which of them the source still means. A run has its basis from when it is open; it opens
 * and ends under the integration's lock, which the caller holds.
 */
async function requireBasis(
  tx: Transaction,
  request: ApiRequest,
  integrationId: string,
  changes: string[],
): Promise<void> {
  if (changes.length === 0) return
  const { workspaceId } = request.client
  const faultsOf = (code: ProblemCode, detail: string): Fault[] =>
    changes.map((name) => ({ pointer: `/${name}`, code, detail }))
  if (await hasStats(tx, { workspaceId, integrationId })) {
    const errors = faultsOf('stats_exist', 'The stats of the integration are counted by it.')
    throw new Problem('stats_exist', { errors })
  }
  const isOpen = (await openRunOf(tx, workspaceId, integrationId)) !== null
  if (isOpen || (await openImportsOf(tx, workspaceId, integrationId)).length > 0) {
    const detail = 'A sync run or an import of the integration is open and counts by it.'
    throw new Problem('sync_already_running', { detail, errors: faultsOf('sync_already_running', detail) })
  }
}

/** Other settings are tried at once (domain.md 3.2); another schedule counts from now on. */
async function afterPatch(
  tx: Transaction,
  changed: Loaded<IntegrationState>,
  patch: IntegrationPatch,
  nowMs: number,
): Promise<void> {
  const { fields, status } = changed.state
  if (fields === null || fields.provider === 'csv_upload' || status === 'paused') return
  const workspaceId = tx.workspaceId ?? ''
  if (patch.settings !== undefined) await reschedule(tx, { workspaceId, integration: changed, nowMs, atMs: nowMs })
  else if (patch.schedule !== undefined) await reschedule(tx, { workspaceId, integration: changed, nowMs })
}

export function pauseIntegration(request: ApiRequest): Promise<ApiAnswer> {
  return transition(request, { type: 'pause' }, (tx, _changed, nowMs) =>
    endWorkOf(tx, request, 'integration_paused', nowMs),
  )
}

export function resumeIntegration(request: ApiRequest): Promise<ApiAnswer> {
  return transition(request, { type: 'resume' }, async (tx, integration, nowMs) => {
    if (integration.state.fields?.schedule == null) return
    await reschedule(tx, { workspaceId: request.client.workspaceId, integration, nowMs, atMs: nowMs })
  })
}

export async function deleteIntegration(request: ApiRequest): Promise<ApiAnswer> {
  await transition(request, { type: 'delete' }, (tx, _changed, nowMs) =>
    endWorkOf(tx, request, 'integration_deleted', nowMs),
  )
  return { status: 204 }
}

async function endWorkOf(
  tx: Transaction,
  request: ApiRequest,
  reason: 'integration_paused' | 'integration_deleted',
  nowMs: number,
): Promise<void> {
  const integrationId = request.params.id ?? ''
  await cancelOpenWork(tx, integrationId, { context: request.context, reason, nowMs })
  await removeSchedule(tx, { workspaceId: request.client.workspaceId, integrationId })
}

function transition(
  request: ApiRequest,
  command: { type: 'pause' | 'resume' | 'delete' },
  then: (tx: Transaction, changed: Loaded<IntegrationState>, nowMs: number) => Promise<void>,
): Promise<ApiAnswer> {
  return request.write(async (tx) => {
    const loaded = await lockIntegration(tx, request, request.params.id ?? '')
    const { nowMs } = loaded
    requireMatch(request, loaded.version)
    const changed = await carry(tx, request, loaded, { ...command, atMs: nowMs }, nowMs)
    await then(tx, changed, nowMs)
    return { status: 200, body: toApiIntegration(changed), version: changed.version }
  })
}

async function carry(
  tx: Transaction,
  request: ApiRequest,
  loaded: Loaded<IntegrationState>,
  command: IntegrationCommand,
  nowMs: number,
): Promise<Loaded<IntegrationState>> {
  return orProblem(await carryOut(tx, integrationKind, { context: request.context, loaded, command, nowMs }))
}

const nullable: ReadonlySet<string> = new Set(['schedule'])

/** RFC 7396 within the members that are objects; null resets a member of them. */
function merged(fields: IntegrationFields, body: IntegrationPatch): IntegrationPatch {
  const patch: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(body)) {
    if (value === null && !nullable.has(key)) {
      throw problemOfFaults([
        { pointer: `/${key}`, code: 'validation_failed', detail: 'This field cannot be removed.' },
      ])
    }
    patch[key] = mergePatch((fields as unknown as Record<string, unknown>)[key], value)
  }
  return normalized(patch)
}

function mergePatch(target: unknown, patch: unknown): unknown {
  if (patch === null || typeof patch !== 'object' || Array.isArray(patch)) return patch
  const base = target !== null && typeof target === 'object' && !Array.isArray(target) ? Object.entries(target) : []
  const result = new Map<string, unknown>(base)
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) result.delete(key)
    else result.set(key, mergePatch(result.get(key), value))
  }
  return Object.fromEntries(result)
}
