// Declares the events of webhook subscriptions (domain.md 5.53 to 5.57).
// An event about a subscription is never delivered to that subscription (domain.md 5, loop rule).
import type { EventDeclaration } from './declaration.ts'

export const webhookEvents = {
  'webhook.disabled': {
    meaning: 'A webhook subscription was switched off.',
    data: {
      webhook_id: 'id whk',
      reason: 'str user|gone|failing|authorization_revoked',
      failing_since: 'ts?',
      failed_deliveries: 'count',
    },
    oncePer: 'version',
    readScope: [],
    volume: 'low',
    example: { reason: 'failing' },
  },
  'webhook.enabled': {
    meaning: 'A webhook subscription is on again.',
    data: { webhook_id: 'id whk' },
    oncePer: 'version',
    readScope: [],
    volume: 'low',
  },
  'webhook.secret_rotated': {
    meaning: 'A webhook subscription has a new signing secret.',
    data: { webhook_id: 'id whk', previous_expires: 'ts' },
    oncePer: 'rotation',
    readScope: [],
    volume: 'low',
  },
  'webhook.delivery_exhausted': {
    meaning: 'A delivery used its last attempt.',
    data: {
      webhook_id: 'id whk',
      delivery_id: 'id dlv',
      event_id: 'id evt',
      event_type: 'str',
      attempts: 'count',
      last_status: 'count?',
    },
    oncePer: 'delivery + epoch',
    readScope: [],
    volume: 'medium',
    example: { attempts: 6 },
  },
  'webhook.tested': {
    meaning: 'A test was sent to a webhook subscription.',
    data: { webhook_id: 'id whk', requested_by: 'str user|client|api_key' },
    oncePer: 'test',
    readScope: [],
    volume: 'low',
  },
} as const satisfies Record<string, EventDeclaration>
