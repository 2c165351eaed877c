// What an export needs of its type: who may have it, how its query is judged, how its result is held, and how its rows are written.
import type { Scope } from '@wds/contracts/scopes'
import type { Transaction } from '@wds/postgres/transaction'
import type { ReferenceRates } from '../fx/reference-rates.ts'
import type { HeldResult } from './domain/export.ts'

/** A query as it was asked for. */
export interface AskedExport {
  workspaceId: string
  query: object
  nowMs: number
  referenceRates: ReferenceRates
}

/** A row in both formats. */
export interface ExportRow {
  json: object
  /** In the order of the columns. */
  cells: readonly (string | number | null)[]
}

export interface ExportSource {
  scope: Scope
  /** Its file holds personal data: nobody on the way keeps it. */
  isPersonal?: boolean
  /** Throws a Problem for what can never be answered. */
  judge(tx: Transaction, asked: AskedExport): Promise<void>
  /** Holds the result where it has no more than `rowsMax` rows; `rows` says how many it has, at most one more. Throws Problems. */
  hold(tx: Transaction, o: AskedExport & { exportId: string; rowsMax: number }): Promise<HeldResult>
  columnsOf(result: HeldResult): readonly string[]
  /** Takes the rows after one place, up to another, out in their order. */
  take(tx: Transaction, o: Taken): Promise<ExportRow[]>
  /** What the name of its file says beside the type. `day`: on which it was asked for. */
  periodOf(query: object, day: string): string
}

export interface Taken {
  workspaceId: string
  exportId: string
  after: number
  upTo: number
  result: HeldResult
}
