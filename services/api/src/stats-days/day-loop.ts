// Follows the calendars and looks at the days that are due, over all workspaces, until it is stopped.
import type { WakeSignal } from '@wds/pacing/wait'
import { runLoop } from '@wds/service-host/loop'
import type { Progress } from '@wds/telemetry/progress'
import { followCalendarOnce } from './follow-calendar.ts'
import { type DayOptions, lookOnce } from './look-at-day.ts'

export async function runDays(
  given: Omit<DayOptions, 'turns'> & {
    pollMs: number
    /** End a rest. */
    due: { calendars: WakeSignal; days: WakeSignal }
    signal: AbortSignal
    progress: Progress
  },
): Promise<void> {
  const o = { ...given, turns: { last: '' } }
  const { logger, signal, progress, pollMs, due } = o
  const loop = (name: string, wake: WakeSignal, turn: () => Promise<boolean>) =>
    runLoop({ name, logger, signal, progress, pauseMs: pollMs, wake, turn })
  // Two: cutting rows anew takes minutes, and holds up no day of another workspace.
  await Promise.all([
    loop('stats-calendars', due.calendars, () => followCalendarOnce(o)),
    loop('stats-days', due.days, () => lookOnce(o)),
  ])
}

/** One calendar and one day, where they are due; false when none is. */
export async function dayTurn(o: DayOptions): Promise<boolean> {
  const followed = await followCalendarOnce(o)
  return (await lookOnce(o)) || followed
}
