// Uploads of stats: takes a file in, reads imports and their errors, cancels (domain.md 3.12). It never looks at lines.
import { requireMatch } from '@wds/http-service/conditional'
import { Problem, problemOfFaults } from '@wds/http-service/problem'
import type { ApiAnswer, ApiRequest } from '@wds/http-service/route'
import { dayNumber, localDate } from '../domain/calendar.ts'
import { earliestDate } from '../domain/check-row.ts'
import { type ImportState, importDecider } from '../domain/import.ts'
import type { IntegrationFields, IntegrationState } from '../domain/integration.ts'
import { blank, carryOut, type Loaded } from '../store/aggregate.ts'
import { cancelImport } from '../store/cancel-work.ts'
import { putWork } from '../store/due-work.ts'
import { listRejects } from '../store/import-rejects.ts'
import { importKind, integrationKind } from '../store/kinds.ts'
import { newId } from '../store/new-id.ts'
import { countOpenImports, lockRowOfIntegration } from '../store/open-work.ts'
import { toApiImport } from './api-shapes.ts'
import { boundedGunzip } from './bounded-gunzip.ts'
import {
  type ApiDependencies,
  equalsFilters,
  invalidState,
  listPage,
  loadOr404,
  lockIntegration,
  orProblem,
} from './operations.ts'
import { dropUpload, receiveUpload } from './receive-upload.ts'

/** Imports that may wait in a workspace (domain.md 3.12). */
const openImportsMax = 100
/** Errors that are read at a time. */
const errorsPage = 1_000

export async function createImport(request: ApiRequest, o: ApiDependencies): Promise<ApiAnswer> {
  const integrationId = String(request.query.integration_id ?? '')
  const integration = await request.read((tx) =>
    loadOr404<IntegrationState>(tx, request, integrationKind, { id: integrationId, lock: false }),
  )
  const fields = uploadFields(integration)
  const covers = coversOf(request, fields)
  // Judges the media type; the bytes come through the stream.
  if (request.body === null || request.stream === null) throw new Problem('unsupported_media_type')
  const { workspaceId } = request.client
  const importId = newId('imp', request.now())
  const format = request.contentType === 'application/x-ndjson' ? 'ndjson' : 'csv'
  const bytes = request.contentEncoding === 'gzip' ? boundedGunzip(request.stream) : request.stream
  const received = await receiveUpload({ request, importId, bytes, fields, format })
  let kept = false
  try {
    const answer = await request.write(async (tx) => {
      const locked = await lockIntegration(tx, request, integrationId)
      uploadFields(locked)
      if ((await countOpenImports(tx, workspaceId)) >= openImportsMax)
        throw new Problem('quota_exceeded', {
          detail: `At most ${openImportsMax} imports wait at a time.`,
          headers: { 'retry-after': '10' },
          members: { 'violated-policies': ['imports'] },
        })
      const { nowMs } = locked
      const order = {
        import_type: 'stats',
        format,
        integration_id: integrationId,
        brand_slug: fields.brand_slug,
        covers,
        ...received,
        queued_ms: nowMs,
      } as const
      const loaded = blank(importKind, importId)
      const command = { type: 'queue', order } as const
      const queued = orProblem(await carryOut(tx, importKind, { context: request.context, loaded, command, nowMs }))
      await putWork(tx, { context: request.context, workId: importId, kind: 'import', integrationId })
      const location = `/v1/imports/${importId}`
      return { status: 202, body: toApiImport(queued), location, version: queued.version, afterCommit: o.wakeWorker }
    })
    // A stored answer of an Idempotency-Key names another import.
    kept = answer.location === `/v1/imports/${importId}`
    return answer
  } finally {
    if (!kept) await dropUnlessQueued(request, importId)
  }
}

/** The outcome of a commit may be unknown: the chunks go only where the import is not there. */
async function dropUnlessQueued(request: ApiRequest, importId: string): Promise<void> {
  try {
    await request.read((tx) => loadOr404<ImportState>(tx, request, importKind, { id: importId, lock: false }))
  } catch (error) {
    if (error instanceof Problem) await dropUpload(request, importId)
  }
}

function uploadFields(integration: Loaded<IntegrationState>): IntegrationFields {
  const { fields, status } = integration.state
  if (fields === null || fields.provider !== 'csv_upload') throw new Problem('sync_not_supported')
  if (status === 'paused') {
    throw invalidState({ code: 'invalid_state', current_status: status, allowed: ['resume', 'update', 'delete'] })
  }
  return fields
}

function coversOf(request: ApiRequest, fields: IntegrationFields): { from: string; to: string } | null {
  const { covers_from: from, covers_to: to } = request.query as { covers_from?: string; covers_to?: string }
  if (from === undefined && to === undefined) return null
  const today = localDate(request.now(), fields.source_time_zone)
  const valid = from !== undefined && to !== undefined && dayNumber(from) !== null && dayNumber(to) !== null
  if (valid && earliestDate <= from && from <= to && to <= today) return { from, to }
  const detail = `covers_from and covers_to are dates in this order, from ${earliestDate} to today.`
  throw problemOfFaults([{ parameter: 'covers_from', code: 'invalid_parameter', detail }])
}

export function listImports(request: ApiRequest, { cursors }: ApiDependencies): Promise<ApiAnswer> {
  const equals = equalsFilters(request.query, {
    status: 'status',
    integration_id: 'integration_id',
    type: 'import_type',
  })
  return listPage<ImportState>(request, {
    cursors,
    route: 'imports',
    query: { table: 'imports', equals },
    toApi: (_tx, _request, rows) => rows.map(toApiImport),
  })
}

export async function readImport(request: ApiRequest): Promise<ApiAnswer> {
  const id = request.params.id ?? ''
  const loaded = await request.read((tx) => loadOr404<ImportState>(tx, request, importKind, { id, lock: false }))
  return { status: 200, body: toApiImport(loaded), version: loaded.version }
}

export function readImportErrors(request: ApiRequest): Promise<ApiAnswer> {
  return request.read(async (tx) => {
    const id = request.params.id ?? ''
    await loadOr404<ImportState>(tx, request, importKind, { id, lock: false })
    const pages: Buffer[] = []
    // Page by page: in one go 100,000 of them would hold up everybody else.
    for (let after: number | null = -1; after !== null; ) {
      const rejects = await listRejects(tx, {
        workspaceId: request.client.workspaceId,
        importId: id,
        after,
        limit: errorsPage,
      })
      pages.push(Buffer.from(rejects.map((reject) => `${JSON.stringify(reject)}\n`).join(''), 'utf8'))
      after = rejects.length < errorsPage ? null : (rejects.at(-1)?.line ?? null)
    }
    return {
      status: 200,
      bytes: Buffer.concat(pages),
      headers: { 'content-type': 'application/x-ndjson; charset=utf-8' },
    }
  })
}

export function cancelImportRoute(request: ApiRequest): Promise<ApiAnswer> {
  return request.write(async (tx) => {
    const id = request.params.id ?? ''
    const seen = await loadOr404<ImportState>(tx, request, importKind, { id, lock: false })
    await lockRowOfIntegration(tx, request.client.workspaceId, seen.state.order?.integration_id ?? '')
    const found = await loadOr404<ImportState>(tx, request, importKind, { id, lock: true })
    requireMatch(request, found.version)
    const decision = importDecider.decide(found.state, { type: 'cancel', atMs: 0 })
    if (!decision.accepted) throw invalidState(decision.rejection)
    const { nowMs } = found
    const canceled = orProblem(await cancelImport(tx, found, { context: request.context, reason: 'user', nowMs }))
    return { status: 200, body: toApiImport(canceled), version: canceled.version }
  })
}
