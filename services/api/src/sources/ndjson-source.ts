// Reads a file as NDJSON, one JSON object a line, and checks each line. It streams: one chunk and one
// line at a time. A line that is no object rejects itself and not the file.
import { MalformedJson, parseStrictJson } from '@wds/http-service/strict-json'
import { type CheckedRow, checkRow, rejected } from './domain/check-row.ts'
import { asJsonRow, bindJson, cellsOfJson, type JsonBinding, JsonNumber, type JsonObject } from './domain/json-row.ts'
import { columnsMax, rowBytesMax } from './domain/split-csv.ts'
import { type FileSource, SourceFailure, type SourceRecord } from './source.ts'

/** Records of an upload in the order of the file. Throws SourceFailure where its first row does not fit. */
export async function* ndjsonRecords(o: FileSource): AsyncGenerator<SourceRecord> {
  let binding: JsonBinding | null = null
  for await (const { line, bytes } of linesOf(o.bytes)) {
    const row = bytes === null ? null : parseRow(bytes)
    if (binding === null) {
      if (row === null) throw new SourceFailure('invalid_body', line)
      const bound = bindJson(row, o.rules.granularity, o.mapping)
      if (!bound.ok) throw new SourceFailure('schema_changed', line)
      binding = bound.binding
    }
    const checked = bytes === null ? tooLarge : checkJson(row, binding, o)
    yield { line, checked: (bytes?.length ?? 0) > detachedAbove ? structuredClone(checked) : checked }
  }
}

/** Bytes of a line above which its record is copied: a short text of a long line holds all of it in memory, and a batch has 1,000. */
const detachedAbove = 4_096

const tooLarge = rejected('row_too_large')

function checkJson(row: JsonObject | null, binding: JsonBinding, o: FileSource): CheckedRow {
  if (row === null) return rejected('malformed_json')
  if (Object.keys(row).length > columnsMax) return tooLarge
  const found = cellsOfJson(row, binding)
  return found.ok ? checkRow(found.cells, binding.entries, o.rules) : found
}

/** The object of a line, or null where the line holds none. Numbers keep their digits. */
function parseRow(bytes: Uint8Array): JsonObject | null {
  try {
    return asJsonRow(parseStrictJson(bytes, (digits) => new JsonNumber(digits)))
  } catch (error) {
    if (error instanceof MalformedJson) return null
    throw error
  }
}

/** A line by its number, from 1. Null for one that is too large to be a row: its bytes are passed over. */
interface Line {
  line: number
  bytes: Buffer | null
}

const lf = 0x0a

/** Lines that are not blank, without their ends (LF or CRLF), the last one also without one. */
async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Line> {
  let rest: Buffer = Buffer.alloc(0)
  let isTooLarge = false
  let line = 1
  const lineOf = (bytes: Buffer): Line => ({ line, bytes: isTooLarge || bytes.length > rowBytesMax ? null : bytes })
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let start = 0
    while (true) {
      // Byte by byte: a search costs more than a blank line, and a chunk may hold a million of them.
      for (; !isTooLarge && isBlank(bytes[start]); start++) if (bytes[start] === lf) line += 1
      const end = bytes.indexOf(lf, start)
      if (end < 0) break
      yield lineOf(bytes.subarray(start, end))
      isTooLarge = false
      line += 1
      start = end + 1
    }
    rest = bytes.subarray(start)
    if (isTooLarge || rest.length > rowBytesMax) {
      isTooLarge = true
      rest = Buffer.alloc(0)
    }
  }
  if (isTooLarge || rest.length > 0) yield lineOf(rest)
}

/** Blanks of JSON, line ends among them. */
function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === lf
}
