// Reads the stored body of an upload as CSV (RFC 4180) and checks each line. It streams: one chunk and one record at a time.
// Bytes are read one to one and decoded per cell, so that invalid UTF-8 rejects its line and not the file.
import { pipeline, Readable } from 'node:stream'
import type { Pool } from '@wds/postgres/pool'
import { withTransaction } from '@wds/postgres/transaction'
import { type CsvError, parse } from 'csv-parse'
import { type CheckedRow, checkRow, type RowRules } from '../domain/check-row.ts'
import { type BoundEntry, bindHeader, type MappingEntry } from '../domain/row-mapping.ts'
import { readChunk } from '../store/import-chunks.ts'
import { SourceFailure, type SourceRecord } from './source.ts'

/** A record beyond this cannot be told from a file whose quotes do not close. */
const recordBytesMax = 1_048_576
/** Bounds of a row (domain.md 4.5, `row_too_large`). */
const rowBytesMax = 65_536
const columnsMax = 200

interface ParsedRecord {
  record: string[]
  info: { lines: number }
}

/** Records of an upload in the order of the file. Throws SourceFailure where the file is no CSV or its header does not fit. */
export async function* csvRecords(o: {
  pool: Pool
  workspaceId: string
  importId: string
  mapping: readonly MappingEntry[] | null
  rules: RowRules
}): AsyncGenerator<SourceRecord> {
  const parser = parse({
    encoding: 'latin1',
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: recordBytesMax,
  })
  pipeline(Readable.from(chunksOf(o), { objectMode: false }), parser, () => undefined)
  let entries: BoundEntry[] | null = null
  let columns = 0
  try {
    for await (const { record, info } of parser as AsyncIterable<ParsedRecord>) {
      if (entries === null) {
        entries = headerOf(record, o)
        columns = record.length
        continue
      }
      yield { line: info.lines, checked: checkRecord(record, { entries, columns, rules: o.rules }) }
    }
  } catch (error) {
    const { code, lines } = error as CsvError & { lines?: number }
    if (typeof code === 'string' && code.startsWith('CSV_')) throw new SourceFailure('invalid_body', lines ?? null)
    throw error
  }
  if (entries === null) throw new SourceFailure('invalid_body', 1)
}

async function* chunksOf(o: { pool: Pool; workspaceId: string; importId: string }): AsyncGenerator<Buffer> {
  const { workspaceId, importId } = o
  for (let seq = 0; ; seq++) {
    const read = { workspaceId, readOnly: true }
    const bytes = await withTransaction(o.pool, read, (tx) => readChunk(tx, { workspaceId, importId, seq }))
    if (bytes === null) return
    const mark = seq === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
    yield mark ? bytes.subarray(3) : bytes
  }
}

function headerOf(record: string[], o: { mapping: readonly MappingEntry[] | null; rules: RowRules }): BoundEntry[] {
  const names = record.map((name) => decode(name) ?? '')
  const bound = bindHeader(names, o.rules.granularity, o.mapping)
  if (!bound.ok) throw new SourceFailure('schema_changed', 1)
  return bound.entries
}

function checkRecord(record: string[], o: { entries: BoundEntry[]; columns: number; rules: RowRules }): CheckedRow {
  const bytes = record.reduce((sum, cell) => sum + cell.length, 0)
  if (bytes > rowBytesMax || record.length > columnsMax) return { ok: false, code: 'row_too_large', field: null }
  const cells: string[] = []
  for (const cell of record) {
    const text = decode(cell)
    if (text === null) return { ok: false, code: 'bad_encoding', field: null }
    cells.push(text)
  }
  // Cells that slipped would be read as other measures: a surplus cell is mostly a decimal comma.
  if (cells.length < o.columns) return { ok: false, code: 'missing_required', field: null }
  if (cells.length > o.columns) return { ok: false, code: 'bad_number', field: null }
  return checkRow(cells, o.entries, o.rules)
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The text of bytes that were read one to one, or null where they are no UTF-8 or hold U+0000. */
function decode(cell: string): string | null {
  let ascii = true
  for (let index = 0; index < cell.length && ascii; index++) {
    const unit = cell.charCodeAt(index)
    if (unit === 0) return null
    ascii = unit < 0x80
  }
  if (ascii) return cell
  if (cell.includes('\0')) return null
  try {
    return utf8.decode(Buffer.from(cell, 'latin1'))
  } catch {
    return null
  }
}
