// Reads a file of named columns, CSV or NDJSON, line by line. It streams: one chunk and one line at a time.
import { isUtf8 } from 'node:buffer'
import { MalformedJson, parseStrictJson } from '@wds/http-service/strict-json'
import type { ImportFormat } from '../imports/domain/import.ts'
import { type RejectedRow, rejected } from '../sources/domain/check-row.ts'
import { asJsonRow, JsonNumber } from '../sources/domain/json-row.ts'
import { CsvFault, type CsvRecord, CsvSplitter } from '../sources/domain/split-csv.ts'
import { linesOf } from '../sources/ndjson-source.ts'
import { SourceFailure } from '../sources/source.ts'
import { type Cells, columnFaults, type NamedColumns, namesOf } from './domain/named-columns.ts'

/** A line; a cell that it has not is empty. */
export interface FileLine<C extends string> {
  line: number
  row: { ok: true; cells: Cells<C> } | RejectedRow
}

export interface NamedFile<C extends string> {
  bytes: AsyncIterable<Buffer>
  format: ImportFormat
  columns: NamedColumns<C>
  /** Where the bytes do not begin the file: line ends before them, and the header line of CSV. */
  behind?: { lines: number; header: readonly string[] }
}

/** Lines in their order. Throws SourceFailure where it is no CSV or its header does not fit. */
export function readLines<C extends string>(file: NamedFile<C>): AsyncGenerator<FileLine<C>> {
  return file.format === 'csv' ? csvLines(file) : jsonLines(file)
}

async function* csvLines<C extends string>({ bytes, columns, behind }: NamedFile<C>): AsyncGenerator<FileLine<C>> {
  let header = behind?.header ?? null
  for await (const record of csvRecords(bytes, { isStart: behind === undefined })) {
    const line = record.line + (behind?.lines ?? 0)
    if (header !== null) yield { line, row: rowOf(record, header, columns) }
    else if (record.cells === null) throw new SourceFailure('invalid_body', line)
    else if (columnFaults(record.cells, columns).length > 0) throw new SourceFailure('schema_changed', line)
    else header = record.cells
  }
  if (header === null) throw new SourceFailure('invalid_body', 1)
}

async function* csvRecords(chunks: AsyncIterable<Buffer>, o: { isStart: boolean }): AsyncGenerator<CsvRecord> {
  const splitter = new CsvSplitter(undefined, o)
  try {
    for await (const bytes of chunks) yield* splitter.push(bytes)
    yield* splitter.end()
  } catch (error) {
    if (error instanceof CsvFault) throw new SourceFailure('invalid_body', error.line)
    throw error
  }
}

function rowOf<C extends string>(
  record: CsvRecord,
  header: readonly string[],
  columns: NamedColumns<C>,
): FileLine<C>['row'] {
  if (record.cells === null) return rejected(record.fault)
  const { cells } = record
  if (cells.length !== header.length) return rejected('wrong_column_count')
  return { ok: true, cells: cellsOf(columns, (column) => cells[header.indexOf(column)] ?? '') }
}

async function* jsonLines<C extends string>({ bytes, columns, behind }: NamedFile<C>): AsyncGenerator<FileLine<C>> {
  const before = behind?.lines ?? 0
  for await (const { line, bytes: row } of linesOf(bytes))
    yield { line: line + before, row: row === null ? rejected('row_too_large') : rowOfJson(row, columns) }
}

function rowOfJson<C extends string>(bytes: Buffer, columns: NamedColumns<C>): FileLine<C>['row'] {
  const row = parseRow(bytes)
  if (row === null) return rejected(isUtf8(bytes) ? 'malformed_json' : 'bad_encoding')
  const members: Record<string, string> = {}
  const known: readonly string[] = namesOf(columns)
  for (const [name, value] of Object.entries(row)) {
    if (!known.includes(name)) return rejected('unknown_field')
    if (value === null) continue
    // Numbers keep their digits: neither a rate nor an amount ever passes through a float.
    if (typeof value !== 'string' && !(value instanceof JsonNumber)) return rejected('malformed_json', name)
    members[name] = typeof value === 'string' ? value : value.digits
    if (members[name].includes('\0')) return rejected('bad_encoding', name)
  }
  return { ok: true, cells: cellsOf(columns, (column) => members[column] ?? '') }
}

function parseRow(bytes: Buffer): Record<string, unknown> | null {
  try {
    return asJsonRow(parseStrictJson(bytes, (digits) => new JsonNumber(digits)))
  } catch (error) {
    if (error instanceof MalformedJson) return null
    throw error
  }
}

function cellsOf<C extends string>(columns: NamedColumns<C>, read: (column: C) => string): Cells<C> {
  return Object.fromEntries(namesOf(columns).map((column) => [column, read(column)])) as Cells<C>
}
