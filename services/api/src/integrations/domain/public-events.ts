// Decides which catalog events an event of an integration's stream is announced as, with their data and their "once per" key (domain.md 5).
// An event that is not named here stays internal.
import type { PublicEvent } from '@wds/contracts/envelope'
import { toInstant } from '../../calendar/domain/calendar.ts'
import type { IntegrationEvent, IntegrationState } from './integration.ts'

/** Announcement of an integration's event, or null. `state` is the state after it. */
export function integrationPublicEvent(
  id: string,
  state: IntegrationState,
  event: IntegrationEvent,
): PublicEvent | null {
  const fields = state.fields
  if (fields === null) return null
  const base = { integration_id: id, brand_slug: fields.brand_slug }
  switch (event.type) {
    case 'IntegrationCreated': {
      const data = { ...base, name: fields.name, provider: fields.provider, status: 'pending' }
      return { type: 'integration.created', onceKey: id, data }
    }
    case 'IntegrationUpdated':
      return { type: 'integration.updated', onceKey: null, data: { ...base, changed: event.data.changed } }
    case 'IntegrationActivated':
      return { type: 'integration.updated', onceKey: null, data: { ...base, changed: ['status'] } }
    case 'IntegrationPaused':
      return { type: 'integration.paused', onceKey: null, data: { ...base, reason: event.data.reason } }
    case 'IntegrationResumed':
      return { type: 'integration.resumed', onceKey: null, data: base }
    case 'IntegrationDeleted':
      return { type: 'integration.deleted', onceKey: id, data: base }
    case 'IntegrationBroken':
      return broken(base, event)
    case 'IntegrationCredentialsRefused': {
      const data = { ...base, provider: fields.provider, expires: null }
      return { type: 'integration.credentials_expired', onceKey: null, data }
    }
    case 'IntegrationCredentialsEnding': {
      const data = { ...base, provider: fields.provider, expires: toInstant(event.data.expires_ms) }
      return { type: 'integration.credentials_expired', onceKey: null, data }
    }
    case 'IntegrationRestored': {
      const { broken_since_ms, last_sync } = event.data
      const downtime_seconds = Math.max(0, Math.floor((last_sync.finished_ms - broken_since_ms) / 1000))
      const data = { ...base, broken_since: toInstant(broken_since_ms), downtime_seconds }
      return { type: 'integration.restored', onceKey: null, data }
    }
    case 'IntegrationDelayed': {
      const { last_success_ms, every_minutes } = event.data
      const last_completed = last_success_ms === null ? null : toInstant(last_success_ms)
      const data = { ...base, last_completed, expected_every_minutes: every_minutes }
      return { type: 'sync.delayed', onceKey: null, data }
    }
    case 'IntegrationSynced':
      return null
  }
}

function broken(
  base: { integration_id: string; brand_slug: string },
  event: Extract<IntegrationEvent, { type: 'IntegrationBroken' }>,
): PublicEvent | null {
  const { reason, consecutive_failures, last_success_ms } = event.data
  const last_success = last_success_ms === null ? null : toInstant(last_success_ms)
  const data = { ...base, reason, consecutive_failures, last_success }
  return { type: 'integration.broken', onceKey: null, data }
}
