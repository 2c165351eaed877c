// The shape of what a provider hands over: checked records in a fixed order, the same at every attempt of a run.
import type { SyncErrorCode } from '@wds/contracts/error-classes'
import type { CheckedRow, RowRules } from './domain/check-row.ts'
import type { OnlyRule } from './domain/only-rows.ts'
import type { MappingEntry } from './domain/row-mapping.ts'
import type { CsvForm } from './domain/split-csv.ts'

/** One record of a source. `line`: of the file, or its place in the pull. `checked` null: one that the settings leave out. */
export interface SourceRecord {
  line: number
  checked: CheckedRow | null
}

/** The source ends the attempt with a code of domain.md 4.6. `line`: where a file could not be read; `retryAfterMs`: when the source asks to be tried again. */
export class SourceFailure extends Error {
  readonly code: SyncErrorCode
  readonly line: number | null
  readonly retryAfterMs: number | null

  constructor(code: SyncErrorCode, line: number | null = null, retryAfterMs: number | null = null) {
    super(code)
    this.code = code
    this.line = line
    this.retryAfterMs = retryAfterMs
  }
}

/** The bytes of a file in their order, and how its rows are judged. */
export interface FileSource {
  bytes: AsyncIterable<Buffer>
  mapping: readonly MappingEntry[] | null
  rules: RowRules
  /** Left out: every row is one. */
  only?: readonly OnlyRule[]
  /** Of a CSV file; left out: RFC 4180 with a header line. */
  form?: CsvForm
}
