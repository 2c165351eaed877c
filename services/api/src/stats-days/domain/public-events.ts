// Decides which catalog events an event of a day's or month's stream is announced as, with their data and their "once per" key
// (domain.md 5.20 to 5.23). An event that is not named here stays internal.
import type { PublicEvent } from '@wds/contracts/envelope'
import { toInstant } from '../../calendar/domain/calendar.ts'
import type { StatsDayEvent, StatsDayState } from './stats-day.ts'
import type { StatsMonthEvent, StatsMonthState } from './stats-month.ts'

/** Announcement of a day's event, or null. `date` is the id of its stream. */
export function statsDayPublicEvent(date: string, _state: StatsDayState, event: StatsDayEvent): PublicEvent | null {
  switch (event.type) {
    case 'DayReady': {
      const { time_zone, checksum, row_count, complete, included, missing } = event.data
      const members = { complete, integrations_included: included, integrations_missing: missing }
      const data = { date, time_zone, revision: 1, ...members, row_count, checksum }
      return { type: 'stats.daily_ready', onceKey: date, data }
    }
    case 'DayRestated': {
      const { time_zone, revision, brand_slugs, metrics_changed, largest_change_pct, cause, sync_run_id } = event.data
      const changes = { brand_slugs, metrics_changed, largest_change_pct }
      const data = { date, time_zone, revision, previous_revision: revision - 1, ...changes, cause, sync_run_id }
      return { type: 'stats.restated', onceKey: `${date}:${revision}`, data }
    }
    case 'DayDelayed': {
      const { time_zone, deadline_ms, waiting_for } = event.data
      const data = { date, time_zone, deadline: toInstant(deadline_ms), waiting_for }
      return { type: 'stats.delayed', onceKey: date, data }
    }
    case 'DayOpened':
    case 'DayFound':
    case 'DayEnded':
    case 'DayRezoned':
    case 'ExpectationDropped':
    case 'ReportsReceived':
    case 'WatermarkReached':
      return null
  }
}

/** Announcement of a month's end: of a close that is not over nobody hears. */
export function statsMonthPublicEvent(
  month: string,
  _state: StatsMonthState,
  event: StatsMonthEvent,
): PublicEvent | null {
  if (event.type !== 'MonthClosed') return null
  return { type: 'stats.monthly_closed', onceKey: month, data: event.data }
}
