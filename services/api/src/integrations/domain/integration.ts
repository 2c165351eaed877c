// Decides the life of an integration: decide and evolve over the machine of domain.md 3.2. What the ends of its runs say of it is decided
// by its health.

import { withoutUndefined } from '@wds/contracts/without-undefined'
import type { Decider, Decision, InvalidState } from '@wds/decider/decider'
import { isSameJson } from '@wds/decider/same-json'
import type { CredentialsMark, IntegrationFields, IntegrationPatch } from './integration-fields.ts'
import { type IntegrationMachineState, integrationMachine, type Live } from './integration-machine.ts'
import { evolveHealth, type HealthCommand, type HealthEvent, judgeHealth, type SyncHealth } from './sync-health.ts'

export interface IntegrationState extends SyncHealth {
  before_pause: Live | null
  /** Left out of states that were stored before there were any. */
  credentials?: CredentialsMark | null
  /** That they end soon was told of; until there are other ones. */
  credentials_ending?: boolean
}

export type IntegrationCommand =
  | { type: 'create'; fields: IntegrationFields; credentials?: CredentialsMark | null; atMs: number }
  | { type: 'update'; patch: IntegrationPatch; credentials?: CredentialsMark | null; atMs: number }
  | { type: 'pause' }
  | { type: 'resume'; atMs: number }
  | { type: 'delete' }
  | { type: 'report_expiry'; atMs: number }
  | HealthCommand

export type IntegrationEvent =
  | { type: 'IntegrationCreated'; data: { fields: IntegrationFields; at_ms: number } & WithCredentials }
  | {
      type: 'IntegrationUpdated'
      data: { patch: IntegrationPatch; changed: string[]; at_ms: number } & WithCredentials
    }
  | { type: 'IntegrationPaused'; data: { reason: 'user' } }
  | { type: 'IntegrationResumed'; data: { status: Live; at_ms: number } }
  | { type: 'IntegrationDeleted'; data: Record<never, never> }
  | { type: 'IntegrationCredentialsEnding'; data: { expires_ms: number } }
  | HealthEvent
/** Left out where they stay as they are. */
interface WithCredentials {
  credentials?: CredentialsMark | null
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
    case 'IntegrationCredentialsEnding':
      return { ...state, credentials_ending: true }
    default:
      return evolveHealth(state, event)
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
    case 'report_expiry':
      return reportExpiry(state, command.atMs)
    default:
      return accepted(...judgeHealth(state, command))
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
