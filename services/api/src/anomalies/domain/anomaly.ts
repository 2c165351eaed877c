// Decides the life of an anomaly: found open, taken on, resolved or dismissed (domain.md 3.11). It never decides what is one.
import type { AnomalyStatus } from '@wds/contracts/states'
import { accept, type Decider, type InvalidState, reject } from '@wds/decider/decider'

/** The machine: for each state the actions allowed and the state that each leads to. */
export const anomalyMachine = {
  none: { detect: 'open' },
  open: { acknowledge: 'acknowledged', resolve: 'resolved', dismiss: 'dismissed' },
  acknowledged: { resolve: 'resolved', dismiss: 'dismissed' },
  resolved: {},
  dismissed: {},
} as const

export const resolutions = ['restated', 'recovered', 'user'] as const
export type Resolution = (typeof resolutions)[number]
export const dismissalReasons = ['expected', 'data_error', 'not_useful', 'other'] as const
export type DismissalReason = (typeof dismissalReasons)[number]

/** What was found. Numbers of money are minor units of `currency`, which counts do not have. */
export interface Finding {
  metric: string
  brand_slug: string
  /** Of one campaign; null: of the whole brand. Left out of findings of before campaigns were watched. */
  campaign_id?: string | null
  /** Of one integration: a rule's alone. */
  integration_id?: string | null
  /** Campaigns of the brand that left their baseline with it. */
  campaign_ids?: string[]
  day: string
  time_zone: string
  /** The sum of so many days that end with `day`. */
  window_days: number
  observed: number
  /** Null, as the band and the score, where a rule compared with nothing. */
  expected: number | null
  lower: number | null
  upper: number | null
  currency: string | null
  score: number | null
  direction: 'spike' | 'drop'
  severity: 'low' | 'medium' | 'high'
  /** `rule`: a rule made it. */
  method: 'seasonal_robust_v1' | 'rule'
  baseline_days: number
  /** Of the day when it was found. */
  is_final_day: boolean
}

export interface AnomalyState {
  status: 'none' | AnomalyStatus
  finding: Finding | null
  resolution: Resolution | null
  reason: DismissalReason | null
  /** What the last person who acted on it wrote. */
  note: string | null
}

export type AnomalyCommand =
  | { type: 'detect'; finding: Finding }
  | { type: 'acknowledge'; note: string | null }
  | { type: 'resolve'; resolution: Resolution; note: string | null }
  | { type: 'dismiss'; reason: DismissalReason; note: string | null }

export type AnomalyEvent =
  | { type: 'AnomalyDetected'; data: { finding: Finding } }
  | { type: 'AnomalyAcknowledged'; data: { note: string | null } }
  | { type: 'AnomalyResolved'; data: { resolution: Resolution; note: string | null } }
  | { type: 'AnomalyDismissed'; data: { reason: DismissalReason; note: string | null } }

export const anomalyDecider: Decider<AnomalyState, AnomalyCommand, AnomalyEvent, InvalidState> = {
  initialState: { status: 'none', finding: null, resolution: null, reason: null, note: null },
  evolve(state, event) {
    switch (event.type) {
      case 'AnomalyDetected':
        return { ...state, status: 'open', finding: event.data.finding }
      case 'AnomalyAcknowledged':
        return { ...state, status: 'acknowledged', note: event.data.note }
      case 'AnomalyResolved':
        return { ...state, status: 'resolved', resolution: event.data.resolution, note: event.data.note ?? state.note }
      case 'AnomalyDismissed':
        return { ...state, status: 'dismissed', reason: event.data.reason, note: event.data.note ?? state.note }
    }
  },
  decide({ status }, command) {
    const allowed = Object.keys(anomalyMachine[status])
    if (!allowed.includes(command.type)) return reject({ code: 'invalid_state', current_status: status, allowed })
    switch (command.type) {
      case 'detect':
        return accept({ type: 'AnomalyDetected', data: { finding: command.finding } })
      case 'acknowledge':
        return accept({ type: 'AnomalyAcknowledged', data: { note: command.note } })
      case 'resolve':
        return accept({ type: 'AnomalyResolved', data: { resolution: command.resolution, note: command.note } })
      case 'dismiss':
        return accept({ type: 'AnomalyDismissed', data: { reason: command.reason, note: command.note } })
    }
  },
}
