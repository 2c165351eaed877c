// Decides what others are told of a firing (domain.md 5.50, 5.51): nothing of one that did nothing.
import type { PublicEvent } from '@wds/contracts/envelope'
import type { FiringEvent, FiringState } from './firing.ts'

/** Announcement of a firing's event. `state` is the state after it. */
export function firingPublicEvent(id: string, { firing }: FiringState, event: FiringEvent): PublicEvent | null {
  if (firing === null) throw new Error('a firing of nothing')
  const { rule_id, rule_name, trigger_type, subject_type, subject_id, brand_slug, action_types, status } = firing
  const place = { rule_id, firing_id: id }
  if (event.type === 'FiringActionFailed') {
    const { at, type: action_type, error_code } = event.data
    return { type: 'automation.failed', onceKey: `${id} ${at}`, data: { ...place, action_type, error_code } }
  }
  if (status === 'suppressed' || status === 'simulated') return null
  const data = { ...place, rule_name, trigger_type, subject_type, subject_id, brand_slug, action_types, status }
  return { type: 'automation.fired', onceKey: id, data }
}
