// Decides what others are told of an automation rule (domain.md 5.46 to 5.49, 5.52).
import type { PublicEvent } from '@wds/contracts/envelope'
import type { RuleEvent, RuleState } from './rule.ts'

/** Announcement of a rule's event. `state` is the state after it. */
export function rulePublicEvent(id: string, state: RuleState, event: RuleEvent): PublicEvent {
  const place = { rule_id: id }
  switch (event.type) {
    case 'RuleCreated': {
      const { name, trigger, actions } = event.data.fields
      const data = { ...place, name, trigger_type: trigger.type, action_types: actions.map(({ type }) => type) }
      return { type: 'automation.created', onceKey: id, data }
    }
    case 'RuleUpdated': {
      const { version } = state
      return { type: 'automation.updated', onceKey: null, data: { ...place, version, changed: event.data.changed } }
    }
    case 'RuleEnabled':
      return { type: 'automation.enabled', onceKey: null, data: place }
    case 'RuleDisabled':
      return { type: 'automation.disabled', onceKey: null, data: { ...place, reason: event.data.reason } }
    case 'RuleDeleted':
      return { type: 'automation.deleted', onceKey: id, data: place }
  }
}
