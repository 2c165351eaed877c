// Decides which catalog events an event of a stream is announced as, with their data and their "once per" key (domain.md 5).
// An event that is not named here stays internal.
import { syncErrorCodes } from '@wds/contracts/error-classes'
import type { EventData } from '@wds/contracts/event-data'
import type { EventType } from '@wds/contracts/event-types'
import { toInstant } from './calendar.ts'
import type { ImportEvent, ImportState } from './import.ts'
import type { IntegrationEvent, IntegrationState } from './integration.ts'
import type { SyncRunEvent, SyncRunState } from './sync-run.ts'

/**
 * A catalog event without its id and instant. `onceKey`: at most one event of its type and workspace has it; null: once per version
 * of its aggregate, which the key of the stream says already.
 */
export type PublicEvent = { [T in EventType]: { type: T; data: EventData[T]; onceKey: string | null } }[EventType]

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

/** Announcement of a sync run's event, or null. */
export function syncRunPublicEvent(id: string, state: SyncRunState, event: SyncRunEvent): PublicEvent | null {
  const order = state.order
  if (order === null) return null
  const base = { integration_id: order.integration_id, sync_run_id: id, brand_slug: order.brand_slug }
  const completed = { integration_id: order.integration_id, brand_slug: order.brand_slug }
  switch (event.type) {
    case 'RunStarted': {
      const window = { window_from: order.window?.from ?? null, window_to: order.window?.to ?? null }
      const data = { ...base, trigger: order.trigger, ...window, time_zone: order.time_zone }
      return { type: 'sync.started', onceKey: id, data }
    }
    case 'RunSucceeded': {
      const { rows_ingested, duration_ms } = event.data
      const data = { ...completed, status: 'success' as const, rows_ingested, duration_ms }
      return { type: 'sync.completed', onceKey: id, data }
    }
    case 'AttemptFailed': {
      const { attempt, code, next_attempt_ms } = event.data
      const attempts = { attempt, max_attempts: order.max_attempts }
      const data = { ...base, ...attempts, error_code: code, next_attempt: toInstant(next_attempt_ms) }
      return { type: 'sync.attempt_failed', onceKey: `${id}:${attempt}`, data }
    }
    case 'RunFailed': {
      const { attempts, code, duration_ms } = event.data
      const error = { error_code: code, error_message: syncErrorCodes[code].message }
      const data = { ...base, status: 'failed' as const, attempts, ...error, duration_ms }
      return { type: 'sync.failed', onceKey: id, data }
    }
    case 'RunReportedFailed': {
      const { duration_ms } = event.data
      const data = { ...completed, status: 'failed' as const, rows_ingested: 0, duration_ms }
      return { type: 'sync.completed', onceKey: id, data }
    }
    case 'RunCanceled':
      return { type: 'sync.canceled', onceKey: id, data: { ...base, reason: event.data.reason } }
    case 'RunQueued':
    case 'AttemptStarted':
      return null
  }
}

/** Announcement of an import's event, or null; a canceled import announces nothing. */
export function importPublicEvent(id: string, state: ImportState, event: ImportEvent): PublicEvent | null {
  const base = { import_id: id, import_type: state.order?.import_type ?? 'stats' }
  if (event.type === 'ImportCompleted') {
    const { lines, accepted, rejected } = event.data.counts
    const data = { ...base, lines, accepted, rejected, duration_ms: event.data.duration_ms }
    return { type: 'import.completed', onceKey: id, data }
  }
  if (event.type === 'ImportFailed') {
    const data = { ...base, error_code: event.data.code, line: event.data.line }
    return { type: 'import.failed', onceKey: id, data }
  }
  return null
}
