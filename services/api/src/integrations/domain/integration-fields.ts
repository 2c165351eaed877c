// What people set of an integration, and what is known of its credentials; never they themselves.
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
