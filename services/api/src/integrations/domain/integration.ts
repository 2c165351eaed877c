// Decides the life of an integration: the machine of domain.md 3.2 as one table, decide and evolve over it.
// It never decides about runs themselves; it is told how they ended.

import { type SyncErrorCode, syncErrorCodes } from '@wds/contracts/error-classes'
import type { BrokenReason } from '@wds/contracts/states'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import type { Decider, Decision, InvalidState } from '@wds/decider/decider'
import { isSameJson } from '@wds/decider/same-json'
import { isSameZone } from '../../calendar/domain/calendar.ts'
import type { RunBasis } from '../../sync-runs/domain/sync-run.ts'

export interface IntegrationFields extends RunBasis {
  name: string
  tags: string[]
  metadata: Record<string, string>
  brand_slug: string
  provider: string
  schedule: { every_minutes: number; at: string | null } | null
  lookback_days: number
  initial_backfill_days: number
  settle_hours: number
  required_for_final: boolean
}
/** What is known of stored credentials; never they themselves. */
export interface CredentialsMark {
  /** What they are for: a kind of authentication, or the token of postbacks. */
  kind: string
  /** `…` and 4 hex digits of a keyed hash. */
  fingerprint: string
  updated_ms: number
  expires_ms: number | null
}

/** What a PATCH may change; brand and provider are immutable. */
export type IntegrationPatch = Partial<Omit<IntegrationFields, 'brand_slug' | 'provider'>>

/** What of a patch changes how rows are cut and keyed by hour and day. Another name of the same zone does not. */
export function changesOfBasis(fields: IntegrationFields, patch: IntegrationPatch): string[] {
  const zone = patch.source_time_zone ?? fields.source_time_zone
  const granularity = patch.granularity ?? fields.granularity
  return [
    ...(isSameZone(zone, fields.source_time_zone) ? [] : ['source_time_zone']),
    ...(granularity === fields.granularity ? [] : ['granularity']),
  ]
}

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
    report_delay: 'pending',
    report_expiry: 'pending',
  },
  active: {
    update: 'active',
    pause: 'paused',
    delete: 'deleted',
    run_succeeded: 'active',
    run_failed: 'active',
    break: 'broken',
    report_delay: 'active',
    report_expiry: 'active',
  },
  broken: {
    update: 'broken',
    pause: 'paused',
    delete: 'deleted',
    run_succeeded: 'active',
    run_failed: 'broken',
    report_delay: 'broken',
    report_expiry: 'broken',
  },
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
  /** Left out of states that were stored before there were any. */
  credentials?: CredentialsMark | null
  /** The refused credentials were told of; until the next success, or other ones. */
  credentials_refused: boolean
  /** That they end soon was told of; until there are other ones. */
  credentials_ending?: boolean
  /** From when on successes are expected by the schedule: creation, resumption, or the last change of the schedule. */
  expected_since_ms: number
  /** The delay of its syncs was told of; until the next success or pause. */
  delayed: boolean
}

export type IntegrationCommand =
  | { type: 'create'; fields: IntegrationFields; credentials?: CredentialsMark | null; atMs: number }
  | { type: 'update'; patch: IntegrationPatch; credentials?: CredentialsMark | null; atMs: number }
  | { type: 'pause' }
  | { type: 'resume'; atMs: number }
  | { type: 'delete' }
  | { type: 'run_succeeded'; sync_run_id: string; atMs: number }
  | { type: 'run_failed'; sync_run_id: string; atMs: number; code: SyncErrorCode; upload: boolean }
  | { type: 'report_delay'; atMs: number }
  | { type: 'report_expiry'; atMs: number }

export type IntegrationEvent =
  | { type: 'IntegrationCreated'; data: { fields: IntegrationFields; at_ms: number } & WithCredentials }
  | {
      type: 'IntegrationUpdated'
      data: { patch: IntegrationPatch; changed: string[]; at_ms: number } & WithCredentials
    }
  | { type: 'IntegrationPaused'; data: { reason: 'user' } }
  | { type: 'IntegrationResumed'; data: { status: Live; at_ms: number } }
  | { type: 'IntegrationDeleted'; data: Record<never, never> }
  | { type: 'IntegrationActivated'; data: { last_sync: LastSync } }
  | { type: 'IntegrationSynced'; data: { last_sync: LastSync; consecutive_failures: number } }
  | { type: 'IntegrationRestored'; data: { last_sync: LastSync; broken_since_ms: number } }
  | { type: 'IntegrationBroken'; data: BrokenData }
  | { type: 'IntegrationCredentialsRefused'; data: Record<never, never> }
  | { type: 'IntegrationCredentialsEnding'; data: { expires_ms: number } }
  | { type: 'IntegrationDelayed'; data: { last_success_ms: number | null; every_minutes: number } }
/** Left out where they stay as they are. */
interface WithCredentials {
  credentials?: CredentialsMark | null
}
interface BrokenData {
  last_sync: LastSync
  reason: BrokenReason
  consecutive_failures: number
  last_success_ms: number | null
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
  credentials: null,
  credentials_refused: false,
  credentials_ending: false,
  expected_since_ms: 0,
  delayed: false,
}

function evolve(state: IntegrationState, event: IntegrationEvent): IntegrationState {
  switch (event.type) {
    case 'IntegrationCreated':
      return {
        ...initialState,
        status: 'pending',
        fields: event.data.fields,
        expected_since_ms: event.data.at_ms,
        credentials: event.data.credentials ?? null,
      }
    case 'IntegrationUpdated':
      return evolveUpdated(state, event.data)
    case 'IntegrationPaused':
      return { ...state, status: 'paused', before_pause: state.status as Live, delayed: false }
    case 'IntegrationResumed':
      return { ...state, status: event.data.status, before_pause: null, expected_since_ms: event.data.at_ms }
    case 'IntegrationDeleted':
      return { ...state, status: 'deleted' }
    case 'IntegrationCredentialsRefused':
      return { ...state, credentials_refused: true }
    case 'IntegrationCredentialsEnding':
      return { ...state, credentials_ending: true }
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

function evolveUpdated(
  state: IntegrationState,
  { patch, at_ms, credentials }: { patch: IntegrationPatch; at_ms: number } & WithCredentials,
): IntegrationState {
  if (state.fields === null) return state
  const expected_since_ms = patch.schedule === undefined ? state.expected_since_ms : at_ms
  // What was told of the old ones is not true of others.
  const told = { credentials_refused: false, credentials_ending: false }
  const others = credentials === undefined ? {} : { credentials, ...told }
  return { ...state, fields: { ...state.fields, ...patch }, expected_since_ms, ...others }
}

function evolveSynced(
  state: IntegrationState,
  event: Extract<IntegrationEvent, { type: 'IntegrationActivated' | 'IntegrationRestored' | 'IntegrationSynced' }>,
): IntegrationState {
  const { last_sync } = event.data
  const failures = event.type === 'IntegrationSynced' ? event.data.consecutive_failures : 0
  if (last_sync.status === 'failed') return { ...state, last_sync, consecutive_failures: failures }
  const healthy = { broken_reason: null, broken_since_ms: null, credentials_refused: false, delayed: false }
  const last_success_ms = last_sync.finished_ms
  return { ...state, ...healthy, status: 'active', last_sync, last_success_ms, consecutive_failures: 0 }
}

function decide(state: IntegrationState, command: IntegrationCommand): IntegrationDecision {
  if (!(command.type in integrationMachine[state.status])) return refuse(state.status)
  switch (command.type) {
    case 'create':
      return accepted({ type: 'IntegrationCreated', data: createdData(command) })
    case 'update':
      return update(state, command)
    case 'pause':
      return accepted({ type: 'IntegrationPaused', data: { reason: 'user' } })
    case 'resume':
      return accepted({
        type: 'IntegrationResumed',
        data: { status: state.before_pause ?? 'pending', at_ms: command.atMs },
      })
    case 'delete':
      return accepted({ type: 'IntegrationDeleted', data: {} })
    case 'run_succeeded':
      return runSucceeded(state, command)
    case 'run_failed':
      return runFailed(state, command)
    case 'report_delay':
      return reportDelay(state, command.atMs)
    case 'report_expiry':
      return reportExpiry(state, command.atMs)
  }
}

function createdData({ fields, credentials, atMs }: Extract<IntegrationCommand, { type: 'create' }>) {
  return withoutUndefined<Extract<IntegrationEvent, { type: 'IntegrationCreated' }>['data']>({
    fields,
    at_ms: atMs,
    credentials: credentials ?? undefined,
  })
}

function update(
  state: IntegrationState,
  { patch, credentials, atMs: at_ms }: Extract<IntegrationCommand, { type: 'update' }>,
): IntegrationDecision {
  const fields = state.fields as Record<string, unknown> | null
  const changed = Object.entries(patch).filter(([key, value]) => !isSameJson(fields?.[key], value))
  // Credentials that are given are others, whatever they are; none in place of none are not.
  const others = credentials === undefined || (credentials === null && !state.credentials) ? {} : { credentials }
  const names = [...changed.map(([key]) => key), ...Object.keys(others)].sort()
  if (names.length === 0) return accepted()
  const data = { patch: Object.fromEntries(changed), changed: names, at_ms, ...others }
  return accepted({ type: 'IntegrationUpdated', data })
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
  const refused: IntegrationEvent[] =
    counts && brokenReason === 'invalid_credentials' && !state.credentials_refused
      ? [{ type: 'IntegrationCredentialsRefused', data: {} }]
      : []
  if (counts && state.status !== 'broken' && (permanent || consecutive_failures >= failuresToBreak)) {
    const { last_success_ms } = state
    const data = { last_sync, reason: brokenReason, consecutive_failures, last_success_ms }
    return accepted({ type: 'IntegrationBroken', data }, ...refused)
  }
  return accepted({ type: 'IntegrationSynced', data: { last_sync, consecutive_failures } }, ...refused)
}

/** Instant from which on the syncs are delayed: no success within twice the schedule; null without one, when paused or told already. */
export function delayDueMs(state: IntegrationState): number | null {
  const everyMinutes = state.fields?.schedule?.every_minutes
  if (everyMinutes === undefined || state.delayed || !('report_delay' in integrationMachine[state.status])) return null
  return Math.max(state.last_success_ms ?? 0, state.expected_since_ms) + 2 * everyMinutes * 60_000
}

function reportDelay(state: IntegrationState, atMs: number): IntegrationDecision {
  const dueMs = delayDueMs(state)
  const every_minutes = state.fields?.schedule?.every_minutes
  if (dueMs === null || atMs < dueMs || every_minutes === undefined) return accepted()
  return accepted({ type: 'IntegrationDelayed', data: { last_success_ms: state.last_success_ms, every_minutes } })
}

/** Days before their end that credentials are told to end (domain.md 3.2). */
const endingMs = 7 * 86_400_000

/** Instant from which on the end of the credentials is told; null where none is stored, or it was told. */
export function expiryDueMs(state: IntegrationState): number | null {
  const expiresMs = state.credentials?.expires_ms ?? null
  return expiresMs === null || state.credentials_ending ? null : expiresMs - endingMs
}

function reportExpiry(state: IntegrationState, atMs: number): IntegrationDecision {
  const dueMs = expiryDueMs(state)
  if (dueMs === null || atMs < dueMs) return accepted()
  return accepted({ type: 'IntegrationCredentialsEnding', data: { expires_ms: dueMs + endingMs } })
}

function accepted(...events: IntegrationEvent[]): IntegrationDecision {
  return { accepted: true, events }
}

function refuse(status: IntegrationMachineState): IntegrationDecision {
  const allowed = Object.keys(integrationMachine[status]).filter((action) => !internalActions.has(action))
  return { accepted: false, rejection: { code: 'invalid_state', current_status: status, allowed } }
}
const internalActions: ReadonlySet<string> = new Set([
  ...['create', 'run_succeeded', 'run_failed', 'break', 'report_delay', 'report_expiry'],
])

/** The integration's decider (domain.md 3.2). */
export const integrationDecider: Decider<IntegrationState, IntegrationCommand, IntegrationEvent, InvalidState> = {
  initialState,
  evolve,
  decide,
}
