// Cuts rows into the days of another zone (domain.md T3, T6): hours go to the day that holds their start, daily rows keep theirs.
// The zones are the runtime's, handed to the database as the instants at which days begin.
import type { Transaction } from '@wds/postgres/transaction'
import { addDays, isSameZone, localDate } from '../calendar/domain/calendar.ts'
import { type DayCuts, dayCuts } from '../calendar/domain/workspace-day.ts'
import { readCalendar } from '../stats-calendar/store-calendar.ts'

/** SQL of the day that holds an hour; `days` and `starts` are parameters: date[] and timestamptz[]. */
export const dayOfHourSql = (hour: string, days: string, starts: string) =>
  `(${days}::date[])[width_bucket(${hour}, ${starts}::timestamptz[])]`

/** Starts of days as the database reads them. */
export const toStarts = ({ startsMs }: DayCuts): string[] => startsMs.map((ms) => new Date(ms).toISOString())

const dayAsOf = `case when hour is null then day else ${dayOfHourSql('hour', '$2', '$3')} end`
const approximateAsOf = (isSame: string) => `case when hour is null then not ${isSame}
  else coalesce(($3::timestamptz[])[width_bucket(hour, $3::timestamptz[]) + 1] < hour + interval '1 hour', false) end`

/** The cuts of all days that hold an hour of the rows. */
async function cutsOf(tx: Transaction, rows: { from: string; values: unknown[] }, zone: string): Promise<DayCuts> {
  const { rows: found } = await tx.query<{ first: number | null; last: number | null }>(
    `select extract(epoch from min(hour))::float8 * 1000 as first, extract(epoch from max(hour))::float8 * 1000 as last from ${rows.from}`,
    rows.values,
  )
  const { first = null, last = null } = found[0] ?? {}
  if (first === null || last === null) return { days: [], startsMs: [] }
  return dayCuts(localDate(first, zone), addDays(localDate(last, zone), 2), zone)
}

/**
 * Cuts the staged rows of a run anew where the workspace counts by another zone than when they were staged. The caller holds the
 * zone as it is. The primary key of stats_staging serves it.
 */
export async function recutStaged(
  tx: Transaction,
  o: { workspaceId: string; runId: string; stagedBy: string; sourceTimeZone: string },
): Promise<void> {
  const zone = (await readCalendar(tx, o.workspaceId))?.timeZone ?? o.stagedBy
  if (zone === o.stagedBy) return
  const from = 'stats_staging where workspace_id = $1 and run_id = $2'
  const cuts = await cutsOf(tx, { from, values: [o.workspaceId, o.runId] }, zone)
  await tx.query(
    `update stats_staging set workspace_day = ${dayAsOf}, approximate = ${approximateAsOf('$5::boolean')}
     where workspace_id = $1 and run_id = $4`,
    [o.workspaceId, cuts.days, toStarts(cuts), o.runId, isSameZone(o.sourceTimeZone, zone)],
  )
}

/**
 * Cuts all rows of the workspace anew and gives the days whose rows are others now. `sameZone`: integrations that count their days
 * by this zone. The caller holds the zone alone. It reads the workspace's rows whole, twice.
 */
export async function recutRows(
  tx: Transaction,
  o: { workspaceId: string; zone: string; sameZone: readonly string[] },
): Promise<string[]> {
  const cuts = await cutsOf(tx, { from: 'stats_rows where workspace_id = $1', values: [o.workspaceId] }, o.zone)
  const moved = `workspace_id = $1 and workspace_day <> ${dayAsOf}`
  const values = [o.workspaceId, cuts.days, toStarts(cuts)]
  const { rows } = await tx.query<{ day: string }>(
    `select distinct unnest(array[workspace_day, ${dayAsOf}])::text as day from stats_rows
     where ${moved} and not deleted order by 1`,
    values,
  )
  const approximate = approximateAsOf('(integration_id = any($4::text[]))')
  await tx.query(
    `update stats_rows set workspace_day = ${dayAsOf}, approximate = ${approximate}
     where workspace_id = $1 and (workspace_day <> ${dayAsOf} or approximate <> ${approximate})`,
    [...values, o.sameZone],
  )
  return rows.map(({ day }) => day)
}
