// Records of a feed in CSV, page by page, each with a header line of its own (domain.md 4.2).
import { csvRecords } from './csv-source.ts'
import type { RowRules } from './domain/check-row.ts'
import { commonForm } from './domain/split-csv.ts'
import { type FeedOrder, feedPages } from './pull-feed.ts'
import type { SourceRecord } from './source.ts'

/** Throws SourceFailure. Lines are counted over all pages. */
export async function* httpCsvRecords(order: FeedOrder, rules: RowRules): AsyncGenerator<SourceRecord> {
  const { mapping = null, only = [], csv = {} } = order.settings
  const { encoding: _encoding, decimal_comma: decimalComma = false, ...form } = csv
  const source = { mapping, only, form: { ...commonForm, ...form }, rules: { ...rules, decimalComma } }
  let linesBefore = 0
  for await (const page of feedPages(order)) {
    let line = 0
    const bytes = await unlessEmpty(page.bytes)
    if (bytes === null) continue
    for await (const record of csvRecords({ ...source, bytes })) {
      line = record.line
      yield { ...record, line: linesBefore + line }
    }
    linesBefore += line
  }
}

/** The same bytes, or null where there are none: a source without rows may leave out its header line, too. */
async function unlessEmpty(bytes: AsyncIterable<Buffer>): Promise<AsyncIterable<Buffer> | null> {
  const iterator = bytes[Symbol.asyncIterator]()
  const first = await iterator.next()
  if (first.done) return null
  return (async function* () {
    yield first.value
    yield* { [Symbol.asyncIterator]: () => iterator }
  })()
}
