// The decider of a webhook subscription: created, changed, its secret rotated, tested, disabled, enabled, deleted (domain.md 3.13).
// Its events hold a secret's hint and version only, never the secret or its ciphertext.

import type { PublicEvent } from '@wds/contracts/envelope'
import { type EventType, isEventPattern } from '@wds/contracts/event-types'
import type { Scope } from '@wds/contracts/scopes'
import type { DisabledReason } from '@wds/contracts/states'
import { accept, type Decider, reject } from '@wds/decider/decider'
import type { Failing } from '../../lanes/domain/lane.ts'
import { faultsOfFilter, type PayloadFilter } from './payload-filter.ts'

/** What a client sets. */
export interface SubscriptionFields {
  /** Serialised, checked by the outbound address rule before it comes here. */
  url: string
  /** 1 to 100 exact types, `prefix.*` or `*`. */
  events: string[]
  description: string | null
  /** Custom headers, names in lower case. */
  headers: Record<string, string>
  /** Which events are delivered, null: all. */
  filter: PayloadFilter | null
  /** Attempts per second, null: no limit. */
  rate_limit: number | null
  /** 1 to 64. */
  max_in_flight: number
}

/** Who made it. Of a key it belongs to the workspace and outlives it (settled-points.md 23); of an app it ends with the grant. */
export interface SubscriptionOwner {
  type: 'user' | 'client' | 'api_key'
  id: string
  /** `grt_…` of an app; not shown. */
  grant?: string
}

/** What may be told of a secret: its last 4 characters and its version, from 1. */
export interface SecretMark {
  hint: string
  version: number
}

/** `scopes`: those of whoever saved it last, which say what it may be sent in a workspace with `strict_event_scopes`. */
interface Saved {
  scopes: Scope[]
}

export type SubscriptionEvent =
  | { type: 'SubscriptionCreated'; data: SubscriptionFields & Saved & { owner: SubscriptionOwner; secret: SecretMark } }
  | { type: 'SubscriptionChanged'; data: Partial<SubscriptionFields & Saved> }
  /** `previous_expires`: end of the overlap. */
  | { type: 'SecretRotated'; data: { secret: SecretMark; previous_expires: string } }
  /** A test was sent: an example of the type, to this subscription only. */
  | {
      type: 'SubscriptionTested'
      data: { requested_by: SubscriptionOwner['type']; event_id: string; event_type: EventType }
    }
  | { type: 'SubscriptionDisabled'; data: { reason: DisabledReason } & Failing }
  | { type: 'SubscriptionEnabled'; data: Record<string, never> }
  | { type: 'SubscriptionDeleted'; data: Record<string, never> }

export type SubscriptionCommand =
  | {
      type: 'create'
      fields: SubscriptionFields
      owner: SubscriptionOwner
      secret: SecretMark
      scopes: Scope[]
    }
  | { type: 'update'; fields: Partial<SubscriptionFields>; scopes: Scope[] }
  /** The grant of its app lost scopes: these are left. */
  | { type: 'limit_scopes'; scopes: Scope[] }
  | { type: 'rotate_secret'; secret: SecretMark; previousExpires: string }
  | { type: 'test'; requestedBy: SubscriptionOwner['type']; eventId: string; eventType: EventType }
  | { type: 'disable'; reason: DisabledReason; failing: Failing }
  /** `isEnding`: deliveries from before still wait for their end; enabled now they would come alive again (stack.md 7.11). */
  | { type: 'enable'; isEnding: boolean }
  | { type: 'delete' }

/** The state; `none` before it was created. */
export interface SubscriptionState {
  status: 'none' | 'enabled' | 'disabled' | 'deleted'
  disabledReason: DisabledReason | null
  fields: SubscriptionFields | null
  owner: SubscriptionOwner | null
  /** Newest first, at most as many as can be live. */
  secrets: SecretMark[]
  /** Of whoever saved it last; left out where that is not known. */
  scopes?: Scope[]
}

/** Why a command is refused; `at` is the index of the event pattern. */
export type SubscriptionRejection =
  | { code: 'not_found' }
  | { code: 'already_exists' }
  | { code: 'invalid_state'; current_status: 'enabled' | 'disabled'; allowed: ('enable' | 'disable')[] }
  | { code: 'webhook_disabled' }
  | { code: 'unknown_event_type'; at: number }
  | { code: 'invalid_filter'; at: string }
  | { code: 'header_not_allowed'; name: string }
  | { code: 'out_of_range'; field: 'events' | 'max_in_flight' | 'rate_limit' }

/** Names a subscriber may set, in lower case: for routing and authentication at the receiver, none that HTTP, proxies or the signature need. */
const headerName = /^(?:authorization|x-[a-z0-9-]{1,60})$/
const reservedHeader = /^x-(?:service-|forwarded|real-ip$|http-method|method-override|b3-|amzn-|request-id$)/
const headersMax = 20
/** As many as `webhook-signature` signs with (reliability.md F50). */
export const signaturesMax = 32
const headerValueMax = 1_000

/** What is wrong with a custom header, null when nothing is. */
export function headerFaultOf(name: string, value: string): 'name' | 'length' | 'characters' | null {
  if (!headerName.test(name) || reservedHeader.test(name)) return 'name'
  if (value.length > headerValueMax) return 'length'
  return /^[\x20-\x7e]*$/.test(value) ? null : 'characters'
}

function headerFault(headers: Record<string, string>): SubscriptionRejection | null {
  const entries = Object.entries(headers)
  const wrong = entries.find(([name, value], i) => i >= headersMax || headerFaultOf(name, value) !== null)
  return wrong === undefined ? null : { code: 'header_not_allowed', name: wrong[0].slice(0, 100) }
}

function faultOf(fields: Partial<SubscriptionFields>): SubscriptionRejection | null {
  if (fields.events !== undefined) {
    if (fields.events.length < 1 || fields.events.length > 100) return { code: 'out_of_range', field: 'events' }
    const at = fields.events.findIndex((pattern) => !isEventPattern(pattern))
    if (at >= 0) return { code: 'unknown_event_type', at }
  }
  const max = fields.max_in_flight
  if (max !== undefined && (!Number.isInteger(max) || max < 1 || max > 64))
    return { code: 'out_of_range', field: 'max_in_flight' }
  const rate = fields.rate_limit
  if (rate !== undefined && rate !== null && (!Number.isInteger(rate) || rate < 1))
    return { code: 'out_of_range', field: 'rate_limit' }
  const [filterFault] = fields.filter ? faultsOfFilter(fields.filter) : []
  if (filterFault !== undefined) return { code: 'invalid_filter', at: filterFault.at }
  return fields.headers === undefined ? null : headerFault(fields.headers)
}

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort())
      : part,
  )

/** The fields that really differ: a change of nothing emits nothing (domain.md 2, Version). */
function changesOf(
  fields: Partial<SubscriptionFields>,
  present: SubscriptionFields | null,
): Partial<SubscriptionFields> {
  const changed = Object.entries(fields).filter(
    ([name, value]) =>
      value !== undefined && canonical(value) !== canonical(present?.[name as keyof SubscriptionFields]),
  )
  return Object.fromEntries(changed)
}

type Outcome = ReturnType<typeof accept<SubscriptionEvent>> | ReturnType<typeof reject<SubscriptionRejection>>

function create(state: SubscriptionState, command: Extract<SubscriptionCommand, { type: 'create' }>): Outcome {
  if (state.status !== 'none') return reject({ code: 'already_exists' })
  const fault = faultOf(command.fields)
  if (fault !== null) return reject(fault)
  return accept({
    type: 'SubscriptionCreated',
    data: { ...command.fields, owner: command.owner, secret: command.secret, scopes: command.scopes },
  })
}

function change(
  state: SubscriptionState,
  { fields, scopes }: Extract<SubscriptionCommand, { type: 'update' }>,
): Outcome {
  const fault = faultOf(fields)
  if (fault !== null) return reject(fault)
  const changed = changesOf(fields, state.fields)
  if (Object.keys(changed).length === 0) return accept()
  const saved = canonical(scopes) === canonical(state.scopes) ? {} : { scopes }
  return accept({ type: 'SubscriptionChanged', data: { ...changed, ...saved } })
}

function rotate(
  state: SubscriptionState,
  { secret, previousExpires }: Extract<SubscriptionCommand, { type: 'rotate_secret' }>,
): Outcome {
  if (secret.version !== (state.secrets[0]?.version ?? 0) + 1) throw new Error('secrets are numbered without a gap')
  return accept({ type: 'SecretRotated', data: { secret, previous_expires: previousExpires } })
}

function decide(state: SubscriptionState, command: SubscriptionCommand): Outcome {
  if (command.type === 'create') return create(state, command)
  if (state.status === 'none' || state.status === 'deleted') return reject({ code: 'not_found' })
  switch (command.type) {
    case 'update':
      return change(state, command)
    case 'limit_scopes': {
      const left = state.scopes?.filter((scope) => command.scopes.includes(scope)) ?? []
      return left.length === state.scopes?.length
        ? accept()
        : accept({ type: 'SubscriptionChanged', data: { scopes: left } })
    }
    case 'rotate_secret':
      return rotate(state, command)
    case 'test': {
      if (state.status === 'disabled') return reject({ code: 'webhook_disabled' })
      const { requestedBy, eventId, eventType } = command
      const data = { requested_by: requestedBy, event_id: eventId, event_type: eventType }
      return accept({ type: 'SubscriptionTested', data })
    }
    case 'disable':
      if (state.status === 'disabled')
        return reject({ code: 'invalid_state', current_status: 'disabled', allowed: ['enable'] })
      return accept({ type: 'SubscriptionDisabled', data: { reason: command.reason, ...command.failing } })
    case 'enable':
      if (state.status === 'enabled')
        return reject({ code: 'invalid_state', current_status: 'enabled', allowed: ['disable'] })
      if (command.isEnding) return reject({ code: 'invalid_state', current_status: 'disabled', allowed: [] })
      return accept({ type: 'SubscriptionEnabled', data: {} })
    case 'delete':
      return accept({ type: 'SubscriptionDeleted', data: {} })
  }
}

function evolve(state: SubscriptionState, event: SubscriptionEvent): SubscriptionState {
  switch (event.type) {
    case 'SubscriptionCreated': {
      const { owner, secret, scopes, ...fields } = event.data
      return { status: 'enabled', disabledReason: null, fields, owner, secrets: [secret], scopes }
    }
    case 'SubscriptionChanged': {
      const { scopes = state.scopes, ...fields } = event.data
      const changed = { ...state, fields: state.fields === null ? null : { ...state.fields, ...fields } }
      return scopes === undefined ? changed : { ...changed, scopes }
    }
    case 'SecretRotated':
      return { ...state, secrets: [event.data.secret, ...state.secrets].slice(0, signaturesMax) }
    case 'SubscriptionDisabled':
      return { ...state, status: 'disabled', disabledReason: event.data.reason }
    case 'SubscriptionEnabled':
      return { ...state, status: 'enabled', disabledReason: null }
    case 'SubscriptionDeleted':
      return { ...state, status: 'deleted', disabledReason: null }
    case 'SubscriptionTested':
      return state
  }
}

/** The subscription aggregate. */
export const subscription: Decider<SubscriptionState, SubscriptionCommand, SubscriptionEvent, SubscriptionRejection> = {
  initialState: { status: 'none', disabledReason: null, fields: null, owner: null, secrets: [] },
  decide,
  evolve,
}

/** webhook.disabled, enabled, secret_rotated and tested (domain.md 5.53 to 5.57); made of the event alone, so that `republish` can repeat them. */
export function publicEvent(id: string, event: SubscriptionEvent): PublicEvent | null {
  if (event.type === 'SubscriptionDisabled') {
    const { reason, failing_since, failed_deliveries } = event.data
    const data = { webhook_id: id, reason, failing_since, failed_deliveries }
    return { type: 'webhook.disabled', data, onceKey: null }
  }
  if (event.type === 'SubscriptionEnabled') return { type: 'webhook.enabled', data: { webhook_id: id }, onceKey: null }
  if (event.type === 'SecretRotated') {
    const data = { webhook_id: id, previous_expires: event.data.previous_expires }
    return { type: 'webhook.secret_rotated', data, onceKey: null }
  }
  if (event.type === 'SubscriptionTested') {
    const data = { webhook_id: id, requested_by: event.data.requested_by }
    return { type: 'webhook.tested', data, onceKey: null }
  }
  return null
}
