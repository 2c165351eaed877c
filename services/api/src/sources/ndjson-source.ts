// Reads a file as NDJSON, one JSON object a line, and checks each line. It streams: one chunk and one
// line at a time. A line that is no object rejects itself and not the file.
import { rowBytesMax } from './domain/split-csv.ts'
import { JsonRowReader, type RowBytes } from './json-row-reader.ts'
import type { FileSource, SourceRecord } from './source.ts'

/** Records of an upload in the order of the file. Throws SourceFailure where its first row does not fit. */
export async function* ndjsonRecords(o: FileSource): AsyncGenerator<SourceRecord> {
  const reader = new JsonRowReader(o)
  for await (const row of linesOf(o.bytes)) yield reader.read(row)
}

const lf = 0x0a

/** Lines that are not blank, without their ends (LF or CRLF), the last one also without one. */
export async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<RowBytes> {
  let rest: Buffer = Buffer.alloc(0)
  let isTooLarge = false
  let line = 1
  const lineOf = (bytes: Buffer): RowBytes => ({ line, bytes: isTooLarge || bytes.length > rowBytesMax ? null : bytes })
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
