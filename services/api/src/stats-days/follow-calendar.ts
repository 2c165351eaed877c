// Opens the days of each workspace as they begin by its calendar, and cuts all of its rows anew when its settings name another zone
// (domain.md 7, T6). Days missed during an outage are opened one after the other, at once.

import { dbNow } from '@wds/event-store/event-store'
import type { Pool } from '@wds/postgres/pool'
import { setWorkspace, type Transaction, withTransaction } from '@wds/postgres/transaction'
import { addDays, daysBetween, isSameZone, localDate, startOfDayMs } from '../calendar/domain/calendar.ts'
import { readReporting } from '../integrations/store-expectable.ts'
import { readSettings } from '../settings/read-settings.ts'
import { recutRows } from '../stats/store-recut.ts'
import { type Calendar, lockZone, moveCalendar, takeDueCalendar } from '../stats-calendar/store-calendar.ts'
import { wakeDays } from '../stats-calendar/store-day-work.ts'
import { readAllDays, readLastDay } from './store-days.ts'

/** Rows by the million take minutes. */
const statementTimeoutMs = 1_800_000
/** Days that one look opens, after a long outage. */
const daysMax = 400

/** Follows the calendar that is due for longest; false when none is. */
export function followCalendarOnce({ pool }: { pool: Pool }): Promise<boolean> {
  return withTransaction(pool, { workspaceId: null, statementTimeoutMs }, async (tx) => {
    const calendar = await takeDueCalendar(tx)
    if (calendar === null) return false
    await setWorkspace(tx, calendar.workspaceId)
    const { time_zone: timeZone } = await readSettings(tx)
    if (timeZone !== calendar.timeZone) await recut(tx, calendar, timeZone)
    await openDays(tx, { ...calendar, timeZone })
    return true
  })
}

async function recut(
  tx: Transaction,
  { workspaceId, timeZone: before }: Calendar & { workspaceId: string },
  zone: string,
): Promise<void> {
  await lockZone(tx, workspaceId, { alone: true })
  if (isSameZone(before, zone)) return
  const integrations = await readReporting(tx, workspaceId)
  const sameZone = integrations.filter((one) => isSameZone(one.sourceTimeZone, zone)).map(({ id }) => id)
  const days = await recutRows(tx, { workspaceId, zone, sameZone })
  // Every day begins and ends at other instants, also where its rows are the same.
  await wakeDays(tx, { workspaceId, days: await readAllDays(tx, workspaceId) })
  await wakeDays(tx, { workspaceId, days, recut: true })
}

/** Each day from the last one known until today is looked at, and is opened by that. */
async function openDays(tx: Transaction, calendar: Calendar & { workspaceId: string }): Promise<void> {
  const { workspaceId, timeZone, firstDay } = calendar
  const nowMs = await dbNow(tx)
  const today = localDate(nowMs, timeZone)
  const last = await readLastDay(tx, workspaceId)
  const from = last === null || last < firstDay ? firstDay : addDays(last, 1)
  const missing = Math.min(daysMax, daysBetween(from, today))
  const days = Array.from({ length: Math.max(0, missing) }, (_, index) => addDays(from, index))
  await wakeDays(tx, { workspaceId, days })
  const next = addDays(days.at(-1) ?? today, 1)
  await moveCalendar(tx, { workspaceId, timeZone, dueMs: startOfDayMs(next, timeZone) })
}
