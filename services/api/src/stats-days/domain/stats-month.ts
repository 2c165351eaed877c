// Decides when a month of stats is closed: once, when all of its days are final (domain.md 7). A later restatement does not repeat it.
import { accept, type Decider } from '@wds/decider/decider'
import { dateOf, dayNumberOf, localDate } from '../../calendar/domain/calendar.ts'

export interface StatsMonthState {
  status: 'none' | 'closed'
}

/** What is seen of a month beside the day that has just become final. */
export interface MonthSeen {
  time_zone: string
  /** Its last day is over. */
  isOver: boolean
  /** Days of it that are final. */
  days: number
  /** Days that it must have: those since the first integration. */
  daysRequired: number
  /** Days of it that are there, or hold rows, and are not final. */
  daysOpen: number
  revisionMax: number
}

export interface StatsMonthCommand {
  type: 'close'
  month: string
  seen: MonthSeen
}

export interface StatsMonthEvent {
  type: 'MonthClosed'
  data: { month: string; time_zone: string; days: number; revision_max: number }
}

export const statsMonthDecider: Decider<StatsMonthState, StatsMonthCommand, StatsMonthEvent, never> = {
  initialState: { status: 'none' },
  evolve(_, { type }) {
    switch (type) {
      case 'MonthClosed':
        return { status: 'closed' }
    }
  },
  decide({ status }, { month, seen }) {
    const isClosed = seen.isOver && seen.daysOpen === 0 && seen.days >= seen.daysRequired
    if (status === 'closed' || !isClosed) return accept()
    const { time_zone, days, revisionMax: revision_max } = seen
    return accept({ type: 'MonthClosed', data: { month, time_zone, days, revision_max } })
  },
}

/** As `2026-01-31`. */
export function lastDayOf(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  const next = number === 12 ? dayNumberOf(year + 1, 1, 1) : dayNumberOf(year, number + 1, 1)
  return dateOf((next ?? 0) - 1)
}

/** Whether its last day has ended by the zone's clock. */
export function isMonthOver(month: string, o: { atMs: number; timeZone: string }): boolean {
  return lastDayOf(month) < localDate(o.atMs, o.timeZone)
}
