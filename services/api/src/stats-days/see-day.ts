// Sees a day as it is: its rows, its integrations and their reports, the workspace's settings (domain.md 7). It never changes anything.
import type { Transaction } from '@wds/postgres/transaction'
import { addDays, localDate } from '../calendar/domain/calendar.ts'
import { boundsOfDay } from '../calendar/domain/workspace-day.ts'
import { type ReportingIntegration, readReporting } from '../integrations/store-expectable.ts'
import { readSettings } from '../settings/read-settings.ts'
import { type Report, readReports } from '../stats/store-reports.ts'
import { dayHasRows } from '../stats/store-rollup.ts'
import type { Calendar } from '../stats-calendar/store-calendar.ts'
import type { DayWork } from '../stats-calendar/store-day-work.ts'
import type { DayRules, Observation } from './domain/day-wait.ts'
import type { StatsDayState } from './domain/stats-day.ts'

/** Those of the rules that the operator sets. */
export type DayWaits = Pick<DayRules, 'restMs' | 'restateMs'>

export async function seeDay(
  tx: Transaction,
  o: { work: DayWork; calendar: Calendar; state: StatsDayState; waits: DayWaits; atMs: number },
): Promise<Observation> {
  const { work, calendar, state, atMs } = o
  const { workspaceId, day: date } = work
  const { timeZone } = calendar
  const { startMs, endMs } = boundsOfDay(date, timeZone)
  const { max_wait_hours: maxWaitHours } = await readSettings(tx)
  const waitedFor = new Set((state.status === 'provisional' ? state.expected : []).map((one) => one.integration_id))
  const known = await readReporting(tx, { workspaceId, deleted: [...waitedFor] })
  const isExpectable = (one: ReportingIntegration) =>
    one.requiredForFinal && one.createdMs < endMs && (one.status === 'active' || one.status === 'broken')
  const expectable = known.filter(isExpectable)
  const asked = known.filter((one) => waitedFor.has(one.id) || expectable.includes(one))
  const reports = await readReports(tx, {
    workspaceId,
    integrationIds: asked.map(({ id }) => id),
    from: addDays(date, -1),
    to: addDays(date, 1),
  })
  const reported = asked.flatMap((one): [string, number][] => {
    const at = reportOn({ date, startMs, endMs }, one, reports)
    return at === null ? [] : [[one.id, at]]
  })
  const { pendingSinceMs: sinceMs, cause, syncRunId } = work
  return {
    atMs,
    date,
    timeZone,
    startMs,
    endMs,
    isBackfilled: date < calendar.firstDay,
    expectable: expectable.map(({ id, settleHours }) => ({ integration_id: id, settle_hours: settleHours })),
    gone: known.filter(({ status }) => status === 'paused' || status === 'deleted').map(({ id }) => id),
    reported: Object.fromEntries(reported),
    hasRows: await dayHasRows(tx, { workspaceId, day: date }),
    changedMs: work.changedMs,
    pending: sinceMs === null ? null : { sinceMs, cause, syncRunId },
    rules: { ...o.waits, maxWaitHours },
  }
}

/**
 * When the last run began that covers the whole day: of a source that counts by days the day of the same date, else each of its days
 * that the day lies in. Null where one of them has no report.
 */
function reportOn(
  o: { date: string; startMs: number; endMs: number },
  { id, granularity, sourceTimeZone: zone }: ReportingIntegration,
  reports: readonly Report[],
): number | null {
  const [from, to] =
    granularity === 'day' ? [o.date, o.date] : [localDate(o.startMs, zone), localDate(o.endMs - 1, zone)]
  const started: number[] = []
  for (let day = from; day <= to; day = addDays(day, 1)) {
    const report = reports.find((one) => one.integrationId === id && one.day === day)
    if (!report) return null
    started.push(report.startedMs)
  }
  return Math.min(...started)
}
