// Decides which day of the workspace's calendar a row belongs to, and whether that is only nearly so (domain.md T3).
import { datesOf, isSameZone, localDate, startAfterMs, startOfDayMs } from './calendar.ts'

/** The workspace's day of a row. */
export function workspaceDayOf(
  row: { day: string; hourMs: number | null },
  o: { sourceZone: string; workspaceZone: string },
): { workspaceDay: string; approximate: boolean } {
  if (row.hourMs === null) return { workspaceDay: row.day, approximate: !isSameZone(o.sourceZone, o.workspaceZone) }
  const workspaceDay = localDate(row.hourMs, o.workspaceZone)
  const lastDay = localDate(row.hourMs + 3_599_999, o.workspaceZone)
  const approximate = lastDay !== workspaceDay && startOfDayMs(lastDay, o.workspaceZone) > row.hourMs
  return { workspaceDay, approximate }
}

/** The days of a range and when each begins. A day that a zone left out begins, and ends, with the day after it. */
export interface DayCuts {
  days: string[]
  /** Epoch milliseconds, one for each day. */
  startsMs: number[]
}

export function dayCuts(from: string, to: string, zone: string): DayCuts {
  const days = datesOf({ from, to })
  return { days, startsMs: days.map((day) => startOfDayMs(day, zone)) }
}

/** First instant of a day, and of the one after it. */
export function boundsOfDay(day: string, zone: string): { startMs: number; endMs: number } {
  return { startMs: startOfDayMs(day, zone), endMs: startAfterMs(day, 1, zone) }
}
