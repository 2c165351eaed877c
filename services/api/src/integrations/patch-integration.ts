// PATCH /v1/integrations/{id}: judges the fields as they will be, and refuses another clock once there are rows (domain.md 3.2).

import { type Loaded, workspaceOf } from '@wds/aggregate/aggregate'
import { mergePatch } from '@wds/aggregate/merge-patch'
import { change, loadOr404 } from '@wds/aggregate/resource'
import type { ProblemCode } from '@wds/contracts/problems'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { type Fault, Problem, problemOfFaults } from '@wds/http-service/problem'
import type { ApiRequest } from '@wds/http-service/route'
import type { Transaction } from '@wds/postgres/transaction'
import type { ApiDependencies } from '../dependencies.ts'
import { openImportsOf } from '../imports/store-open.ts'
import type { operations } from '../openapi.generated.ts'
import { isFeedProvider } from '../providers/domain/providers.ts'
import type { FeedSettings } from '../sources/domain/feed-settings.ts'
import { hasStats } from '../stats/store-rows.ts'
import { openRunOf } from '../sync-runs/store-open.ts'
import { changedCredentials } from './changed-credentials.ts'
import type { IntegrationCommand, IntegrationState } from './domain/integration.ts'
import { changesOfBasis, type IntegrationFields, type IntegrationPatch } from './domain/integration-fields.ts'
import { fieldFaults, normalized } from './domain/integration-form.ts'
import { addressFaults, schemaFaults, storedSettings } from './judge-settings.ts'
import { integrations } from './resource.ts'

type Request = ApiRequest<operations['patchIntegration']>

export async function patchIntegration(request: Request, o: ApiDependencies) {
  const { credentials, ...body } = request.body
  const refusals = body.settings === undefined ? [] : await refusedAddresses(request, body.settings, o)
  return change(request, integrations, async (tx, found): Promise<IntegrationCommand> => {
    const fields = fieldsOf(found)
    const patch = patched(fields, body)
    const faults = [...fieldFaults({ ...fields, ...patch }), ...refusals]
    if (faults.length > 0) throw problemOfFaults(faults)
    await requireBasis(tx, found.id, changesOfBasis(fields, patch))
    const change = { integrationId: found.id, fields: { ...fields, ...patch }, given: credentials, nowMs: found.nowMs }
    const mark = await changedCredentials(tx, o.envelope, change)
    return withoutUndefined({ type: 'update', patch, atMs: found.nowMs, credentials: mark })
  })
}

/** Judged outside of the transaction: it may ask a name server. The present address was judged when it was saved. */
async function refusedAddresses(request: Request, wanted: Partial<FeedSettings>, o: ApiDependencies): Promise<Fault[]> {
  const { state } = await request.read((tx) => loadOr404(tx, integrations, request.params.id))
  const { provider = '', settings } = state.fields ?? {}
  return wanted.url !== settings?.url && isFeedProvider(provider) ? addressFaults(wanted, o.checkUrl) : []
}

/** The members as they will be. Throws a Problem where settings are none of the provider's. */
function patched(fields: IntegrationFields, body: Omit<Request['body'], 'credentials'>): IntegrationPatch {
  const patch = normalized(mergePatch(fields, body, { schedule: null }))
  if (patch.settings === undefined) return patch
  const malformed = schemaFaults(fields.provider, patch.settings)
  if (malformed.length > 0) throw problemOfFaults(malformed)
  return { ...patch, settings: storedSettings(fields.provider, patch.settings) }
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
