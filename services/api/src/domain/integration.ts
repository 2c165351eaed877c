// Decides the life of an integration: the machine of domain.md 3.2 as one table, decide and evolve over it.
// It never decides about runs themselves; it is told how they ended.

import { isPermanentForUpload, type SyncErrorCode, syncErrorCodes } from '@wds/contracts/error-classes'
import type { BrokenReason } from '@wds/contracts/states'
import type { Decider, Decision } from '@wds/decider/decider'
import type { CombineMode } from './combine-rows.ts'
import type { DemoSettings } from './demo-generator.ts'
import type { MappingEntry } from './row-mapping.ts'

export interface IntegrationFields {
  name: string
  tags: string[]
  metadata: Record<string, string>
  brand_slug: string
  provider: string
  settings: { mapping?: MappingEntry[]; combine?: CombineMode } & Partial<DemoSettings>
  schedule: { every_minutes: number; at: string | null } | null
  source_time_zone: string
  currency: string
  granularity: 'hour' | 'day'
  lookback_days: number
  initial_backfill_days: number
  settle_hours: number
  required_for_final: boolean
  window_mode: 'replace' | 'upsert'
  on_unknown_campaign: 'create' | 'unassigned' | 'reject'
}
/** What a PATCH may change; brand and provider are immutable. */
export type IntegrationPatch = Partial<Omit<IntegrationFields, 'brand_slug' | 'provider'>>

/** Runs that end in a row with a retryable code before the integration breaks (domain.md 3.2). */
const failuresToBreak = 3

/** The machine: for each state the actions allowed and the state each leads to; `before_pause` is the one it was paused in. */
export const integrationMachine = {
  none: { create: 'pending' },
  pending: {
    update: 'pending',
    pause: 'paused',
    delete: 'deleted',
    run_succeeded: 'active',
    run_failed: 'pending',
    break: 'broken',
  },
  active: {
    update: 'active',
    pause: 'paused',
    delete: 'deleted',
    run_succeeded: 'active',
    run_failed: 'active',
    break: 'broken',
  },
  broken: { update: 'broken', pause: 'paused', delete: 'deleted', run_succeeded: 'active', run_failed: 'broken' },
  paused: { update: 'paused', resume: 'before_pause', delete: 'deleted' },
  deleted: {},
} as const
export type IntegrationMachineState = keyof typeof integrationMachine
type Live = 'pending' | 'active' | 'broken'

export interface LastSync {
  sync_run_id: string
  status: 'succeeded' | 'failed'
  finished_ms: number
}

export interface IntegrationState {
  status: IntegrationMachineState
  fields: IntegrationFields | null
  before_pause: Live | null
  last_sync: LastSync | null
  consecutive_failures: number
  broken_reason: BrokenReason | null
  broken_since_ms: number | null
  last_success_ms: number | null
}

export type IntegrationCommand =
  | { type: 'create'; fields: IntegrationFields }
  | { type: 'update'; patch: IntegrationPatch }
  | { type: 'pause' }
  | { type: 'resume' }
  | { type: 'delete' }
  | { type: 'run_succeeded'; sync_run_id: string; atMs: number }
  | { type: 'run_failed'; sync_run_id: string; atMs: number; code: SyncErrorCode; upload: boolean }

export type IntegrationEvent =
  | { type: 'IntegrationCreated'; data: { fields: IntegrationFields } }
  | { type: 'IntegrationUpdated'; data: { patch: IntegrationPatch; changed: string[] } }
  | { type: 'IntegrationPaused'; data: { reason: 'user' } }
  | { type: 'IntegrationResumed'; data: { status: Live } }
  | { type: 'IntegrationDeleted'; data: Record<never, never> }
  | { type: 'IntegrationActivated'; data: { last_sync: LastSync } }
  | { type: 'IntegrationSynced'; data: { last_sync: LastSync; consecutive_failures: number } }
  | { type: 'IntegrationRestored'; data: { last_sync: LastSync; broken_since_ms: number } }
  | { type: 'IntegrationBroken'; data: BrokenData }
  | { type: 'IntegrationCredentialsRefused'; data: Record<never, never> }
interface BrokenData {
  last_sync: LastSync
  reason: BrokenReason
  consecutive_failures: number
  last_success_ms: number | null
}

export interface InvalidState {
  code: 'invalid_state'
  current_status: string
  allowed: string[]
}
type IntegrationDecision = Decision<IntegrationEvent, InvalidState>

const initialState: IntegrationState = {
  status: 'none',
  fields: null,
  before_pause: null,
  last_sync: null,
  consecutive_failures: 0,
  broken_reason: null,
  broken_since_ms: null,
  last_success_ms: null,
}

function evolve(state: IntegrationState, event: IntegrationEvent): IntegrationState {
  switch (event.type) {
    case 'IntegrationCreated':
      return { ...initialState, status: 'pending', fields: event.data.fields }
    case 'IntegrationUpdated':
      return state.fields === null ? state : { ...state, fields: { ...state.fields, ...event.data.patch } }
    case 'IntegrationPaused':
      return { ...state, status: 'paused', before_pause: state.status as Live }
    case 'IntegrationResumed':
      return { ...state, status: event.data.status, before_pause: null }
    case 'IntegrationDeleted':
      return { ...state, status: 'deleted' }
    case 'IntegrationCredentialsRefused':
      return state
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

function evolveSynced(
  state: IntegrationState,
  event: Extract<IntegrationEvent, { type: 'IntegrationActivated' | 'IntegrationRestored' | 'IntegrationSynced' }>,
): IntegrationState {
  const { last_sync } = event.data
  const failures = event.type === 'IntegrationSynced' ? event.data.consecutive_failures : 0
  if (last_sync.status === 'failed') return { ...state, last_sync, consecutive_failures: failures }
  const healthy = { broken_reason: null, broken_since_ms: null, last_success_ms: last_sync.finished_ms }
  return { ...state, ...healthy, status: 'active', last_sync, consecutive_failures: 0 }
}

function decide(state: IntegrationState, command: IntegrationCommand): IntegrationDecision {
  if (!(command.type in integrationMachine[state.status])) return refuse(state.status)
  switch (command.type) {
    case 'create':
      return accepted({ type: 'IntegrationCreated', data: { fields: command.fields } })
    case 'update':
      return update(state, command.patch)
    case 'pause':
      return accepted({ type: 'IntegrationPaused', data: { reason: 'user' } })
    case 'resume':
      return accepted({ type: 'IntegrationResumed', data: { status: state.before_pause ?? 'pending' } })
    case 'delete':
      return accepted({ type: 'IntegrationDeleted', data: {} })
    case 'run_succeeded':
      return runSucceeded(state, command)
    case 'run_failed':
      return runFailed(state, command)
  }
}

function update(state: IntegrationState, patch: IntegrationPatch): IntegrationDecision {
  const fields = state.fields as Record<string, unknown> | null
  const changed = Object.entries(patch).filter(([key, value]) => !isSame(fields?.[key], value))
  if (changed.length === 0) return accepted()
  const names = changed.map(([key]) => key).sort()
  return accepted({ type: 'IntegrationUpdated', data: { patch: Object.fromEntries(changed), changed: names } })
}

function runSucceeded(
  state: IntegrationState,
  command: Extract<IntegrationCommand, { type: 'run_succeeded' }>,
): IntegrationDecision {
  const last_sync: LastSync = { sync_run_id: command.sync_run_id, status: 'succeeded', finished_ms: command.atMs }
  if (state.status === 'pending') return accepted({ type: 'IntegrationActivated', data: { last_sync } })
  if (state.status === 'broken') {
    const broken_since_ms = state.broken_since_ms ?? command.atMs
    return accepted({ type: 'IntegrationRestored', data: { last_sync, broken_since_ms } })
  }
  return accepted({ type: 'IntegrationSynced', data: { last_sync, consecutive_failures: 0 } })
}

function runFailed(
  state: IntegrationState,
  command: Extract<IntegrationCommand, { type: 'run_failed' }>,
): IntegrationDecision {
  const last_sync: LastSync = { sync_run_id: command.sync_run_id, status: 'failed', finished_ms: command.atMs }
  const { brokenReason, permanent } = syncErrorCodes[command.code]
  const counts = !command.upload && brokenReason !== null
  const consecutive_failures = state.consecutive_failures + (counts ? 1 : 0)
  if (counts && state.status !== 'broken' && (permanent || consecutive_failures >= failuresToBreak)) {
    const { last_success_ms } = state
    const data = { last_sync, reason: brokenReason, consecutive_failures, last_success_ms }
    const events: IntegrationEvent[] = [{ type: 'IntegrationBroken', data }]
    if (brokenReason === 'invalid_credentials') events.push({ type: 'IntegrationCredentialsRefused', data: {} })
    return accepted(...events)
  }
  return accepted({ type: 'IntegrationSynced', data: { last_sync, consecutive_failures } })
}

function accepted(...events: IntegrationEvent[]): IntegrationDecision {
  return { accepted: true, events }
}

function refuse(status: IntegrationMachineState): IntegrationDecision {
  const allowed = Object.keys(integrationMachine[status]).filter((action) => !internalActions.has(action))
  return { accepted: false, rejection: { code: 'invalid_state', current_status: status, allowed } }
}
const internalActions: ReadonlySet<string> = new Set(['create', 'run_succeeded', 'run_failed', 'break'])

/** Equality of JSON values, the order of members left out. */
function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [left, right] = [Object.entries(a), Object.entries(b)]
  return (
    left.length === right.length && left.every(([key, value]) => isSame(value, (b as Record<string, unknown>)[key]))
  )
}

/** The integration's decider (domain.md 3.2). */
export const integrationDecider: Decider<IntegrationState, IntegrationCommand, IntegrationEvent, InvalidState> = {
  initialState,
  evolve,
  decide,
}

/** Whether a code ends a run of this trigger at once (domain.md 4.6). */
export function isPermanent(code: SyncErrorCode, upload: boolean): boolean {
  return upload ? isPermanentForUpload(code) : syncErrorCodes[code].permanent
}
