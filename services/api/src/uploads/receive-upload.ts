// Receives the body of an import into chunks and judges its start while it arrives (domain.md 3.12).
// A start that does not fit ends it at once, and what was stored is removed.
import { JoinedBytes } from '@wds/http-service/joined-bytes'
import type { ApiRequest } from '@wds/http-service/route'
import type { Logger } from '@wds/telemetry/logger'
import { chunkBytesMax, deleteChunks, storeChunk } from '../imports/store-chunks.ts'

/** What was stored. */
export interface ReceivedUpload {
  body_bytes: number
  /** At least as many as it has records. */
  lines_max: number
}

/** Stores the body. Throws a Problem for a start that does not fit and for what the stream refuses. */
export async function receiveUpload(o: {
  request: ApiRequest
  importId: string
  logger: Logger
  bytes: AsyncIterable<Buffer>
  /** True once the start is complete and fits. */
  judge(start: Buffer, ended: boolean): boolean
}): Promise<ReceivedUpload> {
  const pending = new JoinedBytes()
  let [body_bytes, lines_max, seq, judgeAt] = [0, 1, 0, 1]
  const store = async (chunk: Buffer) => {
    const { request, importId } = o
    const { workspaceId } = request.client
    const position = seq++
    await request.store((tx) => storeChunk(tx, { workspaceId, importId, seq: position, bytes: chunk }))
  }
  try {
    for await (const part of o.bytes) {
      pending.add(part)
      body_bytes += part.length
      lines_max += lineEndsIn(part)
      // Judged again only when it has doubled: it may arrive byte by byte.
      if (body_bytes >= judgeAt) judgeAt = o.judge(pending.bytes, false) ? Number.POSITIVE_INFINITY : 2 * body_bytes
      if (pending.length < chunkBytesMax) continue
      let bytes = pending.take()
      for (; bytes.length >= chunkBytesMax; bytes = bytes.subarray(chunkBytesMax)) {
        await store(bytes.subarray(0, chunkBytesMax))
      }
      pending.add(bytes)
    }
    const rest = pending.take()
    if (judgeAt !== Number.POSITIVE_INFINITY) o.judge(rest, true)
    if (rest.length > 0) await store(rest)
    return { body_bytes, lines_max }
  } catch (error) {
    if (seq > 0) await dropUpload(o)
    throw error
  }
}

function lineEndsIn(bytes: Buffer): number {
  let n = 0
  for (let index = 0; index < bytes.length; index++) if (bytes[index] === 0x0a) n += 1
  return n
}

/** Removes the chunks of an upload that became no import. Never rejects: the caller has an answer already, and what stays is swept a day later. */
export async function dropUpload(o: { request: ApiRequest; importId: string; logger: Logger }): Promise<void> {
  const { requestId: request_id, client } = o.request
  const { workspaceId: workspace_id } = client
  await o.request
    .store((tx) => deleteChunks(tx, workspace_id, o.importId))
    .catch((err: unknown) => {
      const ids = { request_id, workspace_id, import_id: o.importId }
      o.logger.warn({ err, ...ids }, 'chunks of an upload that became no import not removed, swept later')
    })
}
