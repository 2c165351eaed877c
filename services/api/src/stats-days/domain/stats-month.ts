// Decides when a month of stats is closed: once, when all of its days are final (domain.md 7). A later restatement does not repeat it. Where
// its ledger takes more than one transaction, it is closing until all is posted (decision 99).
import { accept, type Decider } from '@wds/decider/decider'
import { dateOf, dayNumberOf, localDate } from '../../calendar/domain/calendar.ts'

/** What the log is told of a month that is closed. */
export interface ClosedMonth {
  month: string
  time_zone: string
  days: number
  revision_max: number
}

export type StatsMonthState = { status: 'none' | 'closed' } | { status: 'closing'; month: ClosedMonth }

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

/** `isPosted`: all of its ledger is. */
export type StatsMonthCommand =
  | { type: 'close'; month: string; seen: MonthSeen; isPosted: boolean }
  | { type: 'finish' }

export interface StatsMonthEvent {
  type: 'MonthCloseBegun' | 'MonthClosed'
  data: ClosedMonth
}

/** Whether the month can be closed: it is over, and each of its days is final. */
export const isComplete = (seen: MonthSeen): boolean =>
  seen.isOver && seen.daysOpen === 0 && seen.days >= seen.daysRequired

export const statsMonthDecider: Decider<StatsMonthState, StatsMonthCommand, StatsMonthEvent, never> = {
  initialState: { status: 'none' },
  evolve(_, { type, data }) {
    switch (type) {
      case 'MonthCloseBegun':
        return { status: 'closing', month: data }
      case 'MonthClosed':
        return { status: 'closed' }
    }
  },
  decide(state, command) {
    if (command.type === 'finish')
      return state.status === 'closing' ? accept({ type: 'MonthClosed', data: state.month }) : accept()
    const { month, seen, isPosted } = command
    if (state.status !== 'none' || !isComplete(seen)) return accept()
    const { time_zone, days, revisionMax: revision_max } = seen
    const type = isPosted ? 'MonthClosed' : 'MonthCloseBegun'
    return accept({ type, data: { month, time_zone, days, revision_max } })
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
