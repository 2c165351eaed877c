// Decides the life of an export: its machine as one table, and its state after each command (domain.md 3.12). It never looks at rows.
import type { InvalidState } from '@wds/decider/decider'
import type { ExportErrorCode } from './export-errors.ts'

/** The machine: for each state the actions allowed and the state each leads to. */
export const exportMachine = {
  none: { queue: 'queued' },
  queued: { begin: 'running', cancel: 'canceled', delete: 'deleted' },
  running: {
    begin: 'running',
    hold_result: 'running',
    add_piece: 'running',
    complete: 'completed',
    fail: 'failed',
    cancel: 'canceled',
    delete: 'deleted',
  },
  completed: { delete: 'deleted' },
  failed: { delete: 'deleted' },
  canceled: { delete: 'deleted' },
  deleted: {},
} as const
export type ExportMachineState = keyof typeof exportMachine

/** What callers may ask for by themselves. */
const offered = ['cancel', 'delete']

/** What an export is of (domain.md 3.12). */
export type ExportType = 'stats' | 'invoices' | 'campaigns' | 'sub_affiliates' | 'ledger_entries' | 'payouts'

export interface ExportOrder {
  export_type: ExportType
  format: 'csv' | 'ndjson'
  compression: 'none' | 'gzip'
  /** As it was asked for. */
  query: object
}

/** The result that the file is made of. Once it is held, it never changes. */
export interface HeldResult {
  rows: number
  /** How its rows are written, where its type needs to know. */
  shape: object | null
  /** What is to be known of it, as a stats answer says it; null of other types. */
  meta: object | null
}

/** State as a row holds it. */
export interface ExportState {
  status: ExportMachineState
  order: ExportOrder | null
  /** Who makes it: nobody else may write a piece. */
  maker: string | null
  /** Attempts since the last progress. */
  attempts: number
  result: HeldResult | null
  /** Rows, bytes and pieces of the file so far. */
  rows: number
  bytes: number
  pieces: number
  started_ms: number | null
  finished_ms: number | null
  expires_ms: number
  error_code: ExportErrorCode | null
}

export type ExportCommand =
  | { type: 'queue'; order: ExportOrder; atMs: number }
  | { type: 'begin'; maker: string; atMs: number }
  | { type: 'hold_result'; result: HeldResult }
  | { type: 'add_piece'; rows: number; bytes: number }
  | { type: 'complete'; atMs: number }
  | { type: 'fail'; code: ExportErrorCode; atMs: number }
  | { type: 'cancel'; atMs: number }
  | { type: 'delete' }

/** How long an export is there after it was asked for, milliseconds. */
export const exportKeptMs = 7 * 86_400_000

export const initialExport: ExportState = {
  status: 'none',
  order: null,
  maker: null,
  attempts: 0,
  result: null,
  rows: 0,
  bytes: 0,
  pieces: 0,
  started_ms: null,
  finished_ms: null,
  expires_ms: 0,
  error_code: null,
}

/** The state after the command, or why it is refused. */
export function commandExport(
  state: ExportState,
  command: ExportCommand,
): { ok: true; state: ExportState } | { ok: false; error: InvalidState } {
  const row: Partial<Record<ExportCommand['type'], ExportMachineState>> = exportMachine[state.status]
  const status = row[command.type]
  if (status === undefined) return { ok: false, error: notAllowed(state.status) }
  return { ok: true, state: { ...state, ...changeOf(state, command), status } }
}

/** What the state does not allow, and what a caller may do. */
export function notAllowed(status: ExportMachineState): InvalidState {
  const allowed = Object.keys(exportMachine[status]).filter((action) => offered.includes(action))
  return { code: 'invalid_state', current_status: status, allowed }
}

function changeOf(state: ExportState, command: ExportCommand): Partial<ExportState> {
  switch (command.type) {
    case 'queue':
      return { order: command.order, expires_ms: command.atMs + exportKeptMs }
    case 'begin': {
      const started_ms = state.started_ms ?? command.atMs
      return { maker: command.maker, attempts: state.attempts + 1, started_ms }
    }
    case 'hold_result':
      return { result: command.result, attempts: 0 }
    case 'add_piece': {
      const { rows, bytes } = command
      return { rows: state.rows + rows, bytes: state.bytes + bytes, pieces: state.pieces + 1, attempts: 0 }
    }
    case 'complete':
      return { maker: null, finished_ms: command.atMs }
    case 'fail':
      return { ...withoutFile, finished_ms: command.atMs, error_code: command.code }
    case 'cancel':
      return { ...withoutFile, finished_ms: command.atMs }
    case 'delete':
      return withoutFile
  }
}

/** Nothing of a file that is not whole is kept. */
const withoutFile = { maker: null, bytes: 0, pieces: 0 } as const
