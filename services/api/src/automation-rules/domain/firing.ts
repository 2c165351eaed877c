// Decides what is kept of a firing, and when a rule must not fire (domain.md 9.4, 9.7, 9.8). A firing is told once, whole.
import type { FiringStatus } from '@wds/contracts/states'
import { accept, type Decider, type InvalidState, reject } from '@wds/decider/decider'
import type { Billed } from '../../invoices/domain/billed.ts'
import type { Evidence } from './judge-conditions.ts'
import type { ActionType, RuleFields, SubjectType } from './rule.ts'

export interface ActionOutcome {
  type: ActionType
  status: 'succeeded' | 'skipped' | 'failed'
  error_code: string | null
}

export interface Firing {
  rule_id: string
  rule_version: number
  rule_name: string
  trigger_type: RuleFields['trigger']['type']
  /** At most one firing of the rule has it. */
  evaluation_key: string
  subject_type: SubjectType
  subject_id: string
  brand_slug: string | null
  evidence: Evidence[]
  /** What was done; empty where nothing was. */
  actions: ActionOutcome[]
  action_types: ActionType[]
  status: FiringStatus
}

/** A firing that goes over more than one turn: what it has done in those before. It is kept once it is over. */
export interface Begun {
  /** Its actions: those that are over. */
  firing: Omit<Firing, 'status'>
  /** Of one of them that failed, that some of it was done. */
  is_partial: boolean
  /** Of the action that is not over. */
  billed: Billed
}

export interface FiringState {
  status: 'none' | FiringStatus
  firing: Firing | null
}
export interface FiringCommand {
  type: 'record'
  firing: Firing
}
export type FiringEvent =
  | { type: 'FiringActionFailed'; data: { at: number; type: ActionType; error_code: string } }
  | { type: 'FiringRecorded'; data: { firing: Firing } }

export const firingDecider: Decider<FiringState, FiringCommand, FiringEvent, InvalidState> = {
  initialState: { status: 'none', firing: null },
  evolve(state, event) {
    switch (event.type) {
      case 'FiringActionFailed':
        return state
      case 'FiringRecorded': {
        const { firing } = event.data
        return { status: firing.status, firing }
      }
    }
  },
  decide({ status }, { firing }) {
    if (status !== 'none') return reject({ code: 'invalid_state', current_status: status, allowed: [] })
    const failed = firing.actions.flatMap(({ type, error_code }, at): FiringEvent[] =>
      error_code === null ? [] : [{ type: 'FiringActionFailed', data: { at, type, error_code } }],
    )
    return accept<FiringEvent>(...failed, { type: 'FiringRecorded', data: { firing } })
  },
}

/** What the outcomes of its actions make of a firing. `isPartial`: one that failed has done some of what it was to do. */
export function statusOf(
  actions: readonly ActionOutcome[],
  { isPartial }: { isPartial: boolean },
): 'succeeded' | 'partially_failed' | 'failed' {
  const failed = actions.filter(({ status }) => status === 'failed').length
  if (failed === 0) return 'succeeded'
  return failed === actions.length && !isPartial ? 'failed' : 'partially_failed'
}

/** Rules that a change may come through. One more would go on for ever where rules trigger each other. */
const depthMax = 2

/** Firings in a row that failed, until a rule is disabled. */
export const failuresMax = 5

/** What a rule has done: of its firings that were not suppressed. */
export interface History {
  /** When it fired last for the subject, epoch milliseconds. */
  lastMs: number | null
  /** In the workspace's day. */
  firedToday: number
  /** Whether one for the subject was suppressed since then, or ever: that is noted once. */
  isSuppressionKnown: boolean
}

/** Whether the rule fires, is held back, or is held back again, which nobody needs to be told. */
export function brakeOf(fields: RuleFields, history: History, nowMs: number): 'none' | 'suppressed' | 'known' {
  const rests = history.lastMs !== null && nowMs - history.lastMs < fields.cooldown_minutes * 60_000
  if (!rests && history.firedToday < fields.max_fires_per_day) return 'none'
  return history.isSuppressionKnown ? 'known' : 'suppressed'
}

/**
 * What becomes of an evaluation whose numbers are met. `depth`: rules that what triggered it came through. The loop guard comes first, also
 * where the rule rests: two rules that trigger each other are found at once, and not some day when neither does (decision 80).
 */
export function courseOf(o: {
  fields: RuleFields
  brake: ReturnType<typeof brakeOf>
  depth: number
  mayAct: boolean
}): 'nothing' | 'suppressed' | 'simulated' | 'act' | 'loop_detected' | 'authorization_revoked' {
  const isDry = o.fields.dry_run
  if (o.depth >= depthMax && !isDry) return 'loop_detected'
  if (o.brake !== 'none') return o.brake === 'known' ? 'nothing' : 'suppressed'
  if (!o.mayAct) return 'authorization_revoked'
  return isDry ? 'simulated' : 'act'
}
