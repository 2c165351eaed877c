// POST /v1/imports: takes a file in and queues it (domain.md 3.12). It never looks at lines.
import type { Readable } from 'node:stream'
import { blank, executeOrFail, load } from '@wds/aggregate/aggregate'
import { newId } from '@wds/aggregate/new-id'
import { answerOf } from '@wds/aggregate/resource'
import { dbNow } from '@wds/event-store/event-store'
import { Problem } from '@wds/http-service/problem'
import type { ApiAnswer } from '@wds/http-service/route'
import type { Transaction } from '@wds/postgres/transaction'
import type { ApiDependencies } from '../dependencies.ts'
import type { ImportFormat, ImportOrder } from '../imports/domain/import.ts'
import { imports } from '../imports/resource.ts'
import { countOpenImports } from '../imports/store-open.ts'
import type { operations } from '../openapi.generated.ts'
import { boundedGunzip, GunzipFault } from '../sources/bounded-gunzip.ts'
import { dropUpload, receiveUpload } from './receive-upload.ts'
import { findTarget, type UploadRequest, type UploadTarget } from './upload-target.ts'

type Answer = ApiAnswer<operations['createImport']>

/** Imports that may wait in a workspace (domain.md 3.12). */
const openImportsMax = 100

export async function createImport(request: UploadRequest, o: ApiDependencies): Promise<Answer> {
  const target = await findTarget(request)
  // Judges the media type; the bytes come through the stream.
  if (request.body === null || request.stream === null) throw new Problem('unsupported_media_type')
  const importId = newId('imp', request.now())
  const format: ImportFormat = request.contentType === 'application/x-ndjson' ? 'ndjson' : 'csv'
  const bytes = request.contentEncoding === 'gzip' ? unpacked(request.stream) : request.stream
  const judge = (start: Buffer, ended: boolean) => target.judge(start, ended, format)
  const upload = { request, importId, logger: o.logger }
  const received = await receiveUpload({ ...upload, bytes, judge })
  const order = { ...target.order, format, ...received }
  let kept = false
  try {
    const answer = await request.write((tx) =>
      queueImport(tx, request, { importId, order, target, wakeWorker: o.wakeWorker }),
    )
    // A stored answer of an Idempotency-Key names another import.
    kept = answer.location === `${imports.path}/${importId}`
    return answer
  } finally {
    if (!kept) await dropUnlessQueued(upload)
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
  request: UploadRequest,
  o: { importId: string; order: Omit<ImportOrder, 'queued_ms'>; target: UploadTarget; wakeWorker(): void },
): Promise<Answer> {
  const locked = await o.target.lock(tx)
  if ((await countOpenImports(tx, request.client.workspaceId)) >= openImportsMax)
    throw new Problem('quota_exceeded', {
      detail: `At most ${openImportsMax} imports wait at a time.`,
      headers: { 'retry-after': '10' },
      members: { 'violated-policies': ['imports'] },
    })
  const nowMs = locked?.nowMs ?? (await dbNow(tx))
  const loaded = blank(imports, { id: o.importId, nowMs })
  const command = { type: 'queue', order: { ...o.order, queued_ms: nowMs } } as const
  const queued = await executeOrFail(tx, imports, { context: request.context, loaded, command })
  const location = `${imports.path}/${queued.id}`
  return { ...(await answerOf(tx, imports, queued)), status: 202, location, afterCommit: o.wakeWorker }
}

/** The outcome of a commit may be unknown: the chunks go only where the import is not there. Where that cannot be told they are swept later. */
async function dropUnlessQueued(upload: Parameters<typeof dropUpload>[0]): Promise<void> {
  const { request, importId } = upload
  const found = await request.read((tx) => load(tx, imports, importId, { lock: false })).catch(() => undefined)
  if (found === null) await dropUpload(upload)
}
