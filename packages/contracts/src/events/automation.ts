// Declares the events of automation rules (domain.md 5.46 to 5.52).
import type { EventDeclaration } from './declaration.ts'

const readScope = ['campaigns:read'] as const

export const automationEvents = {
  'automation.created': {
    meaning: 'An automation rule was saved.',
    data: { rule_id: 'id rul', name: 'str', trigger_type: 'str event|schedule|anomaly', action_types: '[str]' },
    oncePer: 'rule',
    readScope,
    volume: 'low',
    example: { name: 'Pause campaigns without sign-ups' },
  },
  'automation.updated': {
    meaning: 'An automation rule was changed.',
    data: { rule_id: 'id rul', version: 'count', changed: '[str]' },
    oncePer: 'version',
    readScope,
    volume: 'low',
    example: { changed: ['conditions'] },
  },
  'automation.enabled': {
    meaning: 'An automation rule was switched on.',
    data: { rule_id: 'id rul' },
    oncePer: 'version',
    readScope,
    volume: 'low',
  },
  'automation.disabled': {
    meaning: 'An automation rule was switched off.',
    data: { rule_id: 'id rul', reason: 'str user|loop_detected|authorization_revoked|too_many_failures' },
    oncePer: 'version',
    readScope,
    volume: 'low',
    example: { reason: 'too_many_failures' },
  },
  'automation.fired': {
    meaning: "A rule's conditions were met and its actions run.",
    data: {
      rule_id: 'id rul',
      firing_id: 'id fir',
      rule_name: 'str',
      trigger_type: 'str event|schedule|anomaly',
      subject_type: 'str workspace|brand|integration|campaign|sub_affiliate',
      subject_id: 'str',
      brand_slug: 'slug?',
      action_types: '[str]',
      status: 'str succeeded|partially_failed|failed',
    },
    oncePer: 'firing',
    readScope,
    volume: 'medium',
    example: { status: 'succeeded' },
  },
  'automation.failed': {
    meaning: 'An action of a rule could not be carried out.',
    data: { rule_id: 'id rul', firing_id: 'id fir', action_type: 'str', error_code: 'str' },
    oncePer: 'firing + action',
    readScope,
    volume: 'low',
    example: { error_code: 'invalid_state' },
  },
  'automation.deleted': {
    meaning: 'An automation rule was removed.',
    data: { rule_id: 'id rul' },
    oncePer: 'rule',
    readScope,
    volume: 'low',
  },
} as const satisfies Record<string, EventDeclaration>
