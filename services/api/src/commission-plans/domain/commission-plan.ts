// Decides the life of a commission plan (domain.md 3.8): made once, its terms never change, its name may.
import type { Money } from '@wds/contracts/currencies'
import { accept, type Decider, type InvalidState, reject } from '@wds/decider/decider'

export interface Tier {
  /** Qualified FTDs of the month from which it holds. */
  from_ftds: number
  revshare_bps: number
}

export interface PlanTerms {
  type: 'cpa' | 'revshare' | 'hybrid' | 'tiered'
  /** For each qualified FTD. */
  cpa: Money | null
  /** Of 10,000 of the base. */
  revshare_bps: number | null
  /** Rising. */
  tiers: Tier[]
  base: 'commission' | 'ngr'
  /** Of a month, in the currency of the payouts. */
  cap: Money | null
  /** A negative month counts against the next one; else it is brought to 0. */
  negative_carryover: boolean
}

export interface PlanFields extends PlanTerms {
  name: string
}

export interface PlanState {
  status: 'none' | 'active'
  fields: PlanFields | null
}
export type PlanCommand = { type: 'create'; fields: PlanFields } | { type: 'rename'; name: string }
export type PlanEvent =
  | { type: 'CommissionPlanCreated'; data: { fields: PlanFields } }
  | { type: 'CommissionPlanRenamed'; data: { name: string } }

const machine = { none: ['create'], active: ['rename'] } as const

export const planDecider: Decider<PlanState, PlanCommand, PlanEvent, InvalidState> = {
  initialState: { status: 'none', fields: null },
  evolve(state, event) {
    switch (event.type) {
      case 'CommissionPlanCreated':
        return { status: 'active', fields: event.data.fields }
      case 'CommissionPlanRenamed':
        return { ...state, fields: state.fields && { ...state.fields, name: event.data.name } }
    }
  },
  decide(state, command) {
    const allowed: readonly string[] = machine[state.status]
    if (!allowed.includes(command.type))
      return reject({ code: 'invalid_state', current_status: state.status, allowed: [...allowed] })
    if (command.type === 'create')
      return accept<PlanEvent>({ type: 'CommissionPlanCreated', data: { fields: command.fields } })
    // A change of nothing makes no event: the version stays.
    if (command.name === state.fields?.name) return accept<PlanEvent>()
    return accept<PlanEvent>({ type: 'CommissionPlanRenamed', data: { name: command.name } })
  },
}
