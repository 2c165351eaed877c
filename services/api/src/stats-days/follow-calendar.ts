// Opens the days of each workspace as they begin by its calendar, and cuts all of its rows anew when its settings name another zone
// (domain.md 7, T6). Days missed during an outage are opened at once.

import { dbNow } from '@wds/event-store/event-store'
import type { Pool } from '@wds/postgres/pool'
import type { Transaction } from '@wds/postgres/transaction'
import type { Logger } from '@wds/telemetry/logger'
import { addDays, isSameZone, localDate, startOfDayMs } from '../calendar/domain/calendar.ts'
import { readReporting } from '../integrations/store-expectable.ts'
import { readSettings } from '../settings/read-settings.ts'
import { recutRows } from '../stats/store-recut.ts'
import {
  type DueCalendar,
  deferCalendar,
  lockZone,
  moveCalendar,
  takeDueCalendar,
} from '../stats-calendar/store-calendar.ts'
import { wakeDays, wakeOpenDays } from '../stats-calendar/store-day-work.ts'
import { carryOutInTurn } from '../work-queue/carry-out-in-turn.ts'
import { findMissingDays, readAllDays } from './store-days.ts'

/** Rows by the million take minutes. */
const statementTimeoutMs = 1_800_000
/** How far back days are opened that were missed, in an outage. */
const missedDaysMax = 400
/** A calendar that cannot be followed stops no other. */
const failedWaitMs = 60_000

/** Follows a calendar that is woken or due; false when none is. */
export function followCalendarOnce({ pool, logger }: { pool: Pool; logger: Logger }): Promise<boolean> {
  return carryOutInTurn<DueCalendar>({
    pool,
    // Whose waits for longest comes first.
    turns: { last: '' },
    statementTimeoutMs,
    take: takeDueCalendar,
    handle: follow,
    report({ workspaceId }, err) {
      logger.error({ err, workspace_id: workspaceId }, 'stats calendar could not be followed, retrying')
    },
    defer: (tx, { workspaceId }) => deferCalendar(tx, workspaceId, failedWaitMs),
  })
}

async function follow(tx: Transaction, calendar: DueCalendar): Promise<void> {
  const { workspaceId } = calendar
  const { time_zone: timeZone } = await readSettings(tx)
  if (timeZone !== calendar.timeZone) await recut(tx, calendar, timeZone)
  await openDays(tx, { ...calendar, timeZone })
  // Somebody may have been paused or deleted: days wait for them no longer.
  await wakeOpenDays(tx, workspaceId)
}

async function recut(tx: Transaction, { workspaceId, timeZone: before }: DueCalendar, zone: string): Promise<void> {
  await lockZone(tx, workspaceId, { alone: true })
  if (isSameZone(before, zone)) return
  const integrations = await readReporting(tx, { workspaceId, deleted: null })
  const sameZone = integrations.filter((one) => isSameZone(one.sourceTimeZone, zone)).map(({ id }) => id)
  const days = await recutRows(tx, { workspaceId, zone, sameZone })
  // Every day begins and ends at other instants, also where its rows are the same.
  await wakeDays(tx, { workspaceId, days: await readAllDays(tx, workspaceId) })
  await wakeDays(tx, { workspaceId, days, recut: true })
}

/** Each day since the first one that is not there yet is looked at, and is opened by that. */
async function openDays(tx: Transaction, { workspaceId, timeZone, firstDay }: DueCalendar): Promise<void> {
  const today = localDate(await dbNow(tx), timeZone)
  const [, from = firstDay] = [firstDay, addDays(today, -missedDaysMax)].sort()
  await wakeDays(tx, { workspaceId, days: await findMissingDays(tx, { workspaceId, from, to: today }) })
  await moveCalendar(tx, { workspaceId, timeZone, dueMs: startOfDayMs(addDays(today, 1), timeZone) })
}
