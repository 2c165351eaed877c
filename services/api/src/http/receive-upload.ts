// Receives the body of an import into chunks and judges its start while it arrives (domain.md 3.12).
// A start that does not fit ends it at once, and what was stored is removed.
import type { Pool } from '@wds/postgres/pool'
import { withTransaction } from '@wds/postgres/transaction'
import type { ImportFormat } from '../domain/import.ts'
import type { IntegrationFields } from '../domain/integration.ts'
import { chunkBytesMax, deleteChunks, storeChunk } from '../store/import-chunks.ts'
import { judgeStart } from './judge-start.ts'

/** Stores the body; gives its size. Throws a Problem for a start that does not fit and for what the stream refuses. */
export async function receiveUpload(o: {
  pool: Pool
  workspaceId: string
  importId: string
  bytes: AsyncIterable<Buffer>
  fields: IntegrationFields
  format: ImportFormat
}): Promise<number> {
  let [pending, bytes, seq, judged] = [Buffer.alloc(0), 0, 0, false]
  const store = async (chunk: Buffer) => {
    const { workspaceId, importId } = o
    const position = seq++
    await withTransaction(o.pool, { workspaceId }, (tx) =>
      storeChunk(tx, { workspaceId, importId, seq: position, bytes: chunk }),
    )
  }
  try {
    for await (const part of o.bytes) {
      bytes += part.length
      pending = Buffer.concat([pending, part])
      if (!judged) judged = judgeStart(pending, false, o)
      while (pending.length >= chunkBytesMax) {
        await store(pending.subarray(0, chunkBytesMax))
        pending = pending.subarray(chunkBytesMax)
      }
    }
    if (!judged) judgeStart(pending, true, o)
    if (pending.length > 0) await store(pending)
    return bytes
  } catch (error) {
    if (seq > 0) await dropUpload(o)
    throw error
  }
}

/** Removes the chunks of an upload that became no import. */
export async function dropUpload(o: { pool: Pool; workspaceId: string; importId: string }): Promise<void> {
  await withTransaction(o.pool, { workspaceId: o.workspaceId }, (tx) => deleteChunks(tx, o.workspaceId, o.importId))
}
