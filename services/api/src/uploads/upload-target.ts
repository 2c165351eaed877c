// What an upload is for: the kind of its import, and how its start is judged while it arrives (domain.md 3.12).
import type { Loaded } from '@wds/aggregate/aggregate'
import { invalidState, loadOr404 } from '@wds/aggregate/resource'
import { hasScope, insufficientScope } from '@wds/http-service/bearer'
import { Problem, problemOfFaults } from '@wds/http-service/problem'
import type { ApiRequest, RequestClient } from '@wds/http-service/route'
import type { Transaction } from '@wds/postgres/transaction'
import { dayNumber, localDate } from '../calendar/domain/calendar.ts'
import { campaignColumns } from '../campaign-imports/domain/campaign-line.ts'
import type { ImportFormat, ImportOrder, ImportType } from '../imports/domain/import.ts'
import { importScopes } from '../imports/resource.ts'
import type { IntegrationState } from '../integrations/domain/integration.ts'
import type { IntegrationFields } from '../integrations/domain/integration-fields.ts'
import { integrations } from '../integrations/resource.ts'
import type { operations } from '../openapi.generated.ts'
import { paymentColumns } from '../payment-imports/domain/payment-line.ts'
import { rateColumns } from '../rate-imports/domain/rate-line.ts'
import { earliestDate } from '../sources/domain/check-row.ts'
import { judgeColumns } from './judge-columns.ts'
import { judgeStart } from './judge-start.ts'

export type UploadRequest = ApiRequest<operations['createImport']>

export interface UploadTarget {
  order: Pick<ImportOrder, 'import_type' | 'integration_id' | 'brand_slug' | 'covers' | 'source'>
  /** True once the start is complete and fits; throws a Problem where it does not. */
  judge(start: Buffer, ended: boolean, format: ImportFormat): boolean
  /** Locks what the import belongs to, and judges it again, in the transaction that queues it. */
  lock(tx: Transaction): Promise<{ nowMs: number } | null>
}

/** Throws a Problem where the parameters name none, or one that is beyond the client. */
export async function findTarget(request: UploadRequest): Promise<UploadTarget> {
  const { type } = request.query
  judgeUpload(request.client, type)
  if (type === 'stats') return statsTarget(request)
  if (type === 'campaigns') return campaignsTarget(request)
  return type === 'fx_rates' ? ratesTarget(request) : paymentsTarget(request)
}

/** Throws Problem `insufficient_scope` where the client may not take in files of the type, nor cancel them. */
export function judgeUpload(client: RequestClient, type: ImportType): void {
  const { write } = importScopes[type]
  if (!hasScope(client, write)) throw insufficientScope([write])
}

async function statsTarget(request: UploadRequest): Promise<UploadTarget> {
  const { integration_id: id, source } = request.query
  if (id === undefined) throw refused('integration_id', 'Stats belong to an integration.')
  if (source !== undefined) throw refused('source', 'Only rates have one.')
  const fields = uploadFields(await request.read((tx) => loadOr404(tx, integrations, id)))
  const covers = coversOf(request, fields)
  return {
    order: { import_type: 'stats', integration_id: id, brand_slug: fields.brand_slug, covers },
    judge: (start, ended, format) => judgeStart(start, ended, { fields, format }),
    async lock(tx) {
      const integration = await loadOr404(tx, integrations, id, { lock: true })
      uploadFields(integration)
      return integration
    },
  }
}

function ratesTarget(request: UploadRequest): UploadTarget {
  const { source = null } = request.query
  refuseOthers(request, [...ofStats], 'Rates belong to no integration and cover no days.')
  return { ...ofNothing, order: { import_type: 'fx_rates', ...noPlace, source }, judge: judgeColumns(rateColumns) }
}

function paymentsTarget(request: UploadRequest): UploadTarget {
  refuseOthers(request, [...ofStats, 'source'], 'Payments belong to invoices alone.')
  return { ...ofNothing, order: { import_type: 'invoice_payments', ...noPlace }, judge: judgeColumns(paymentColumns) }
}

async function campaignsTarget(request: UploadRequest): Promise<UploadTarget> {
  const { integration_id: id } = request.query
  if (id === undefined) throw refused('integration_id', 'Campaigns belong to an integration.')
  refuseOthers(request, ['covers_from', 'covers_to', 'source'], 'Campaigns cover no days and have no source.')
  const { state } = await request.read((tx) => loadOr404(tx, integrations, id))
  const brand_slug = state.fields?.brand_slug ?? null
  return {
    order: { import_type: 'campaigns', integration_id: id, brand_slug, covers: null },
    judge: judgeColumns(campaignColumns),
    lock: (tx) => loadOr404(tx, integrations, id, { lock: true }),
  }
}

const ofStats = ['integration_id', 'covers_from', 'covers_to'] as const
const noPlace = { integration_id: null, brand_slug: null, covers: null } as const
const ofNothing = { lock: () => Promise.resolve(null) }

function refuseOthers({ query }: UploadRequest, names: ((typeof ofStats)[number] | 'source')[], detail: string): void {
  for (const name of names) if (query[name] !== undefined) throw refused(name, detail)
}

function uploadFields(integration: Loaded<IntegrationState>): IntegrationFields {
  const { fields, status } = integration.state
  if (fields === null || fields.provider !== 'csv_upload') throw new Problem('sync_not_supported')
  if (status === 'paused') {
    throw invalidState({ code: 'invalid_state', current_status: status, allowed: ['resume', 'update', 'delete'] })
  }
  return fields
}

function coversOf(request: UploadRequest, fields: IntegrationFields): { from: string; to: string } | null {
  const { covers_from: from, covers_to: to } = request.query
  if (from === undefined && to === undefined) return null
  const today = localDate(request.now(), fields.source_time_zone)
  const valid = from !== undefined && to !== undefined && dayNumber(from) !== null && dayNumber(to) !== null
  if (valid && earliestDate <= from && from <= to && to <= today) return { from, to }
  throw refused('covers_from', `covers_from and covers_to are dates in this order, from ${earliestDate} to today.`)
}

function refused(parameter: string, detail: string): Problem {
  return problemOfFaults([{ parameter, code: 'invalid_parameter', detail }])
}
