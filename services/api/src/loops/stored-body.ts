// Reads the stored body of an upload, one chunk at a time, and holds the bounds of its rows (domain.md 4.5).
import type { Pool } from '@wds/postgres/pool'
import { withTransaction } from '@wds/postgres/transaction'
import type { RowRules } from '../domain/check-row.ts'
import type { MappingEntry } from '../domain/row-mapping.ts'
import { readChunk } from '../store/import-chunks.ts'

/** A record beyond this cannot be told from a file that is none of its format. */
export const recordBytesMax = 1_048_576
/** Bounds of a row (`row_too_large`). */
export const rowBytesMax = 65_536
export const columnsMax = 200

/** An upload and how its rows are judged. */
export interface UploadSource {
  pool: Pool
  workspaceId: string
  importId: string
  mapping: readonly MappingEntry[] | null
  rules: RowRules
}

/** The bytes of an upload in their order. */
export async function* storedBody(o: { pool: Pool; workspaceId: string; importId: string }): AsyncGenerator<Buffer> {
  const { workspaceId, importId } = o
  for (let seq = 0; ; seq++) {
    const read = { workspaceId, readOnly: true }
    const bytes = await withTransaction(o.pool, read, (tx) => readChunk(tx, { workspaceId, importId, seq }))
    if (bytes === null) return
    yield bytes
  }
}
