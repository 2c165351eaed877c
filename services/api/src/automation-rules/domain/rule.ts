// Decides the life of an automation rule: saved, enabled, disabled, deleted (domain.md 3.10). It never decides whether one fires.
import { accept, type Decider, type InvalidState, reject } from '@wds/decider/decider'
import { isSameJson } from '@wds/decider/same-json'
import type { Authority } from '../../authorities/domain/authority.ts'

export const subjectTypes = ['workspace', 'brand', 'integration', 'campaign', 'sub_affiliate'] as const
export type SubjectType = (typeof subjectTypes)[number]

export interface Condition {
  metric: string
  op: 'gt' | 'gte' | 'lt' | 'lte' | 'eq' | 'neq' | 'between' | 'changed_by_pct'
  /** Two numbers, both inclusive, for `between`; else one. Money in minor units of `currency`. */
  value: number | number[]
  /** Of money alone. */
  currency: string | null
}

export type ActionType =
  | 'notify_webhook'
  | 'pause_campaign'
  | 'resume_campaign'
  | 'trigger_sync'
  | 'hold_payout'
  | 'create_anomaly'
  | 'draft_invoices'
  | 'generate_invoices'

/** `severity`: of `create_anomaly` alone, which has one. */
export interface RuleAction {
  type: ActionType
  severity?: 'low' | 'medium' | 'high'
}

export type Trigger =
  | { type: 'schedule'; every_minutes: number }
  | { type: 'event'; event_type: string }
  /** Null: of any metric. */
  | { type: 'anomaly'; metric: string | null }

export interface RuleFields {
  name: string
  trigger: Trigger
  subject_type: SubjectType
  /** What it looks at; empty: all. */
  scope: { brand_slugs: string[]; campaign_ids: string[]; integration_ids: string[] }
  /** `today`, `yesterday`, or `last_7d`: the seven days that ended yesterday. */
  window: string
  final_days_only: boolean
  conditions: Condition[]
  /** By metric, counts alone. */
  min_sample: Record<string, number>
  actions: RuleAction[]
  cooldown_minutes: number
  max_fires_per_day: number
  dry_run: boolean
}

export const disabledReasons = ['user', 'loop_detected', 'authorization_revoked', 'too_many_failures'] as const
export type DisabledReason = (typeof disabledReasons)[number]

/** The machine: for each state the actions allowed and the state that each leads to; `as_asked`: enabled or disabled. */
export const ruleMachine = {
  none: { create: 'as_asked' },
  enabled: { update: 'enabled', disable: 'disabled', delete: 'deleted' },
  disabled: { update: 'disabled', enable: 'enabled', delete: 'deleted' },
  deleted: {},
} as const

export interface RuleState {
  status: keyof typeof ruleMachine
  fields: RuleFields | null
  authority: Authority | null
  disabled_reason: DisabledReason | null
  /** Of its stream: `automation.updated` names it. */
  version: number
}

export type RuleCommand =
  | { type: 'create'; fields: RuleFields; authority: Authority; enabled: boolean }
  | { type: 'update'; patch: Partial<RuleFields>; authority: Authority }
  | { type: 'enable'; authority: Authority }
  | { type: 'disable'; reason: DisabledReason }
  | { type: 'delete' }
export type RuleEvent =
  | { type: 'RuleCreated'; data: { fields: RuleFields; authority: Authority; enabled: boolean } }
  | { type: 'RuleUpdated'; data: { patch: Partial<RuleFields>; changed: string[]; authority: Authority } }
  | { type: 'RuleEnabled'; data: { authority: Authority } }
  | { type: 'RuleDisabled'; data: { reason: DisabledReason } }
  | { type: 'RuleDeleted'; data: Record<never, never> }

export const ruleDecider: Decider<RuleState, RuleCommand, RuleEvent, InvalidState> = {
  initialState: { status: 'none', fields: null, authority: null, disabled_reason: null, version: 0 },
  evolve(before, event) {
    const state = { ...before, version: before.version + 1 }
    switch (event.type) {
      case 'RuleCreated': {
        const { fields, authority, enabled } = event.data
        const status = enabled ? 'enabled' : 'disabled'
        return { ...state, status, fields, authority, disabled_reason: enabled ? null : 'user' }
      }
      case 'RuleUpdated': {
        const { patch, authority } = event.data
        return { ...state, authority, fields: state.fields && { ...state.fields, ...patch } }
      }
      case 'RuleEnabled':
        return { ...state, status: 'enabled', authority: event.data.authority, disabled_reason: null }
      case 'RuleDisabled':
        return { ...state, status: 'disabled', disabled_reason: event.data.reason }
      case 'RuleDeleted':
        return { ...state, status: 'deleted' }
    }
  },
  decide(state, command) {
    const allowed = Object.keys(ruleMachine[state.status])
    if (!allowed.includes(command.type)) return reject({ code: 'invalid_state', current_status: state.status, allowed })
    switch (command.type) {
      case 'create': {
        const { fields, authority, enabled } = command
        return accept({ type: 'RuleCreated', data: { fields, authority, enabled } })
      }
      case 'update':
        return update(state, command)
      case 'enable':
        return accept({ type: 'RuleEnabled', data: { authority: command.authority } })
      case 'disable':
        return accept({ type: 'RuleDisabled', data: { reason: command.reason } })
      case 'delete':
        return accept({ type: 'RuleDeleted', data: {} })
    }
  },
}

/** A change of nothing makes no event: the version stays, and so does who saved it. */
function update({ fields }: RuleState, { patch: given, authority }: Extract<RuleCommand, { type: 'update' }>) {
  const changes = Object.entries(given).filter(
    ([name, value]) => !isSameJson(value, fields?.[name as keyof RuleFields]),
  )
  if (changes.length === 0) return accept<RuleEvent>()
  const data = { patch: Object.fromEntries(changes), changed: changes.map(([name]) => name), authority }
  return accept<RuleEvent>({ type: 'RuleUpdated', data })
}
