// PATCH, DELETE, pause and resume of an integration (domain.md 3.2). Pause and deletion cancel what is open.
import { dbNow } from '@wds/event-store/event-store'
import { requireMatch } from '@wds/http-service/conditional'
import { problemOfFaults } from '@wds/http-service/problem'
import type { ApiAnswer, ApiRequest } from '@wds/http-service/route'
import type { Transaction } from '@wds/postgres/transaction'
import type {
  IntegrationCommand,
  IntegrationFields,
  IntegrationPatch,
  IntegrationState,
} from '../domain/integration.ts'
import { fieldFaults } from '../domain/integration-form.ts'
import { nextScheduledMs } from '../domain/run-window.ts'
import { carryOut, type Loaded } from '../store/aggregate.ts'
import { cancelOpenWork } from '../store/cancel-work.ts'
import { integrationKind } from '../store/kinds.ts'
import { setSchedule } from '../store/schedules.ts'
import { toApiIntegration } from './api-shapes.ts'
import { normalizedSchedule } from './create-integration.ts'
import { lockIntegration, orProblem } from './operations.ts'

export function patchIntegration(request: ApiRequest): Promise<ApiAnswer> {
  return request.write(async (tx) => {
    const loaded = await lockIntegration(tx, request, request.params.id ?? '')
    requireMatch(request, loaded.version)
    const nowMs = await dbNow(tx)
    const { fields } = loaded.state
    if (fields === null) throw new Error('an integration without fields')
    const patch = merged(fields, request.body as IntegrationPatch)
    const faults = fieldFaults({ ...fields, ...patch })
    if (faults.length > 0) throw problemOfFaults(faults)
    const changed = await carry(tx, request, loaded, { type: 'update', patch }, nowMs)
    const urgent = patch.settings !== undefined && changed.version !== loaded.version
    if (changed.version !== loaded.version && (urgent || patch.schedule !== undefined)) {
      await reschedule(tx, request, changed, urgent ? nowMs : null, nowMs)
    }
    return { status: 200, body: toApiIntegration(changed), version: changed.version }
  })
}

export function pauseIntegration(request: ApiRequest): Promise<ApiAnswer> {
  return transition(request, { type: 'pause' }, async (tx, _changed, nowMs) => {
    await cancelOpenWork(tx, request.params.id ?? '', { context: request.context, reason: 'integration_paused', nowMs })
    await setSchedule(tx, {
      workspaceId: request.client.workspaceId,
      integrationId: request.params.id ?? '',
      dueMs: null,
    })
  })
}

export function resumeIntegration(request: ApiRequest): Promise<ApiAnswer> {
  return transition(request, { type: 'resume' }, (tx, changed, nowMs) => reschedule(tx, request, changed, nowMs, nowMs))
}

export async function deleteIntegration(request: ApiRequest): Promise<ApiAnswer> {
  await transition(request, { type: 'delete' }, async (tx, _changed, nowMs) => {
    await cancelOpenWork(tx, request.params.id ?? '', {
      context: request.context,
      reason: 'integration_deleted',
      nowMs,
    })
    await setSchedule(tx, {
      workspaceId: request.client.workspaceId,
      integrationId: request.params.id ?? '',
      dueMs: null,
    })
  })
  return { status: 204 }
}

function transition(
  request: ApiRequest,
  command: IntegrationCommand,
  then: (tx: Transaction, changed: Loaded<IntegrationState>, nowMs: number) => Promise<void>,
): Promise<ApiAnswer> {
  return request.write(async (tx) => {
    const loaded = await lockIntegration(tx, request, request.params.id ?? '')
    requireMatch(request, loaded.version)
    const nowMs = await dbNow(tx)
    const changed = await carry(tx, request, loaded, command, nowMs)
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

/** Due at `atMs`, else by the schedule; a paused integration has no due time. */
async function reschedule(
  tx: Transaction,
  request: ApiRequest,
  changed: Loaded<IntegrationState>,
  atMs: number | null,
  nowMs: number,
): Promise<void> {
  const { fields, status } = changed.state
  if (fields === null || status === 'paused') return
  const dueMs = fields.schedule === null ? null : (atMs ?? nextScheduledMs(changed.state, fields, nowMs))
  await setSchedule(tx, { workspaceId: request.client.workspaceId, integrationId: changed.id, dueMs })
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
  return { ...patch, ...normalizedSchedule(patch) }
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
