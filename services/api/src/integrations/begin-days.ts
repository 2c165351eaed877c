// Begins the calendar of a workspace's days with its first integration (domain.md 7).
import { workspaceOf } from '@wds/aggregate/aggregate'
import type { Transaction } from '@wds/postgres/transaction'
import { localDate } from '../calendar/domain/calendar.ts'
import { readSettings } from '../settings/read-settings.ts'
import { beginCalendar, readCalendar } from '../stats-calendar/store-calendar.ts'

/** Where there is none: before the first integration, and in a workspace that had integrations before there were days. */
export async function beginDays(tx: Transaction, nowMs: number): Promise<void> {
  const workspaceId = workspaceOf(tx)
  if ((await readCalendar(tx, workspaceId)) !== null) return
  const { time_zone: timeZone } = await readSettings(tx)
  await beginCalendar(tx, workspaceId, { timeZone, firstDay: localDate(nowMs, timeZone) })
}
