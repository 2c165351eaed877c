// Records of a feed in JSON or NDJSON, page by page; the first row of all says what is there (domain.md 4.2).
import type { RowRules } from './domain/check-row.ts'
import { JsonFault, JsonSplitter, pointerParts } from './domain/split-json.ts'
import { JsonRowReader, type RowBytes } from './json-row-reader.ts'
import { linesOf } from './ndjson-source.ts'
import { type FeedOrder, type FeedPage, feedPages } from './pull-feed.ts'
import { SourceFailure, type SourceRecord } from './source.ts'

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

/** Throws SourceFailure. Rows are counted over all pages. */
export async function* httpJsonRecords(order: FeedOrder, rules: RowRules): AsyncGenerator<SourceRecord> {
  const { mapping = null, only = [] } = order.settings
  const reader = new JsonRowReader({ mapping, only, rules })
  let before = 0
  for await (const page of feedPages(order)) {
    let last = 0
    for await (const { line, bytes } of rowsOf(order, page)) {
      last = line
      yield reader.read({ line: before + line, bytes })
    }
    before += last
  }
}

const lineTypes = /^application\/(?:x-)?(?:ndjson|jsonl|jsonlines|json-seq)$/

function rowsOf(order: FeedOrder, page: FeedPage): AsyncIterable<RowBytes> {
  const bytes = withoutMark(page.bytes)
  return lineTypes.test(page.mediaType ?? '') ? linesOf(bytes) : documentRows(order, page, bytes)
}

async function* documentRows(
  { settings }: FeedOrder,
  page: FeedPage,
  bytes: AsyncIterable<Buffer>,
): AsyncGenerator<RowBytes> {
  const { pagination = 'none', next_pointer = '', rows_pointer = '' } = settings
  const linkAt = pagination === 'json_pointer' ? pointerParts(next_pointer) : null
  const splitter = new JsonSplitter({ rowsAt: pointerParts(rows_pointer) ?? [], linkAt })
  try {
    for await (const piece of bytes) yield* splitter.push(piece)
    splitter.end()
  } catch (error) {
    throw error instanceof JsonFault ? new SourceFailure('invalid_body') : error
  }
  if (!splitter.hasRows) throw new SourceFailure('schema_changed')
  page.linkInBody = linkOf(splitter.link)
}

/** null, false and '' mean that there is no further page; what is neither they nor a text is no link. */
function linkOf(json: Buffer | null): string | null {
  if (json === null) return null
  let link: unknown
  try {
    link = JSON.parse(json.toString('utf8'))
  } catch {
    throw new SourceFailure('invalid_body')
  }
  if (link === null || link === false || link === '') return null
  if (typeof link !== 'string') throw new SourceFailure('schema_changed')
  return link
}

/** A byte order mark is no part of a document. */
async function* withoutMark(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let start: Buffer | null = Buffer.alloc(0)
  for await (const piece of bytes) {
    if (start === null) {
      yield piece
      continue
    }
    start = Buffer.concat([start, piece])
    if (start.length < byteOrderMark.length) continue
    yield start.subarray(start.indexOf(byteOrderMark) === 0 ? byteOrderMark.length : 0)
    start = null
  }
  if (start !== null && start.length > 0) yield start
}
