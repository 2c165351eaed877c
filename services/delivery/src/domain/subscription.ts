// The decider of a webhook subscription: created, changed, disabled, enabled, deleted (domain.md 3.13).
// Its events hold a secret's hint and version only, never the secret or its ciphertext.

import { isEventPattern } from '@wds/contracts/event-types'
import type { DisabledReason } from '@wds/contracts/states'
import { accept, type Decider, reject } from '@wds/decider/decider'

/** What a client sets. */
export interface SubscriptionFields {
  /** Serialised, checked by the outbound address rule before it comes here. */
  url: string
  /** 1 to 100 exact types, `prefix.*` or `*`. */
  events: string[]
  description: string | null
  /** Custom headers, names in lower case. */
  headers: Record<string, string>
  /** Attempts per second, null: no limit. */
  rate_limit: number | null
  /** 1 to 64. */
  max_in_flight: number
}

/** Who made it; it outlives its maker (decisions.md 23). */
export interface SubscriptionOwner {
  type: 'user' | 'client' | 'api_key'
  id: string
}

/** What may be told of a secret: its last 4 characters and its version, from 1. */
export interface SecretMark {
  hint: string
  version: number
}

/** What its lane knew of a failing receiver when it was disabled; missing in the oldest events. */
export interface Failing {
  /** Since when every attempt failed, RFC 3339; null when the last one did not. */
  failing_since: string | null
  /** Deliveries with a failed attempt since then; 0 when it does not fail. */
  failed_deliveries: number
}

export type SubscriptionEvent =
  | { type: 'SubscriptionCreated'; data: SubscriptionFields & { owner: SubscriptionOwner; secret: SecretMark } }
  | { type: 'SubscriptionChanged'; data: Partial<SubscriptionFields> }
  | { type: 'SubscriptionDisabled'; data: { reason: DisabledReason } & Partial<Failing> }
  | { type: 'SubscriptionEnabled'; data: Record<string, never> }
  | { type: 'SubscriptionDeleted'; data: Record<string, never> }

export type SubscriptionCommand =
  | { type: 'CreateSubscription'; fields: SubscriptionFields; owner: SubscriptionOwner; secret: SecretMark }
  | { type: 'ChangeSubscription'; fields: Partial<SubscriptionFields> }
  | { type: 'DisableSubscription'; reason: DisabledReason; failing: Failing }
  /** `isEnding`: deliveries from before still wait for their end; enabled now they would come alive again (stack.md 7, rule 11). */
  | { type: 'EnableSubscription'; isEnding: boolean }
  | { type: 'DeleteSubscription' }

/** The state; `none` before it was created. */
export interface SubscriptionState {
  status: 'none' | 'enabled' | 'disabled' | 'deleted'
  disabledReason: DisabledReason | null
  fields: SubscriptionFields | null
  owner: SubscriptionOwner | null
  /** Newest first. */
  secrets: SecretMark[]
}

/** Why a command is refused; `at` is the index of the event pattern. */
export type SubscriptionRejection =
  | { code: 'not_found' }
  | { code: 'already_exists' }
  | { code: 'invalid_state'; current_status: 'enabled' | 'disabled'; allowed: ('enabled' | 'disabled')[] }
  | { code: 'unknown_event_type'; at: number }
  | { code: 'header_not_allowed'; name: string }
  | { code: 'out_of_range'; field: 'events' | 'max_in_flight' | 'rate_limit' }

/** Names a subscriber may set, in lower case: for routing and authentication at the receiver, none that HTTP, proxies or the signature need. */
const headerName = /^(?:authorization|x-[a-z0-9-]{1,60})$/
const reservedHeader = /^x-(?:service-|forwarded|real-ip$|http-method|method-override|b3-|amzn-|request-id$)/
const headersMax = 20
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

function create(
  state: SubscriptionState,
  command: Extract<SubscriptionCommand, { type: 'CreateSubscription' }>,
): Outcome {
  if (state.status !== 'none') return reject({ code: 'already_exists' })
  const fault = faultOf(command.fields)
  if (fault !== null) return reject(fault)
  return accept({
    type: 'SubscriptionCreated',
    data: { ...command.fields, owner: command.owner, secret: command.secret },
  })
}

function change(state: SubscriptionState, fields: Partial<SubscriptionFields>): Outcome {
  const fault = faultOf(fields)
  if (fault !== null) return reject(fault)
  const changed = changesOf(fields, state.fields)
  return Object.keys(changed).length === 0 ? accept() : accept({ type: 'SubscriptionChanged', data: changed })
}

function decide(state: SubscriptionState, command: SubscriptionCommand): Outcome {
  if (command.type === 'CreateSubscription') return create(state, command)
  if (state.status === 'none' || state.status === 'deleted') return reject({ code: 'not_found' })
  switch (command.type) {
    case 'ChangeSubscription':
      return change(state, command.fields)
    case 'DisableSubscription':
      if (state.status === 'disabled')
        return reject({ code: 'invalid_state', current_status: 'disabled', allowed: ['enabled'] })
      return accept({ type: 'SubscriptionDisabled', data: { reason: command.reason, ...command.failing } })
    case 'EnableSubscription':
      if (state.status === 'enabled')
        return reject({ code: 'invalid_state', current_status: 'enabled', allowed: ['disabled'] })
      if (command.isEnding) return reject({ code: 'invalid_state', current_status: 'disabled', allowed: [] })
      return accept({ type: 'SubscriptionEnabled', data: {} })
    case 'DeleteSubscription':
      return accept({ type: 'SubscriptionDeleted', data: {} })
  }
}

function evolve(state: SubscriptionState, event: SubscriptionEvent): SubscriptionState {
  switch (event.type) {
    case 'SubscriptionCreated': {
      const { owner, secret, ...fields } = event.data
      return { status: 'enabled', disabledReason: null, fields, owner, secrets: [secret] }
    }
    case 'SubscriptionChanged':
      return { ...state, fields: state.fields === null ? null : { ...state.fields, ...event.data } }
    case 'SubscriptionDisabled':
      return { ...state, status: 'disabled', disabledReason: event.data.reason }
    case 'SubscriptionEnabled':
      return { ...state, status: 'enabled', disabledReason: null }
    case 'SubscriptionDeleted':
      return { ...state, status: 'deleted', disabledReason: null }
    default:
      return state
  }
}

/** The subscription aggregate. */
export const subscription: Decider<SubscriptionState, SubscriptionCommand, SubscriptionEvent, SubscriptionRejection> = {
  initialState: { status: 'none', disabledReason: null, fields: null, owner: null, secrets: [] },
  decide,
  evolve,
}
