// Decides which catalog events an event of a sync run's stream is announced as, with their data and their "once per" key (domain.md 5).
// An event that is not named here stays internal.
import type { PublicEvent } from '@wds/contracts/envelope'
import { syncErrorCodes } from '@wds/contracts/error-classes'
import { toInstant } from '../../calendar/domain/calendar.ts'
import type { SyncRunEvent, SyncRunState } from './sync-run.ts'

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
