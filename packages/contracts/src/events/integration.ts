// Declares the events of integrations (domain.md 5.7 to 5.14).
import type { EventDeclaration } from './declaration.ts'

const readScope = ['integrations:read'] as const

export const integrationEvents = {
  'integration.created': {
    meaning: 'An integration was connected.',
    data: { integration_id: 'id int', name: 'str', brand_slug: 'slug', provider: 'str', status: 'str pending|active' },
    oncePer: 'integration',
    readScope,
    volume: 'low',
    example: { name: 'Acme Casino feed', status: 'pending' },
  },
  'integration.updated': {
    meaning: 'Settings or the status of an integration changed.',
    data: { integration_id: 'id int', brand_slug: 'slug', changed: '[str]' },
    oncePer: 'version',
    readScope,
    volume: 'low',
    example: { changed: ['schedule'] },
  },
  'integration.broken': {
    meaning: 'An integration needs attention: its syncs fail.',
    data: {
      integration_id: 'id int',
      brand_slug: 'slug',
      reason:
        'str invalid_credentials|access_denied|source_gone|schema_changed|rate_limited|timeout|unreachable|destination_not_allowed|feed_too_large',
      consecutive_failures: 'count',
      last_success: 'ts?',
    },
    oncePer: 'episode',
    readScope,
    volume: 'low',
    example: { reason: 'invalid_credentials' },
  },
  'integration.restored': {
    meaning: 'A broken integration works again.',
    data: { integration_id: 'id int', brand_slug: 'slug', broken_since: 'ts', downtime_seconds: 'count' },
    oncePer: 'episode',
    readScope,
    volume: 'low',
  },
  'integration.paused': {
    meaning: 'An integration was paused.',
    data: { integration_id: 'id int', brand_slug: 'slug', reason: 'str user' },
    oncePer: 'version',
    readScope,
    volume: 'low',
    example: { reason: 'user' },
  },
  'integration.resumed': {
    meaning: 'A paused integration was resumed.',
    data: { integration_id: 'id int', brand_slug: 'slug' },
    oncePer: 'version',
    readScope,
    volume: 'low',
  },
  'integration.credentials_expired': {
    meaning: 'The source refused the credentials, or they will expire soon.',
    data: { integration_id: 'id int', brand_slug: 'slug', provider: 'str', expires: 'ts?' },
    oncePer: 'episode',
    readScope,
    volume: 'low',
  },
  'integration.deleted': {
    meaning: 'An integration was removed; its stats are kept.',
    data: { integration_id: 'id int', brand_slug: 'slug' },
    oncePer: 'integration',
    readScope,
    volume: 'low',
  },
} as const satisfies Record<string, EventDeclaration>
