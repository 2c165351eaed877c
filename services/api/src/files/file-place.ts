// Reads a stored file on from a place in it, which moves with what is read.
import type { Transaction } from '@wds/postgres/transaction'
import { chunkBytesMax, readChunk } from '../imports/store-chunks.ts'
import type { FileWork } from '../imports/store-file-work.ts'
import { readHeaderLine, startBytesMax } from './header-line.ts'

const lf = 0x0a

/**
 * The bytes behind the place, in pieces that end with a line end or a chunk. The place is behind the piece that was handed over last: who
 * takes a line as soon as it ends finds the place behind it.
 */
export async function* piecesFrom(
  tx: Transaction,
  { workspaceId, importId }: FileWork,
  place: { byte: number; line: number },
): AsyncGenerator<Buffer> {
  for (;;) {
    // Every chunk but the last is full.
    const seq = Math.floor(place.byte / chunkBytesMax)
    const bytes = await readChunk(tx, { workspaceId, importId, seq })
    let from = place.byte - seq * chunkBytesMax
    if (bytes === null || from >= bytes.length) return
    while (from < bytes.length) {
      const end = bytes.indexOf(lf, from)
      const to = end < 0 ? bytes.length : end + 1
      place.byte += to - from
      if (end >= 0) place.line += 1
      yield bytes.subarray(from, to)
      from = to
    }
  }
}

/** The header line of a CSV file that was judged before. */
export async function headerOf(tx: Transaction, { workspaceId, importId }: FileWork): Promise<string[]> {
  const start = await readChunk(tx, { workspaceId, importId, seq: 0 })
  const header = readHeaderLine(start?.subarray(0, 2 * startBytesMax) ?? Buffer.alloc(0), true)
  if (!Array.isArray(header)) throw new Error('a file without a header line')
  return header
}
