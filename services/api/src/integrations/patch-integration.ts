// PATCH /v1/integrations/{id}: judges the fields as they will be, and refuses another clock once there are rows (domain.md 3.2).
import { type Loaded, workspaceOf } from '@wds/aggregate/aggregate'
import { mergePatch } from '@wds/aggregate/merge-patch'
import type { MakeCommand } from '@wds/aggregate/resource'
import type { ProblemCode } from '@wds/contracts/problems'
import { type Fault, Problem, problemOfFaults } from '@wds/http-service/problem'
import type { ApiRequest } from '@wds/http-service/route'
import type { Transaction } from '@wds/postgres/transaction'
import { openImportsOf } from '../imports/store-open.ts'
import type { operations } from '../openapi.generated.ts'
import { hasStats } from '../stats/store-rows.ts'
import { openRunOf } from '../sync-runs/store-open.ts'
import {
  changesOfBasis,
  type IntegrationCommand,
  type IntegrationFields,
  type IntegrationState,
} from './domain/integration.ts'
import { fieldFaults, normalized } from './domain/integration-form.ts'

export function patchIntegration(
  request: ApiRequest<operations['patchIntegration']>,
): MakeCommand<IntegrationState, IntegrationCommand> {
  return async (tx, found) => {
    const fields = fieldsOf(found)
    const patch = normalized(mergePatch(fields, request.body, { schedule: null }))
    const faults = fieldFaults({ ...fields, ...patch })
    if (faults.length > 0) throw problemOfFaults(faults)
    await requireBasis(tx, found.id, changesOfBasis(fields, patch))
    return { type: 'update', patch, atMs: found.nowMs }
  }
}

function fieldsOf({ state }: Loaded<IntegrationState>): IntegrationFields {
  if (state.fields === null) throw new Error('an integration without fields')
  return state.fields
}

/**
 * Refuses a change of what rows are keyed by once there are rows, or work that will write some: rows of two bases for one hour or
 * day would be summed, and nothing tells which of them the source still means. A run has its basis from when it is open; it opens
 * and ends under the integration's lock, which the caller holds.
 */
async function requireBasis(tx: Transaction, integrationId: string, changes: string[]): Promise<void> {
  if (changes.length === 0) return
  const workspaceId = workspaceOf(tx)
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
