// Decides the life of a campaign (domain.md 3.4): drafted or made by a source's rows, active, paused, archived for good, with or without
// another one that it was merged into.
import type { Money } from '@wds/contracts/currencies'
import type { CampaignStatus } from '@wds/contracts/states'
import { accept, type Decider, type InvalidState, reject } from '@wds/decider/decider'
import { isSameJson } from '@wds/decider/same-json'

/** What was agreed with the brand; for checks and invoices. The commission figures of the source count. */
export interface Deal {
  type: 'cpa' | 'revshare' | 'hybrid' | 'flat' | 'none'
  cpa: Money | null
  /** Of 10,000. */
  revshare_bps: number | null
  baseline: { min_deposit: Money; wagering_x: number | null } | null
  negative_carryover: boolean
}

export interface CampaignFields {
  name: string
  tags: string[]
  metadata: Record<string, string>
  integration_id: string
  brand_slug: string
  /** How the source names it; unique within the integration, also after archiving. */
  external_id: string
  tracking_url: string | null
  landing_url: string | null
  deal: Deal
  countries: string[]
  /** Dates of the workspace, both inclusive. */
  starts: string | null
  ends: string | null
}

/** What a PATCH may change. */
export type CampaignPatch = Partial<Omit<CampaignFields, 'integration_id' | 'brand_slug' | 'external_id'>>

/** The machine: for each state the actions allowed and the state that each leads to; `as_asked`: draft or active. */
export const campaignMachine = {
  none: { create: 'as_asked' },
  draft: { update: 'draft', activate: 'active', archive: 'archived', merge: 'archived' },
  active: { update: 'active', pause: 'paused', archive: 'archived', merge: 'archived' },
  paused: { update: 'paused', resume: 'active', archive: 'archived', merge: 'archived' },
  archived: {},
} as const

export interface CampaignState {
  status: 'none' | CampaignStatus
  fields: CampaignFields | null
  /** The campaign that has taken it up, itself taken up by none; left out where there is none. */
  merged_into?: string
}
export type CampaignCommand =
  | { type: 'create'; fields: CampaignFields; status: 'draft' | 'active' }
  | { type: 'update'; patch: CampaignPatch }
  | { type: 'activate' | 'archive' }
  | { type: 'merge'; into: string }
  /** The one that had taken it up was itself merged. */
  | { type: 'follow'; into: string }
  /** With a rule: it did so. */
  | { type: 'pause' | 'resume'; rule_id?: string }
export type CampaignEvent =
  | { type: 'CampaignCreated'; data: { fields: CampaignFields; status: 'draft' | 'active' } }
  | { type: 'CampaignUpdated'; data: { patch: CampaignPatch; changed: string[] } }
  | { type: 'CampaignActivated' | 'CampaignArchived'; data: Record<never, never> }
  | { type: 'CampaignMerged'; data: { into: string } }
  | { type: 'CampaignPaused' | 'CampaignResumed'; data: { reason: 'user' } | { reason: 'rule'; rule_id: string } }

export const campaignDecider: Decider<CampaignState, CampaignCommand, CampaignEvent, InvalidState> = {
  initialState: { status: 'none', fields: null },
  evolve(state, event) {
    switch (event.type) {
      case 'CampaignCreated':
        return { status: event.data.status, fields: event.data.fields }
      case 'CampaignUpdated':
        return { ...state, fields: state.fields && { ...state.fields, ...event.data.patch } }
      case 'CampaignActivated':
      case 'CampaignResumed':
        return { ...state, status: 'active' }
      case 'CampaignPaused':
        return { ...state, status: 'paused' }
      case 'CampaignArchived':
        return { ...state, status: 'archived' }
      case 'CampaignMerged':
        return { ...state, merged_into: event.data.into }
    }
  },
  decide(state, command) {
    if (command.type === 'follow' && state.merged_into !== undefined)
      return accept({ type: 'CampaignMerged', data: { into: command.into } })
    const allowed = Object.keys(campaignMachine[state.status])
    if (!allowed.includes(command.type)) return reject({ code: 'invalid_state', current_status: state.status, allowed })
    switch (command.type) {
      case 'create':
        return accept({ type: 'CampaignCreated', data: { fields: command.fields, status: command.status } })
      case 'update':
        return update(state, command.patch)
      case 'activate':
        return accept({ type: 'CampaignActivated', data: {} })
      case 'pause':
        return accept({ type: 'CampaignPaused', data: causeOf(command) })
      case 'resume':
        return accept({ type: 'CampaignResumed', data: causeOf(command) })
      case 'archive':
        return accept({ type: 'CampaignArchived', data: {} })
      case 'merge':
        return accept<CampaignEvent>(
          { type: 'CampaignMerged', data: { into: command.into } },
          { type: 'CampaignArchived', data: {} },
        )
      case 'follow':
        throw new Error('no state allows it')
    }
  },
}

function causeOf({
  rule_id,
}: {
  rule_id?: string
}): Extract<CampaignEvent, { type: 'CampaignPaused' | 'CampaignResumed' }>['data'] {
  return rule_id === undefined ? { reason: 'user' } : { reason: 'rule', rule_id }
}

/** A change of nothing makes no event: the version stays. */
function update({ fields }: CampaignState, given: CampaignPatch) {
  const changes = Object.entries(given).filter(
    ([name, value]) => !isSameJson(value, fields?.[name as keyof CampaignFields]),
  )
  if (changes.length === 0) return accept<CampaignEvent>()
  const data = { patch: Object.fromEntries(changes), changed: changes.map(([name]) => name) }
  return accept<CampaignEvent>({ type: 'CampaignUpdated', data })
}
