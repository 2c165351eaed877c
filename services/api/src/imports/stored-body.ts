// Reads the stored body of an upload, one chunk at a time.
import { Turn } from '@wds/pacing/turn'
import type { Pool } from '@wds/postgres/pool'
import { withTransaction } from '@wds/postgres/transaction'
import { readChunk } from './store-chunks.ts'

/** Bytes that are handed over at a time: what is done with them must be short. */
const pieceBytes = 65_536

/** The bytes of an upload in their order. Between two pieces everybody else may go first. */
export async function* storedBody(o: { pool: Pool; workspaceId: string; importId: string }): AsyncGenerator<Buffer> {
  const { workspaceId, importId } = o
  const turn = new Turn()
  for (let seq = 0; ; seq++) {
    const read = { workspaceId, readOnly: true }
    const bytes = await withTransaction(o.pool, read, (tx) => readChunk(tx, { workspaceId, importId, seq }))
    if (bytes === null) return
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      if (turn.isOver()) await turn.pass()
      yield bytes.subarray(at, at + pieceBytes)
    }
  }
}
