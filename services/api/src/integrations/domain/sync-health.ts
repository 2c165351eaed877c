// Decides what the ends of runs say of an integration (domain.md 3.2): whether it works, is broken, has refused credentials, or is late. It
// never decides about runs themselves; it is told how they ended.
import { type SyncErrorCode, syncErrorCodes } from '@wds/contracts/error-classes'
import type { BrokenReason } from '@wds/contracts/states'
import type { IntegrationFields } from './integration-fields.ts'
import { type IntegrationMachineState, integrationMachine } from './integration-machine.ts'

/** Runs that end in a row with a retryable code before the integration breaks (domain.md 3.2). */
const failuresToBreak = 3

export interface LastSync {
  sync_run_id: string
  status: 'succeeded' | 'failed'
  finished_ms: number
}

/** What of the state of an integration depends on how its runs end, and what that depends on. */
export interface SyncHealth {
  status: IntegrationMachineState
  fields: IntegrationFields | null
  last_sync: LastSync | null
  consecutive_failures: number
  broken_reason: BrokenReason | null
  broken_since_ms: number | null
  last_success_ms: number | null
  /** The refused credentials were told of; until the next success, or other ones. */
  credentials_refused: boolean
  /** From when on successes are expected by the schedule: creation, resumption, or the last change of the schedule. */
  expected_since_ms: number
  /** The delay of its syncs was told of; until the next success or pause. */
  delayed: boolean
}

export type HealthCommand =
  | { type: 'run_succeeded'; sync_run_id: string; atMs: number }
  | { type: 'run_failed'; sync_run_id: string; atMs: number; code: SyncErrorCode; upload: boolean }
  | { type: 'report_delay'; atMs: number }

export type HealthEvent =
  | { type: 'IntegrationActivated'; data: { last_sync: LastSync } }
  | { type: 'IntegrationSynced'; data: { last_sync: LastSync; consecutive_failures: number } }
  | { type: 'IntegrationRestored'; data: { last_sync: LastSync; broken_since_ms: number } }
  | { type: 'IntegrationBroken'; data: BrokenData }
  | { type: 'IntegrationCredentialsRefused'; data: Record<never, never> }
  | { type: 'IntegrationDelayed'; data: { last_success_ms: number | null; every_minutes: number } }
interface BrokenData {
  last_sync: LastSync
  reason: BrokenReason
  consecutive_failures: number
  last_success_ms: number | null
}

export function evolveHealth<State extends SyncHealth>(state: State, event: HealthEvent): State {
  switch (event.type) {
    case 'IntegrationCredentialsRefused':
      return { ...state, credentials_refused: true }
    case 'IntegrationDelayed':
      return { ...state, delayed: true }
    case 'IntegrationBroken':
      return {
        ...state,
        status: 'broken',
        last_sync: event.data.last_sync,
        consecutive_failures: event.data.consecutive_failures,
        broken_reason: event.data.reason,
        broken_since_ms: event.data.last_sync.finished_ms,
      }
    case 'IntegrationActivated':
    case 'IntegrationRestored':
    case 'IntegrationSynced':
      return evolveSynced(state, event)
  }
}

function evolveSynced<State extends SyncHealth>(
  state: State,
  event: Extract<HealthEvent, { type: 'IntegrationActivated' | 'IntegrationRestored' | 'IntegrationSynced' }>,
): State {
  const { last_sync } = event.data
  const failures = event.type === 'IntegrationSynced' ? event.data.consecutive_failures : 0
  if (last_sync.status === 'failed') return { ...state, last_sync, consecutive_failures: failures }
  const healthy = { broken_reason: null, broken_since_ms: null, credentials_refused: false, delayed: false }
  const last_success_ms = last_sync.finished_ms
  return { ...state, ...healthy, status: 'active', last_sync, last_success_ms, consecutive_failures: 0 }
}

/** What happens to the integration; nothing where a delay is not due. The machine allows the command. */
export function judgeHealth(state: SyncHealth, command: HealthCommand): HealthEvent[] {
  switch (command.type) {
    case 'run_succeeded':
      return [runSucceeded(state, command)]
    case 'run_failed':
      return runFailed(state, command)
    case 'report_delay':
      return reportDelay(state, command.atMs)
  }
}

function runSucceeded(state: SyncHealth, command: Extract<HealthCommand, { type: 'run_succeeded' }>): HealthEvent {
  const last_sync: LastSync = { sync_run_id: command.sync_run_id, status: 'succeeded', finished_ms: command.atMs }
  if (state.status === 'pending') return { type: 'IntegrationActivated', data: { last_sync } }
  if (state.status === 'broken') {
    const broken_since_ms = state.broken_since_ms ?? command.atMs
    return { type: 'IntegrationRestored', data: { last_sync, broken_since_ms } }
  }
  return { type: 'IntegrationSynced', data: { last_sync, consecutive_failures: 0 } }
}

function runFailed(state: SyncHealth, command: Extract<HealthCommand, { type: 'run_failed' }>): HealthEvent[] {
  const last_sync: LastSync = { sync_run_id: command.sync_run_id, status: 'failed', finished_ms: command.atMs }
  const { brokenReason, permanent } = syncErrorCodes[command.code]
  const counts = !command.upload && brokenReason !== null
  const consecutive_failures = state.consecutive_failures + (counts ? 1 : 0)
  const refused: HealthEvent[] =
    counts && brokenReason === 'invalid_credentials' && !state.credentials_refused
      ? [{ type: 'IntegrationCredentialsRefused', data: {} }]
      : []
  if (counts && state.status !== 'broken' && (permanent || consecutive_failures >= failuresToBreak)) {
    const { last_success_ms } = state
    const data = { last_sync, reason: brokenReason, consecutive_failures, last_success_ms }
    return [{ type: 'IntegrationBroken', data }, ...refused]
  }
  return [{ type: 'IntegrationSynced', data: { last_sync, consecutive_failures } }, ...refused]
}

/** Instant from which on the syncs are delayed: no success within twice the schedule; null without one, when paused or told already. */
export function delayDueMs(state: SyncHealth): number | null {
  const everyMinutes = state.fields?.schedule?.every_minutes
  if (everyMinutes === undefined || state.delayed || !('report_delay' in integrationMachine[state.status])) return null
  return Math.max(state.last_success_ms ?? 0, state.expected_since_ms) + 2 * everyMinutes * 60_000
}

function reportDelay(state: SyncHealth, atMs: number): HealthEvent[] {
  const dueMs = delayDueMs(state)
  const every_minutes = state.fields?.schedule?.every_minutes
  if (dueMs === null || atMs < dueMs || every_minutes === undefined) return []
  return [{ type: 'IntegrationDelayed', data: { last_success_ms: state.last_success_ms, every_minutes } }]
}
