// POST /v1/imports: takes a file in and queues it (domain.md 3.12). It never looks at lines.
import type { Readable } from 'node:stream'
import { blank, executeOrFail, type Loaded, load } from '@wds/aggregate/aggregate'
import { newId } from '@wds/aggregate/new-id'
import { answerOf, invalidState, loadOr404 } from '@wds/aggregate/resource'
import { Problem, problemOfFaults } from '@wds/http-service/problem'
import type { ApiAnswer, ApiRequest } from '@wds/http-service/route'
import type { Transaction } from '@wds/postgres/transaction'
import { dayNumber, localDate } from '../calendar/domain/calendar.ts'
import type { ApiDependencies } from '../dependencies.ts'
import type { ImportOrder } from '../imports/domain/import.ts'
import { imports } from '../imports/resource.ts'
import { countOpenImports } from '../imports/store-open.ts'
import type { IntegrationFields, IntegrationState } from '../integrations/domain/integration.ts'
import { integrations } from '../integrations/resource.ts'
import type { operations } from '../openapi.generated.ts'
import { boundedGunzip, GunzipFault } from '../sources/bounded-gunzip.ts'
import { earliestDate } from '../sources/domain/check-row.ts'
import { dropUpload, receiveUpload } from './receive-upload.ts'

type Request = ApiRequest<operations['createImport']>
type Answer = ApiAnswer<operations['createImport']>

/** Imports that may wait in a workspace (domain.md 3.12). */
const openImportsMax = 100

export async function createImport(request: Request, o: ApiDependencies): Promise<Answer> {
  const { integration_id: integrationId } = request.query
  const fields = uploadFields(await request.read((tx) => loadOr404(tx, integrations, integrationId)))
  const covers = coversOf(request, fields)
  // Judges the media type; the bytes come through the stream.
  if (request.body === null || request.stream === null) throw new Problem('unsupported_media_type')
  const importId = newId('imp', request.now())
  const format = request.contentType === 'application/x-ndjson' ? 'ndjson' : 'csv'
  const bytes = request.contentEncoding === 'gzip' ? unpacked(request.stream) : request.stream
  const received = await receiveUpload({ request, importId, bytes, fields, format })
  const { brand_slug } = fields
  const order = {
    import_type: 'stats',
    format,
    integration_id: integrationId,
    brand_slug,
    covers,
    ...received,
  } as const
  let kept = false
  try {
    const answer = await request.write((tx) => queueImport(tx, request, { importId, order, wakeWorker: o.wakeWorker }))
    // A stored answer of an Idempotency-Key names another import.
    kept = answer.location === `${imports.path}/${importId}`
    return answer
  } finally {
    if (!kept) await dropUnlessQueued(request, importId)
  }
}

/** Throws a Problem where it is no gzip or grows beyond the bounds (C74). */
async function* unpacked(stream: Readable): AsyncGenerator<Buffer> {
  try {
    yield* boundedGunzip(stream)
  } catch (error) {
    if (!(error instanceof GunzipFault)) throw error
    if (error.code === 'invalid') {
      throw new Problem('invalid_request', { detail: 'The body is not valid gzip, or was cut off.' })
    }
    const detail = 'Decompressed, the body is larger than 200 MiB or more than 100 times what was sent.'
    throw new Problem('payload_too_large', { detail })
  }
}

async function queueImport(
  tx: Transaction,
  request: Request,
  o: { importId: string; order: Omit<ImportOrder, 'queued_ms'>; wakeWorker(): void },
): Promise<Answer> {
  const integration = await loadOr404(tx, integrations, o.order.integration_id, { lock: true })
  uploadFields(integration)
  if ((await countOpenImports(tx, request.client.workspaceId)) >= openImportsMax)
    throw new Problem('quota_exceeded', {
      detail: `At most ${openImportsMax} imports wait at a time.`,
      headers: { 'retry-after': '10' },
      members: { 'violated-policies': ['imports'] },
    })
  const { nowMs } = integration
  const loaded = blank(imports, { id: o.importId, nowMs })
  const command = { type: 'queue', order: { ...o.order, queued_ms: nowMs } } as const
  const queued = await executeOrFail(tx, imports, { context: request.context, loaded, command })
  const location = `${imports.path}/${queued.id}`
  return { ...(await answerOf(tx, imports, queued)), status: 202, location, afterCommit: o.wakeWorker }
}

/** The outcome of a commit may be unknown: the chunks go only where the import is not there. Where that cannot be told they are swept later. */
async function dropUnlessQueued(request: ApiRequest, importId: string): Promise<void> {
  const found = await request.read((tx) => load(tx, imports, importId, { lock: false })).catch(() => undefined)
  if (found === null) await dropUpload(request, importId)
}

function uploadFields(integration: Loaded<IntegrationState>): IntegrationFields {
  const { fields, status } = integration.state
  if (fields === null || fields.provider !== 'csv_upload') throw new Problem('sync_not_supported')
  if (status === 'paused') {
    throw invalidState({ code: 'invalid_state', current_status: status, allowed: ['resume', 'update', 'delete'] })
  }
  return fields
}

function coversOf(request: Request, fields: IntegrationFields): { from: string; to: string } | null {
  const { covers_from: from, covers_to: to } = request.query
  if (from === undefined && to === undefined) return null
  const today = localDate(request.now(), fields.source_time_zone)
  const valid = from !== undefined && to !== undefined && dayNumber(from) !== null && dayNumber(to) !== null
  if (valid && earliestDate <= from && from <= to && to <= today) return { from, to }
  const detail = `covers_from and covers_to are dates in this order, from ${earliestDate} to today.`
  throw problemOfFaults([{ parameter: 'covers_from', code: 'invalid_parameter', detail }])
}
