// Decides the life of a sub-affiliate (domain.md 3.8): invited, active, suspended, removed for good. No event holds personal data: name,
// e-mail address and payout details stand beside the stream.

import type { Money } from '@wds/contracts/currencies'
import type { SubAffiliateStatus } from '@wds/contracts/states'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { accept, type Decider, type InvalidState, reject } from '@wds/decider/decider'
import { isSameJson } from '@wds/decider/same-json'
import { monthAfter } from '../../ledger/domain/month.ts'

/** The plan from a day of the workspace on, until the next one begins. */
export interface PlanFrom {
  plan_id: string
  effective_from: string
}

export interface SubAffiliateFields {
  /** How rows name it, their sub-id. Unique in the workspace, also after it was removed. */
  external_id: string | null
  country: string | null
  time_zone: string
  payout_currency: string
  /** In the payout currency. */
  minimum_payout: Money
  metadata: Record<string, string>
  /** By day, rising. */
  plan_history: PlanFrom[]
}

/** What a PATCH may change of the stream. */
export type SubAffiliatePatch = Partial<Omit<SubAffiliateFields, 'plan_history'>>

export type SuspendReason = 'fraud_review' | 'inactivity' | 'request' | 'other'
export type RemoveReason = 'left' | 'terminated' | 'other'

export interface SubAffiliateState {
  status: 'none' | SubAffiliateStatus
  fields: SubAffiliateFields | null
  /** Of the invitation that is open. */
  expires_ms: number | null
  joined_ms: number | null
  removed_ms: number | null
}

export type SubAffiliateCommand =
  /** `expiresMs`: of its invitation; null where it is active at once. */
  | { type: 'create'; fields: SubAffiliateFields; expiresMs: number | null; atMs: number }
  /** `beside`: what changes of that which stands beside the stream, by name. */
  | { type: 'update'; patch: SubAffiliatePatch; beside: string[] }
  /** `closedMonths`: those behind the month of its day, rising. */
  | { type: 'change_plan'; plan: PlanFrom; closedMonths: readonly string[] }
  | { type: 'invite'; expiresMs: number }
  | { type: 'accept'; atMs: number }
  | { type: 'expire' }
  | { type: 'suspend'; reason: SuspendReason }
  | { type: 'reactivate' }
  | { type: 'remove'; reason: RemoveReason; atMs: number }

type Nothing = Record<never, never>
export type SubAffiliateEvent =
  | { type: 'SubAffiliateInvited'; data: { fields: SubAffiliateFields; expires_ms: number } }
  | { type: 'SubAffiliateAdded'; data: { fields: SubAffiliateFields; at_ms: number } }
  | { type: 'SubAffiliateInvitedAgain'; data: { expires_ms: number } }
  | { type: 'SubAffiliateJoined'; data: { at_ms: number } }
  | { type: 'InvitationExpired'; data: Nothing }
  | { type: 'SubAffiliateUpdated'; data: { patch: SubAffiliatePatch; changed: string[] } }
  /** `later`: what begins behind it; not there where nothing does. */
  | { type: 'PlanChanged'; data: { plan: PlanFrom; previous_plan_id: string; later?: PlanFrom[] } }
  | { type: 'SubAffiliateSuspended'; data: { reason: SuspendReason } }
  | { type: 'SubAffiliateReactivated'; data: Nothing }
  | { type: 'SubAffiliateRemoved'; data: { reason: RemoveReason; at_ms: number } }

/** For each state the actions allowed. */
export const subAffiliateMachine = {
  none: ['create'],
  invited: ['accept', 'expire', 'invite', 'update', 'change_plan', 'remove'],
  expired: ['invite', 'update', 'change_plan', 'remove'],
  active: ['suspend', 'update', 'change_plan', 'remove'],
  suspended: ['reactivate', 'update', 'change_plan', 'remove'],
  removed: [],
} as const satisfies Record<SubAffiliateState['status'], readonly SubAffiliateCommand['type'][]>

/** Actions that are no one's to ask for with a token of the API. */
const internal: readonly string[] = ['accept', 'expire']

/** What people may ask for now. */
export function allowedActions({ status }: SubAffiliateState): string[] {
  return subAffiliateMachine[status].filter((action) => !internal.includes(action))
}

export const subAffiliateDecider: Decider<SubAffiliateState, SubAffiliateCommand, SubAffiliateEvent, InvalidState> = {
  initialState: { status: 'none', fields: null, expires_ms: null, joined_ms: null, removed_ms: null },
  evolve(state, event) {
    switch (event.type) {
      case 'SubAffiliateInvited':
        return { ...state, status: 'invited', fields: event.data.fields, expires_ms: event.data.expires_ms }
      case 'SubAffiliateAdded':
        return { ...state, status: 'active', fields: event.data.fields, joined_ms: event.data.at_ms }
      case 'SubAffiliateInvitedAgain':
        return { ...state, status: 'invited', expires_ms: event.data.expires_ms }
      case 'SubAffiliateJoined':
        return { ...state, status: 'active', expires_ms: null, joined_ms: event.data.at_ms }
      case 'InvitationExpired':
        return { ...state, status: 'expired', expires_ms: null }
      case 'SubAffiliateUpdated':
        return { ...state, fields: state.fields && { ...state.fields, ...event.data.patch } }
      case 'PlanChanged':
        return { ...state, fields: state.fields && withPlans(state.fields, event.data) }
      case 'SubAffiliateSuspended':
        return { ...state, status: 'suspended' }
      case 'SubAffiliateReactivated':
        return { ...state, status: 'active' }
      case 'SubAffiliateRemoved':
        return { ...state, status: 'removed', expires_ms: null, removed_ms: event.data.at_ms }
    }
  },
  decide(state, command) {
    const machine: readonly string[] = subAffiliateMachine[state.status]
    if (!machine.includes(command.type))
      return reject({ code: 'invalid_state', current_status: state.status, allowed: allowedActions(state) })
    switch (command.type) {
      case 'create': {
        const { fields, expiresMs: expires_ms, atMs: at_ms } = command
        return expires_ms === null
          ? accept<SubAffiliateEvent>({ type: 'SubAffiliateAdded', data: { fields, at_ms } })
          : accept<SubAffiliateEvent>({ type: 'SubAffiliateInvited', data: { fields, expires_ms } })
      }
      case 'update':
        return update(state, command)
      case 'change_plan':
        return changePlan(state, command)
      case 'invite':
        return accept({ type: 'SubAffiliateInvitedAgain', data: { expires_ms: command.expiresMs } })
      case 'accept':
        return accept({ type: 'SubAffiliateJoined', data: { at_ms: command.atMs } })
      case 'expire':
        return accept({ type: 'InvitationExpired', data: {} })
      case 'suspend':
        return accept({ type: 'SubAffiliateSuspended', data: { reason: command.reason } })
      case 'reactivate':
        return accept({ type: 'SubAffiliateReactivated', data: {} })
      case 'remove':
        return accept({ type: 'SubAffiliateRemoved', data: { reason: command.reason, at_ms: command.atMs } })
    }
  },
}

/** The plan that was assigned last. */
export function planOf({ plan_history }: SubAffiliateFields): string {
  const last = plan_history.at(-1)
  if (last === undefined) throw new Error('a sub-affiliate without a plan')
  return last.plan_id
}

/** The plan that holds on a day; null before the first one. */
export function planOn({ plan_history }: Pick<SubAffiliateFields, 'plan_history'>, day: string): PlanFrom | null {
  return plan_history.findLast(({ effective_from }) => effective_from <= day) ?? null
}

/**
 * The plans by day once one begins: those that would have begun on its day or later are not to begin any more. Days of closed months keep
 * the plan that they were closed with (decision 90); where they had none, they have this one.
 */
export function plansWith(plans: readonly PlanFrom[], plan: PlanFrom, closedMonths: readonly string[]): PlanFrom[] {
  const changed = [...plans.filter(({ effective_from }) => effective_from < plan.effective_from), plan]
  const begin = (one: PlanFrom) => changed.at(-1)?.plan_id !== one.plan_id && changed.push(one)
  for (const month of closedMonths) {
    const first = `${month}-01`
    const held = planOn({ plan_history: [...plans] }, first)
    if (held !== null) begin({ ...held, effective_from: first })
    for (const one of plans) if (one.effective_from > first && one.effective_from.startsWith(month)) begin(one)
    const next = monthAfter(month)
    if (!closedMonths.includes(next)) begin({ ...plan, effective_from: `${next}-01` })
  }
  return changed
}

/** A change of nothing makes no event: the version stays. */
function update({ fields }: SubAffiliateState, o: { patch: SubAffiliatePatch; beside: string[] }) {
  const changes = Object.entries(o.patch).filter(
    ([name, value]) => !isSameJson(value, fields?.[name as keyof SubAffiliateFields]),
  )
  const changed = [...changes.map(([name]) => name), ...o.beside]
  if (changed.length === 0) return accept<SubAffiliateEvent>()
  return accept<SubAffiliateEvent>({
    type: 'SubAffiliateUpdated',
    data: { patch: Object.fromEntries(changes), changed },
  })
}

function withPlans(fields: SubAffiliateFields, { plan, later = [] }: { plan: PlanFrom; later?: PlanFrom[] }) {
  return { ...fields, plan_history: [...plansWith(fields.plan_history, plan, []), ...later] }
}

function changePlan({ fields }: SubAffiliateState, o: { plan: PlanFrom; closedMonths: readonly string[] }) {
  if (fields === null) throw new Error('a sub-affiliate without fields')
  const { plan } = o
  const plans = plansWith(fields.plan_history, plan, o.closedMonths)
  if (isSameJson(plans, fields.plan_history)) return accept<SubAffiliateEvent>()
  const later = plans.slice(plans.indexOf(plan) + 1)
  return accept<SubAffiliateEvent>({
    type: 'PlanChanged',
    data: withoutUndefined({ plan, previous_plan_id: planOf(fields), later: later.length > 0 ? later : undefined }),
  })
}
