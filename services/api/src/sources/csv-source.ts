// Reads a file as CSV and checks each line. It streams: one chunk and one record at a time.
import { type CheckedRow, checkRow, type RowRules, rejected } from './domain/check-row.ts'
import { type BoundOnly, bindOnly, isMeant } from './domain/only-rows.ts'
import { type BoundEntry, bindHeader } from './domain/row-mapping.ts'
import { CsvFault, type CsvRecord, CsvSplitter, commonForm } from './domain/split-csv.ts'
import { type FileSource, SourceFailure, type SourceRecord } from './source.ts'

/** What the columns of a file feed. */
interface Bound {
  entries: BoundEntry[]
  only: BoundOnly
  columns: number
}

/** Records of a file in their order. Throws SourceFailure where it is no CSV or its header does not fit. */
export async function* csvRecords(o: FileSource): AsyncGenerator<SourceRecord> {
  const { header: hasHeader } = o.form ?? commonForm
  let bound: Bound | null = null
  for await (const record of recordsOf(o)) {
    if (bound === null) {
      bound = boundTo(record, o)
      if (hasHeader) continue
    }
    yield { line: record.line, checked: checkRecord(record, bound, o.rules) }
  }
  if (bound === null) throw new SourceFailure('invalid_body', 1)
}

async function* recordsOf(o: FileSource): AsyncGenerator<CsvRecord> {
  const splitter = new CsvSplitter(o.form)
  try {
    for await (const bytes of o.bytes) yield* splitter.push(bytes)
    yield* splitter.end()
  } catch (error) {
    if (error instanceof CsvFault) throw new SourceFailure('invalid_body', error.line)
    throw error
  }
}

/** By the header line, or by the numbers of the columns, from 1, where the first record is a row already. */
function boundTo(record: CsvRecord, o: FileSource): Bound {
  if (record.cells === null) throw new SourceFailure('invalid_body', record.line)
  const { header: hasHeader } = o.form ?? commonForm
  const columns = hasHeader ? record.cells : record.cells.map((_, index) => String(index + 1))
  const bound = bindHeader(columns, o.rules.granularity, o.mapping)
  const only = bindOnly(columns, o.only ?? [])
  if (!bound.ok || only === null) throw new SourceFailure('schema_changed', record.line)
  return { entries: bound.entries, only, columns: columns.length }
}

function checkRecord(record: CsvRecord, bound: Bound, rules: RowRules): CheckedRow | null {
  if (record.cells === null) return rejected(record.fault)
  // Cells that slipped would be read as other measures: a surplus cell is mostly a decimal comma.
  if (record.cells.length !== bound.columns) return rejected('wrong_column_count')
  return isMeant(record.cells, bound.only) ? checkRow(record.cells, bound.entries, rules) : null
}
