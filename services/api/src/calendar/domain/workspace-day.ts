// Decides which day of the workspace's calendar a row belongs to, and whether that is only nearly so (domain.md T3).
import { isSameZone, localDate, startOfDayMs } from './calendar.ts'

/** Zone of every workspace's days: those of its settings' zone are not counted yet (domain.md 7, T6). */
export const workspaceZone = 'UTC'

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
