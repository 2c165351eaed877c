// Decides the life of a sync run: the machine of domain.md 3.3 as one table, decide and evolve over it.
// It never waits and never reads a clock: instants and the jitter come in with the command.

import { isPermanent, type SyncErrorCode } from '@wds/contracts/error-classes'
import type { SyncRunTrigger } from '@wds/contracts/states'
import type { Decider, Decision, InvalidState } from '@wds/decider/decider'
import type { DemoSettings } from '../../sources/domain/demo-generator.ts'
import type { FeedSettings } from '../../sources/domain/feed-settings.ts'
import type { PostbackSettings } from '../../sources/domain/postback-settings.ts'
import type { MappingEntry } from '../../sources/domain/row-mapping.ts'
import type { CombineMode } from '../../stats/domain/combine-rows.ts'
import { nextAttemptMs } from './retry-schedule.ts'

/** The machine: for each state the actions allowed and the states each may lead to. */
export const syncRunMachine = {
  none: { queue: ['queued'] },
  queued: { start: ['running'], cancel: ['canceled'] },
  running: { succeed: ['succeeded'], fail: ['retry_wait', 'failed'], cancel: ['canceled'] },
  retry_wait: { start: ['running'], cancel: ['canceled'] },
  succeeded: { retry: [] },
  failed: { retry: [] },
  canceled: { retry: [] },
} as const
export type SyncRunMachineState = keyof typeof syncRunMachine

export type CancelReason = 'user' | 'integration_paused' | 'integration_deleted'

/** What of the integration a run works with: as it was when the run was queued, so that each attempt yields the same rows. */
export interface RunBasis {
  settings: { mapping?: MappingEntry[]; combine?: CombineMode } & Partial<
    DemoSettings & FeedSettings & PostbackSettings
  >
  source_time_zone: string
  currency: string
  granularity: 'hour' | 'day'
  window_mode: 'replace' | 'upsert'
  on_unknown_campaign: 'create' | 'unassigned' | 'reject'
}

export interface RunOrder {
  integration_id: string
  brand_slug: string
  trigger: SyncRunTrigger
  window: { from: string; to: string } | null
  time_zone: string
  run_seq: number
  max_attempts: number
  allow_empty: boolean
  import_id: string | null
  queued_ms: number
  basis: RunBasis
  /** Of postbacks, where the run goes on from another one: at which hour, and when the first of them began. */
  fold?: { from_ms: number; pass_ms: number } | null
  /** Automation rules that it came through; left out: none. */
  depth?: number
}

export interface RunResult {
  window: { from: string; to: string } | null
  rows_inserted: number
  rows_updated: number
  rows_unchanged: number
  rows_deleted: number
  rows_rejected: number
  rows_skipped: number
  warnings: Record<string, number>
  deletes_skipped: boolean
}

export interface SyncRunState {
  status: SyncRunMachineState
  order: RunOrder | null
  attempt: number
  started_ms: number | null
  finished_ms: number | null
  next_attempt_ms: number | null
  error_code: SyncErrorCode | null
  result: RunResult | null
}

export type SyncRunCommand =
  | { type: 'queue'; order: RunOrder }
  | { type: 'start'; atMs: number }
  | { type: 'succeed'; atMs: number; result: RunResult }
  | {
      type: 'fail'
      atMs: number
      code: SyncErrorCode
      rowsRejected: number
      delaysMs: readonly number[]
      jitter: number
      /** What the source asked for; null where it did not. */
      retryAfterMs?: number | null
    }
  | { type: 'cancel'; atMs: number; reason: CancelReason }

export type SyncRunEvent =
  | { type: 'RunQueued'; data: { order: RunOrder } }
  | { type: 'RunStarted'; data: { at_ms: number } }
  | { type: 'AttemptStarted'; data: { attempt: number; at_ms: number } }
  | { type: 'RunSucceeded'; data: { at_ms: number; result: RunResult; rows_ingested: number; duration_ms: number } }
  | { type: 'AttemptFailed'; data: { at_ms: number; attempt: number; code: SyncErrorCode; next_attempt_ms: number } }
  | {
      type: 'RunFailed'
      data: { at_ms: number; attempts: number; code: SyncErrorCode; rows_rejected: number; duration_ms: number }
    }
  | { type: 'RunReportedFailed'; data: { at_ms: number; duration_ms: number } }
  | { type: 'RunCanceled'; data: { at_ms: number; reason: CancelReason } }
type RunDecision = Decision<SyncRunEvent, InvalidState>

const initialState: SyncRunState = {
  status: 'none',
  order: null,
  attempt: 0,
  started_ms: null,
  finished_ms: null,
  next_attempt_ms: null,
  error_code: null,
  result: null,
}

const noRows: RunResult = {
  window: null,
  rows_inserted: 0,
  rows_updated: 0,
  rows_unchanged: 0,
  rows_deleted: 0,
  rows_rejected: 0,
  rows_skipped: 0,
  warnings: {},
  deletes_skipped: false,
}

function evolve(state: SyncRunState, event: SyncRunEvent): SyncRunState {
  switch (event.type) {
    case 'RunQueued':
      return { ...initialState, status: 'queued', order: event.data.order }
    case 'RunStarted':
      return { ...state, status: 'running', attempt: 1, started_ms: event.data.at_ms }
    case 'AttemptStarted':
      return { ...state, status: 'running', attempt: event.data.attempt, next_attempt_ms: null }
    case 'RunSucceeded':
      return {
        ...state,
        status: 'succeeded',
        finished_ms: event.data.at_ms,
        result: event.data.result,
        error_code: null,
      }
    case 'AttemptFailed':
      return {
        ...state,
        status: 'retry_wait',
        next_attempt_ms: event.data.next_attempt_ms,
        error_code: event.data.code,
      }
    case 'RunFailed': {
      const result = { ...noRows, rows_rejected: event.data.rows_rejected }
      return { ...state, status: 'failed', finished_ms: event.data.at_ms, error_code: event.data.code, result }
    }
    case 'RunReportedFailed':
      return state
    case 'RunCanceled':
      return { ...state, status: 'canceled', finished_ms: event.data.at_ms, next_attempt_ms: null }
  }
}

function decide(state: SyncRunState, command: SyncRunCommand): RunDecision {
  if (!(command.type in syncRunMachine[state.status])) return refuse(state.status)
  switch (command.type) {
    case 'queue':
      return accepted({ type: 'RunQueued', data: { order: command.order } })
    case 'start':
      return state.attempt === 0
        ? accepted({ type: 'RunStarted', data: { at_ms: command.atMs } })
        : accepted({ type: 'AttemptStarted', data: { attempt: state.attempt + 1, at_ms: command.atMs } })
    case 'succeed':
      return accepted({ type: 'RunSucceeded', data: succeeded(state, command.result, command.atMs) })
    case 'fail':
      return fail(state, command)
    case 'cancel':
      return accepted({ type: 'RunCanceled', data: { at_ms: command.atMs, reason: command.reason } })
  }
}

function succeeded(state: SyncRunState, result: RunResult, at_ms: number) {
  const rows_ingested = result.rows_inserted + result.rows_updated + result.rows_unchanged
  return { at_ms, result, rows_ingested, duration_ms: durationMs(state, at_ms) }
}

function fail(state: SyncRunState, command: Extract<SyncRunCommand, { type: 'fail' }>): RunDecision {
  const { atMs: at_ms, code } = command
  const permanent = isPermanent(code, state.order?.trigger === 'upload')
  if (permanent || state.attempt >= (state.order?.max_attempts ?? 1)) {
    const duration_ms = durationMs(state, at_ms)
    const data = { at_ms, attempts: state.attempt, code, rows_rejected: command.rowsRejected, duration_ms }
    // Two facts, since each is announced: sync.failed, then sync.completed with status `failed` (domain.md 3.3).
    return accepted({ type: 'RunFailed', data }, { type: 'RunReportedFailed', data: { at_ms, duration_ms } })
  }
  const { delaysMs, jitter, retryAfterMs } = command
  const planned = { endedMs: at_ms, failedAttempt: state.attempt, delaysMs, jitter }
  const next_attempt_ms = nextAttemptMs({ ...planned, retryAfterMs: retryAfterMs ?? 0 })
  return accepted({ type: 'AttemptFailed', data: { at_ms, attempt: state.attempt, code, next_attempt_ms } })
}

/** First start to end, waits between attempts included (domain.md 3.3). */
export function durationMs(state: SyncRunState, atMs: number): number {
  return Math.max(0, atMs - (state.started_ms ?? atMs))
}

function accepted(...events: SyncRunEvent[]): RunDecision {
  return { accepted: true, events }
}

function refuse(status: SyncRunMachineState): RunDecision {
  const offered: readonly string[] = ['cancel', 'retry']
  const allowed = Object.keys(syncRunMachine[status]).filter((action) => offered.includes(action))
  return { accepted: false, rejection: { code: 'invalid_state', current_status: status, allowed } }
}

/** The sync run's decider (domain.md 3.3). */
export const syncRunDecider: Decider<SyncRunState, SyncRunCommand, SyncRunEvent, InvalidState> = {
  initialState,
  evolve,
  decide,
}
