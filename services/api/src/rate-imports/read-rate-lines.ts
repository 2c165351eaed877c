// Reads a file of rates, CSV or NDJSON, line by line. It streams: one chunk and one line at a time.
import { isUtf8 } from 'node:buffer'
import { MalformedJson, parseStrictJson } from '@wds/http-service/strict-json'
import type { ImportFormat } from '../imports/domain/import.ts'
import { rejected } from '../sources/domain/check-row.ts'
import { asJsonRow, JsonNumber } from '../sources/domain/json-row.ts'
import { CsvFault, type CsvRecord, CsvSplitter } from '../sources/domain/split-csv.ts'
import { linesOf } from '../sources/ndjson-source.ts'
import { SourceFailure } from '../sources/source.ts'
import { type CheckedRate, checkRateLine, type RateCells, rateColumnFaults, rateColumns } from './domain/rate-line.ts'

interface RateRecord {
  line: number
  checked: CheckedRate
}

interface RateFile {
  bytes: AsyncIterable<Buffer>
  format: ImportFormat
  /** The latest date anywhere. */
  today: string
}

/** Lines in their order. Throws SourceFailure where it is no CSV or its header does not fit. */
export function rateLines(file: RateFile): AsyncGenerator<RateRecord> {
  return file.format === 'csv' ? csvLines(file) : jsonLines(file)
}

async function* csvLines({ bytes, today }: RateFile): AsyncGenerator<RateRecord> {
  let header: string[] | null = null
  for await (const record of csvRecords(bytes)) {
    if (header !== null) yield { line: record.line, checked: checkCells(record, header, today) }
    else if (record.cells === null) throw new SourceFailure('invalid_body', record.line)
    else if (rateColumnFaults(record.cells).length > 0) throw new SourceFailure('schema_changed', record.line)
    else header = record.cells
  }
  if (header === null) throw new SourceFailure('invalid_body', 1)
}

async function* csvRecords(chunks: AsyncIterable<Buffer>): AsyncGenerator<CsvRecord> {
  const splitter = new CsvSplitter()
  try {
    for await (const bytes of chunks) yield* splitter.push(bytes)
    yield* splitter.end()
  } catch (error) {
    if (error instanceof CsvFault) throw new SourceFailure('invalid_body', error.line)
    throw error
  }
}

function checkCells(record: CsvRecord, header: string[], today: string): CheckedRate {
  if (record.cells === null) return rejected(record.fault)
  const { cells } = record
  if (cells.length !== header.length) return rejected('wrong_column_count')
  return checkRateLine(
    cellsOf((column) => cells[header.indexOf(column)] ?? ''),
    today,
  )
}

async function* jsonLines({ bytes, today }: RateFile): AsyncGenerator<RateRecord> {
  for await (const { line, bytes: row } of linesOf(bytes))
    yield { line, checked: row === null ? rejected('row_too_large') : checkJson(row, today) }
}

function checkJson(bytes: Buffer, today: string): CheckedRate {
  const row = parseRow(bytes)
  if (row === null) return rejected(isUtf8(bytes) ? 'malformed_json' : 'bad_encoding')
  const members: Record<string, string> = {}
  for (const [name, value] of Object.entries(row)) {
    if (!rateColumns.includes(name as never)) return rejected('unknown_field')
    if (value === null) continue
    // Numbers keep their digits: a rate never passes through a float.
    if (typeof value !== 'string' && !(value instanceof JsonNumber)) return rejected('malformed_json', name)
    members[name] = typeof value === 'string' ? value : value.digits
  }
  return checkRateLine(
    cellsOf((column) => members[column] ?? ''),
    today,
  )
}

function parseRow(bytes: Buffer): Record<string, unknown> | null {
  try {
    return asJsonRow(parseStrictJson(bytes, (digits) => new JsonNumber(digits)))
  } catch (error) {
    if (error instanceof MalformedJson) return null
    throw error
  }
}

function cellsOf(read: (column: string) => string): RateCells {
  return { date: read('date'), base: read('base'), quote: read('quote'), rate: read('rate') }
}
