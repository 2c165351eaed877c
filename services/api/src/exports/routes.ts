// What callers do with exports: ask for them, watch them, end them, fetch their files (domain.md 3.12).
import type { Loaded } from '@wds/aggregate/aggregate'
import { list } from '@wds/aggregate/list'
import { answerOf, invalidState, judgeRow, loadOr404, read } from '@wds/aggregate/resource'
import { requireMatch } from '@wds/http-service/conditional'
import { Problem } from '@wds/http-service/problem'
import type { ApiRequest, Handle, RouteOf } from '@wds/http-service/route'
import type { Transaction } from '@wds/postgres/transaction'
import { toInstant } from '../calendar/domain/calendar.ts'
import type { ApiDependencies } from '../dependencies.ts'
import type { operations, paths } from '../openapi.generated.ts'
import { createExport } from './create-export.ts'
import { type ExportCommand, type ExportOrder, type ExportState, notAllowed } from './domain/export.ts'
import { carryOutExport, exports } from './resource.ts'
import { exportSources } from './sources.ts'
import { readPiece } from './store-pieces.ts'

export function exportRoutes(o: ApiDependencies): RouteOf<paths>[] {
  const { cursors } = o
  // Each row says which one it asks for.
  const scope = 'any'
  const filters = Object.keys(exports.filters)
  return [
    { method: 'GET', path: '/v1/exports', scope, filters, handle: (request) => list(request, exports, { cursors }) },
    { method: 'POST', path: '/v1/exports', scope, handle: (request) => createExport(request, o) },
    { method: 'GET', path: '/v1/exports/{id}', scope, handle: (request) => read(request, exports) },
    { method: 'DELETE', path: '/v1/exports/{id}', scope, handle: removeExport },
    { method: 'POST', path: '/v1/exports/{id}/cancel', scope, handle: cancelExport },
    { method: 'GET', path: '/v1/exports/{id}/file', scope, handle: readFile },
  ]
}

const cancelExport: Handle<operations['cancelExport']> = (request) =>
  request.write(async (tx) => {
    const canceled = await command(tx, request, ({ nowMs }) => ({ type: 'cancel', atMs: nowMs }))
    return answerOf(tx, exports, canceled)
  })

const removeExport: Handle<operations['deleteExport']> = (request) =>
  request.write(async (tx) => {
    await command(tx, request, () => ({ type: 'delete' }))
    return { status: 204 }
  })

async function command(
  tx: Transaction,
  request: Pick<ApiRequest, 'client' | 'ifMatch'> & { params: { id: string } },
  make: (loaded: Loaded<ExportState>) => ExportCommand,
): Promise<Loaded<ExportState>> {
  const loaded = await loadOr404(tx, exports, request.params.id, { lock: true })
  judgeRow(request.client, exports, loaded.state)
  requireMatch(request, loaded.version)
  return carryOutExport(tx, loaded, make(loaded))
}

/** The bytes of a file never change, so the id of its export is their tag. */
const readFile: Handle<operations['readExportFile']> = async (request) => {
  const { id } = request.params
  const { state, createdMs } = await request.read((tx) => loadOr404(tx, exports, id))
  judgeRow(request.client, exports, state)
  const { status, order, bytes, pieces } = state
  if (status !== 'completed' || order === null)
    throw invalidState(notAllowed(status), 'The file is there once the export is completed.')
  return {
    status: 200,
    parts: { length: bytes, read: () => piecesOf(request, { id, pieces }) },
    headers: { ...headersOf(order, toInstant(createdMs ?? 0).slice(0, 10)), etag: `"${id}"` },
    holdsSecret: exportSources[order.export_type].isPersonal === true,
  }
}

async function* piecesOf(
  request: Pick<ApiRequest, 'client' | 'read'>,
  o: { id: string; pieces: number },
): AsyncGenerator<Buffer> {
  const { workspaceId } = request.client
  for (let seq = 0; seq < o.pieces; seq++) {
    const bytes = await request.read((tx) => readPiece(tx, { workspaceId, exportId: o.id, seq }))
    if (bytes === null) throw new Problem('not_found', { detail: 'The export was deleted while its file was sent.' })
    yield bytes
  }
}

const mediaTypes = { csv: 'text/csv; charset=utf-8', ndjson: 'application/x-ndjson; charset=utf-8' }

function headersOf({ export_type, format, compression, query }: ExportOrder, day: string) {
  const period = exportSources[export_type].periodOf(query, day)
  const isPacked = compression === 'gzip'
  return {
    'content-type': isPacked ? 'application/gzip' : mediaTypes[format],
    'content-disposition': `attachment; filename="${export_type}-${period}.${format}${isPacked ? '.gz' : ''}"`,
  }
}
