// Reads the stored body of an upload as NDJSON, one JSON object a line, and checks each line. It streams: one chunk and one
// line at a time. A line that is no object rejects itself and not the file.
import { MalformedJson, parseStrictJson } from '@wds/http-service/strict-json'
import { type CheckedRow, checkRow, rejected } from '../domain/check-row.ts'
import { asJsonRow, bindJson, cellsOfJson, type JsonBinding, JsonNumber, type JsonObject } from '../domain/json-row.ts'
import { SourceFailure, type SourceRecord } from './source.ts'
import { columnsMax, recordBytesMax, rowBytesMax, storedBody, type UploadSource } from './stored-body.ts'

/** Records of an upload in the order of the file. Throws SourceFailure where it has no lines of this format or its first row does not fit. */
export async function* ndjsonRecords(o: UploadSource): AsyncGenerator<SourceRecord> {
  let binding: JsonBinding | null = null
  let line = 0
  for await (const bytes of linesOf(storedBody(o))) {
    line += 1
    if (isBlank(bytes)) continue
    const row = bytes.length > rowBytesMax ? null : parseRow(bytes)
    if (binding === null) {
      if (row === null) throw new SourceFailure('invalid_body', line)
      const bound = bindJson(row, o.rules.granularity, o.mapping)
      if (!bound.ok) throw new SourceFailure('schema_changed', line)
      binding = bound.binding
    }
    yield { line, checked: bytes.length > rowBytesMax ? tooLarge : checkJson(row, binding, o) }
  }
}

const tooLarge = rejected('row_too_large')

function checkJson(row: JsonObject | null, binding: JsonBinding, o: UploadSource): CheckedRow {
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

/** Lines without their ends (LF or CRLF), the last one also without one. Throws SourceFailure for one without end. */
async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  let line = 0
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let start = 0
    for (let end = bytes.indexOf(0x0a); end >= 0; end = bytes.indexOf(0x0a, start)) {
      line += 1
      yield bytes.subarray(start, end)
      start = end + 1
    }
    rest = bytes.subarray(start)
    if (rest.length > recordBytesMax) throw new SourceFailure('invalid_body', line + 1)
  }
  if (rest.length > 0) yield rest
}

/** Blanks of JSON only, the CR of a CRLF among them. */
function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d)
}
