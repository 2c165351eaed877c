// Reads the stored body of an upload as CSV (RFC 4180) and checks each line. It streams: one chunk and one record at a time.
// Bytes are read one to one and decoded per cell, so that invalid UTF-8 rejects its line and not the file.
import { pipeline, Readable } from 'node:stream'
import { type CsvError, parse } from 'csv-parse'
import { type CheckedRow, checkRow, type RowRules, rejected } from '../domain/check-row.ts'
import { type BoundEntry, bindHeader } from '../domain/row-mapping.ts'
import { SourceFailure, type SourceRecord } from './source.ts'
import { columnsMax, recordBytesMax, rowBytesMax, storedBody, type UploadSource } from './stored-body.ts'

interface ParsedRecord {
  record: string[]
  info: { lines: number }
}

/** Records of an upload in the order of the file. Throws SourceFailure where the file is no CSV or its header does not fit. */
export async function* csvRecords(o: UploadSource): AsyncGenerator<SourceRecord> {
  const parser = parse({
    encoding: 'latin1',
    info: true,
    // Named, not found out: files glued together mix them, and the first line must not decide for the others.
    record_delimiter: ['\r\n', '\n'],
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: recordBytesMax,
  })
  pipeline(Readable.from(inPieces(withoutMark(storedBody(o))), { objectMode: false }), parser, () => undefined)
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

/** A byte order mark at the start is no part of the first name. */
async function* withoutMark(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let first = true
  for await (const bytes of chunks) {
    const mark = first && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
    first = false
    yield mark ? bytes.subarray(3) : bytes
  }
}

/** Bytes that are parsed at a time: the parser holds every record of a piece at once. */
const pieceBytes = 65_536

async function* inPieces(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const bytes of chunks) {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
  }
}

function headerOf(record: string[], o: UploadSource): BoundEntry[] {
  const names = record.map((name) => decode(name) ?? '')
  const bound = bindHeader(names, o.rules.granularity, o.mapping)
  if (!bound.ok) throw new SourceFailure('schema_changed', 1)
  return bound.entries
}

function checkRecord(record: string[], o: { entries: BoundEntry[]; columns: number; rules: RowRules }): CheckedRow {
  const bytes = record.reduce((sum, cell) => sum + cell.length, 0)
  if (bytes > rowBytesMax || record.length > columnsMax) return rejected('row_too_large')
  const cells: string[] = []
  for (const cell of record) {
    const text = decode(cell)
    if (text === null) return rejected('bad_encoding')
    cells.push(text)
  }
  // Cells that slipped would be read as other measures: a surplus cell is mostly a decimal comma.
  if (cells.length < o.columns) return rejected('missing_required')
  if (cells.length > o.columns) return rejected('bad_number')
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
