// Decides the life of an import: the machine of domain.md 3.12 as one table, decide and evolve over it.
// It never looks at lines; it is told their counts.

import type { SyncErrorCode } from '@wds/contracts/error-classes'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import type { Decider, Decision, InvalidState } from '@wds/decider/decider'

/** The machine: for each state the actions allowed and the states each may lead to. */
export const importMachine = {
  none: { queue: ['queued'] },
  queued: { start: ['running'], cancel: ['canceled'] },
  running: { complete: ['completed', 'completed_with_errors'], fail: ['failed'], cancel: ['canceled'] },
  completed: {},
  completed_with_errors: {},
  failed: {},
  canceled: {},
} as const
export type ImportMachineState = keyof typeof importMachine

/** What a file holds (domain.md 3.12). */
export type ImportType = 'stats' | 'fx_rates' | 'invoice_payments' | 'campaigns'

/** Forms of a file (domain.md 3.12). */
export type ImportFormat = 'csv' | 'ndjson'

export interface ImportOrder {
  import_type: ImportType
  format: ImportFormat
  /** Null for what belongs to no integration. */
  integration_id: string | null
  brand_slug: string | null
  covers: { from: string; to: string } | null
  /** Size of the stored body, decompressed. */
  body_bytes: number
  /** At least as many as it has records: its line ends and one more. Absent where the import was queued before they were counted. */
  lines_max?: number
  /** Who published the rates; null where nobody said it. Absent where they are none. */
  source?: string | null
  queued_ms: number
}

export interface ImportCounts {
  lines: number
  accepted: number
  rejected: number
  unchanged: number
}

export interface ImportState {
  status: ImportMachineState
  order: ImportOrder | null
  sync_run_id: string | null
  started_ms: number | null
  finished_ms: number | null
  counts: ImportCounts
  error_code: SyncErrorCode | null
  error_line: number | null
  /** The newest set once its rates were in it. */
  rate_set: string | null
}

export type ImportCommand =
  | { type: 'queue'; order: ImportOrder }
  | { type: 'start'; sync_run_id: string | null; atMs: number }
  | { type: 'complete'; counts: ImportCounts; atMs: number; rate_set?: string }
  | { type: 'fail'; code: SyncErrorCode; line: number | null; counts: ImportCounts; atMs: number }
  /** `counts`: of the lines that are stored already, which stay. */
  | { type: 'cancel'; atMs: number; counts?: ImportCounts }

export type ImportEvent =
  | { type: 'ImportQueued'; data: { order: ImportOrder } }
  | { type: 'ImportStarted'; data: { sync_run_id: string | null; at_ms: number } }
  | { type: 'ImportCompleted'; data: { counts: ImportCounts; at_ms: number; duration_ms: number; rate_set?: string } }
  | { type: 'ImportFailed'; data: { code: SyncErrorCode; line: number | null; counts: ImportCounts; at_ms: number } }
  | { type: 'ImportCanceled'; data: { at_ms: number; counts?: ImportCounts } }
type ImportDecision = Decision<ImportEvent, InvalidState>

const initialState: ImportState = {
  status: 'none',
  order: null,
  sync_run_id: null,
  started_ms: null,
  finished_ms: null,
  counts: { lines: 0, accepted: 0, rejected: 0, unchanged: 0 },
  error_code: null,
  error_line: null,
  rate_set: null,
}

function evolve(state: ImportState, event: ImportEvent): ImportState {
  switch (event.type) {
    case 'ImportQueued':
      return { ...initialState, status: 'queued', order: event.data.order }
    case 'ImportStarted':
      return { ...state, status: 'running', sync_run_id: event.data.sync_run_id, started_ms: event.data.at_ms }
    case 'ImportCompleted': {
      const status = event.data.counts.rejected > 0 ? 'completed_with_errors' : 'completed'
      const { counts, at_ms, rate_set = null } = event.data
      return { ...state, status, counts, finished_ms: at_ms, rate_set }
    }
    case 'ImportFailed': {
      const { code, line, counts, at_ms } = event.data
      return { ...state, status: 'failed', counts, finished_ms: at_ms, error_code: code, error_line: line }
    }
    case 'ImportCanceled': {
      const { at_ms, counts = state.counts } = event.data
      return { ...state, status: 'canceled', counts, finished_ms: at_ms }
    }
  }
}

function decide(state: ImportState, command: ImportCommand): ImportDecision {
  if (!(command.type in importMachine[state.status])) return refuse(state.status)
  switch (command.type) {
    case 'queue':
      return accepted({ type: 'ImportQueued', data: { order: command.order } })
    case 'start':
      return accepted({ type: 'ImportStarted', data: { sync_run_id: command.sync_run_id, at_ms: command.atMs } })
    case 'complete': {
      const duration_ms = Math.max(0, command.atMs - (state.started_ms ?? command.atMs))
      const { counts, atMs: at_ms, rate_set } = command
      return accepted({
        type: 'ImportCompleted',
        data: withoutUndefined({ counts, at_ms, duration_ms, rate_set }),
      })
    }
    case 'fail': {
      const { code, line, counts, atMs: at_ms } = command
      return accepted({ type: 'ImportFailed', data: { code, line, counts, at_ms } })
    }
    case 'cancel': {
      const { counts, atMs: at_ms } = command
      return accepted({ type: 'ImportCanceled', data: withoutUndefined({ at_ms, counts }) })
    }
  }
}

function accepted(...events: ImportEvent[]): ImportDecision {
  return { accepted: true, events }
}

function refuse(status: ImportMachineState): ImportDecision {
  const allowed = Object.keys(importMachine[status]).filter((action) => action === 'cancel')
  return { accepted: false, rejection: { code: 'invalid_state', current_status: status, allowed } }
}

/** The import's decider (domain.md 3.12). */
export const importDecider: Decider<ImportState, ImportCommand, ImportEvent, InvalidState> = {
  initialState,
  evolve,
  decide,
}
