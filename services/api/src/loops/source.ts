// The shape of what a provider hands over: checked records in a fixed order, the same at every attempt of a run.
import type { SyncErrorCode } from '@wds/contracts/error-classes'
import type { CheckedRow } from '../domain/check-row.ts'

/** One record of a source. `line`: of the file, or its place in the pull. */
export interface SourceRecord {
  line: number
  checked: CheckedRow
}

/** The source ends the attempt with a code of domain.md 4.6. `line`: where a file could not be read. */
export class SourceFailure extends Error {
  readonly code: SyncErrorCode
  readonly line: number | null

  constructor(code: SyncErrorCode, line: number | null = null) {
    super(code)
    this.code = code
    this.line = line
  }
}
