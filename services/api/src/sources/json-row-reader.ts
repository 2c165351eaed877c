// Judges the rows of one JSON source, whole or in pages: the first one says what is there, each is bound and checked by it.
import { isUtf8 } from 'node:buffer'
import { MalformedJson, parseStrictJson } from '@wds/http-service/strict-json'
import { type CheckedRow, checkRow, rejected } from './domain/check-row.ts'
import { asJsonRow, bindJson, cellsOfJson, type JsonBinding, JsonNumber, type JsonObject } from './domain/json-row.ts'
import { isMeant } from './domain/only-rows.ts'
import { columnsMax } from './domain/split-csv.ts'
import { type FileSource, SourceFailure, type SourceRecord } from './source.ts'

/** A row by its number, from 1. Null for one that is too large: its bytes were passed over. */
export interface RowBytes {
  line: number
  bytes: Buffer | null
}

/** Bytes of a row above which its record is copied: a short text of a long row holds all of it in memory, and a batch has 1,000. */
const detachedAbove = 4_096

const tooLarge = rejected('row_too_large')

export class JsonRowReader {
  readonly #source: Omit<FileSource, 'bytes'>
  #binding: JsonBinding | null = null

  constructor(source: Omit<FileSource, 'bytes'>) {
    this.#source = source
  }

  /** The record of a row. Throws SourceFailure where the first row of all does not fit. */
  read({ line, bytes }: RowBytes): SourceRecord {
    const row = bytes === null ? null : parseRow(bytes)
    this.#binding ??= this.#bind(row, line)
    const checked = bytes === null ? tooLarge : this.#check(row, bytes, this.#binding)
    return { line, checked: (bytes?.length ?? 0) > detachedAbove ? structuredClone(checked) : checked }
  }

  #bind(row: JsonObject | null, line: number): JsonBinding {
    if (row === null) throw new SourceFailure('invalid_body', line)
    const { rules, mapping, only } = this.#source
    const bound = bindJson(row, rules.granularity, mapping, only)
    if (!bound.ok) throw new SourceFailure('schema_changed', line)
    return bound.binding
  }

  #check(row: JsonObject | null, bytes: Buffer, binding: JsonBinding): CheckedRow | null {
    if (row === null) return rejected(isUtf8(bytes) ? 'malformed_json' : 'bad_encoding')
    if (Object.keys(row).length > columnsMax) return tooLarge
    const found = cellsOfJson(row, binding)
    if (!found.ok) return found
    return isMeant(found.cells, binding.only) ? checkRow(found.cells, binding.entries, this.#source.rules) : null
  }
}

/** The object of a row, or null where it holds none. Numbers keep their digits. */
function parseRow(bytes: Uint8Array): JsonObject | null {
  try {
    return asJsonRow(parseStrictJson(bytes, (digits) => new JsonNumber(digits)))
  } catch (error) {
    if (error instanceof MalformedJson) return null
    throw error
  }
}
