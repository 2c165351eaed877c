// Reads a file as CSV and checks each line. It streams: one chunk and one record at a time.
import { type CheckedRow, checkRow, type RowRules, rejected } from './domain/check-row.ts'
import { type BoundEntry, bindHeader } from './domain/row-mapping.ts'
import { CsvFault, type CsvRecord, CsvSplitter } from './domain/split-csv.ts'
import { type FileSource, SourceFailure, type SourceRecord } from './source.ts'

/** Records of an upload in the order of the file. Throws SourceFailure where the file is no CSV or its header does not fit. */
export async function* csvRecords(o: FileSource): AsyncGenerator<SourceRecord> {
  let entries: BoundEntry[] | null = null
  let columns = 0
  for await (const record of recordsOf(o)) {
    if (entries === null) {
      entries = headerOf(record, o)
      columns = record.cells?.length ?? 0
      continue
    }
    yield { line: record.line, checked: checkRecord(record, { entries, columns, rules: o.rules }) }
  }
  if (entries === null) throw new SourceFailure('invalid_body', 1)
}

async function* recordsOf(o: FileSource): AsyncGenerator<CsvRecord> {
  const splitter = new CsvSplitter()
  try {
    for await (const bytes of o.bytes) yield* splitter.push(bytes)
    yield* splitter.end()
  } catch (error) {
    if (error instanceof CsvFault) throw new SourceFailure('invalid_body', error.line)
    throw error
  }
}

function headerOf(record: CsvRecord, o: FileSource): BoundEntry[] {
  if (record.cells === null) throw new SourceFailure('invalid_body', record.line)
  const bound = bindHeader(record.cells, o.rules.granularity, o.mapping)
  if (!bound.ok) throw new SourceFailure('schema_changed', record.line)
  return bound.entries
}

function checkRecord(record: CsvRecord, o: { entries: BoundEntry[]; columns: number; rules: RowRules }): CheckedRow {
  if (record.cells === null) return rejected(record.fault)
  // Cells that slipped would be read as other measures: a surplus cell is mostly a decimal comma.
  if (record.cells.length !== o.columns) return rejected('wrong_column_count')
  return checkRow(record.cells, o.entries, o.rules)
}
