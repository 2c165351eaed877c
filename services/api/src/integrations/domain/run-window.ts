// Decides which days a run asks a source for, and when the next scheduled run is due (domain.md 3.2, 4.6).
import { addDays, dayNumber, daysBetween, localDate, zonedToMs } from '../../calendar/domain/calendar.ts'
import { earliestDate } from '../../sources/domain/check-row.ts'
import type { IntegrationState } from './integration.ts'
import type { IntegrationFields } from './integration-fields.ts'

/** Longest window of one run, in days (domain.md 3.3). */
export const windowDaysMax = 366

/** Window of a run nobody named one for: the lookback, or the backfill of a first run. */
export function defaultWindow(state: IntegrationState, fields: IntegrationFields, nowMs: number) {
  const to = localDate(nowMs, fields.source_time_zone)
  const days = state.last_success_ms === null ? fields.initial_backfill_days : fields.lookback_days
  return { from: addDays(to, -days), to }
}

/** Why a window asked for is refused, or null. */
export function windowFault(window: { from: string; to: string }, zone: string, nowMs: number): string | null {
  if (window.to > localDate(nowMs, zone)) return 'The window ends after today.'
  if (window.from > window.to) return 'The window begins after its end.'
  if (window.from < earliestDate) return 'The window begins before 2000-01-01.'
  return daysBetween(window.from, window.to) > windowDaysMax ? 'The window is longer than 366 days.' : null
}

/** `backfill` for a window that begins before the lookback, else `manual`. */
export function triggerOf(window: { from: string } | null, fields: IntegrationFields, nowMs: number) {
  if (window === null) return 'manual' as const
  const lookbackFrom = addDays(localDate(nowMs, fields.source_time_zone), -fields.lookback_days)
  return window.from < lookbackFrom ? ('backfill' as const) : ('manual' as const)
}

const brokenEveryMs = 6 * 3_600_000

/**
 * Instant of the next scheduled run after `nowMs`; a broken integration is tried at most every 6 hours. Null without a
 * schedule, and where no run may be opened.
 */
export function nextScheduledMs(state: IntegrationState, nowMs: number): number | null {
  const { fields, status } = state
  if (!fields?.schedule || (status !== 'pending' && status !== 'active' && status !== 'broken')) return null
  const { at, every_minutes } = fields.schedule
  if (at !== null) return nextAt(at, fields.source_time_zone, nowMs)
  const everyMs = every_minutes * 60_000
  return nowMs + (status === 'broken' ? Math.max(everyMs, brokenEveryMs) : everyMs)
}

function nextAt(at: string, zone: string, nowMs: number): number {
  const localMs = (Number(at.slice(0, 2)) * 60 + Number(at.slice(3, 5))) * 60_000
  const today = dayNumber(localDate(nowMs, zone)) ?? 0
  for (const day of [today, today + 1]) {
    const dueMs = zonedToMs(day * 86_400_000 + localMs, zone)
    if (dueMs > nowMs) return dueMs
  }
  return nowMs + 86_400_000
}
