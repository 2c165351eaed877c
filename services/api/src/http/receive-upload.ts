// Receives the body of an import into chunks and judges its header line while it arrives (domain.md 3.12).
// A header that does not fit ends it at once, and what was stored is removed.
import type { Readable } from 'node:stream'
import { Problem, problemOfFaults } from '@wds/http-service/problem'
import type { Pool } from '@wds/postgres/pool'
import { withTransaction } from '@wds/postgres/transaction'
import type { IntegrationFields } from '../domain/integration.ts'
import { bindHeader, type ColumnFault } from '../domain/row-mapping.ts'
import { chunkBytesMax, deleteChunks, storeChunk } from '../store/import-chunks.ts'
import { readHeaderLine } from './header-line.ts'

/** Longest header line. */
const headerBytesMax = 65_536

/** Stores the body; gives its size. Throws a Problem for a header that does not fit and for what the stream refuses. */
export async function receiveUpload(o: {
  pool: Pool
  workspaceId: string
  importId: string
  stream: Readable
  fields: IntegrationFields
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
    for await (const part of o.stream) {
      bytes += (part as Buffer).length
      pending = Buffer.concat([pending, part as Buffer])
      if (!judged) judged = judgeHeader(pending, false, o.fields)
      while (pending.length >= chunkBytesMax) {
        await store(pending.subarray(0, chunkBytesMax))
        pending = pending.subarray(chunkBytesMax)
      }
    }
    if (!judged) judgeHeader(pending, true, o.fields)
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

/** True once the header line is complete and fits; throws where it does not. */
function judgeHeader(start: Buffer, ended: boolean, fields: IntegrationFields): boolean {
  const header = readHeaderLine(start, ended)
  if (header === 'incomplete') {
    if (start.length > headerBytesMax) throw columnProblem([{ column: '', fault: 'missing' }])
    return false
  }
  const bound = bindHeader(header, fields.granularity, fields.settings.mapping ?? null)
  if (!bound.ok) throw columnProblem(bound.faults)
  return true
}

const faultTexts = {
  unknown: 'is not known',
  missing: 'is missing',
  duplicate: 'stands twice',
} as const

function columnProblem(faults: ColumnFault[]): Problem {
  const errors = faults.map(({ column, fault }) => ({
    pointer: '',
    code: 'unknown_column',
    detail: `The column ${JSON.stringify(column.slice(0, 40))} ${faultTexts[fault]}.`,
  }))
  const [first, second] = errors
  if (first && !second) return problemOfFaults(errors)
  return new Problem('unknown_column', { detail: `${errors.length} columns do not fit.`, errors })
}
