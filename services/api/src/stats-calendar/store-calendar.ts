// The calendar of a workspace: by which zone its rows are cut into days, and since when its days exist (domain.md 7). There is none
// before its first integration. It never cuts a row.
import type { Transaction } from '@wds/postgres/transaction'

export interface Calendar {
  timeZone: string
  /** Of the workspace's first integration: an earlier day exists once it holds rows. */
  firstDay: string
}

/** Of the workspace, or null before its first integration. The primary key serves it. */
export async function readCalendar(tx: Transaction, workspaceId: string): Promise<Calendar | null> {
  const { rows } = await tx.query<{ time_zone: string; first_day: string }>(
    'select time_zone, first_day::text from stats_calendars where workspace_id = $1',
    [workspaceId],
  )
  return rows[0] ? { timeZone: rows[0].time_zone, firstDay: rows[0].first_day } : null
}

/** Begins the calendar where there is none. */
export async function beginCalendar(tx: Transaction, workspaceId: string, calendar: Calendar): Promise<void> {
  await tx.query(
    `insert into stats_calendars (workspace_id, time_zone, first_day, due) values ($1, $2, $3, app_now())
     on conflict (workspace_id) do nothing`,
    [workspaceId, calendar.timeZone, calendar.firstDay],
  )
}

/** The calendar is followed now: its workspace counts by another zone, or days wait for somebody no longer. Waits for nobody. */
export async function wakeCalendar(tx: Transaction, workspaceId: string): Promise<void> {
  await tx.query('insert into stats_wakes (workspace_id) values ($1)', [workspaceId])
}

export interface DueCalendar extends Calendar {
  workspaceId: string
}

const dueSql = `select workspace_id, time_zone, first_day::text from stats_calendars
  where due <= app_now() order by due limit 1 for update skip locked`

// The first wake counts, which is taken with its calendar: who wakes it again stands behind those that wait.
const wokenSql = `select c.workspace_id, c.time_zone, c.first_day::text
  from stats_calendars c join (select workspace_id, min(id) as first from stats_wakes group by workspace_id) w using (workspace_id)
  order by w.first limit 1 for update of c skip locked`

/**
 * A calendar that is to be followed and that nobody holds, locked, over all workspaces: the one that is due for longest, else the one that
 * was woken first. A calendar is due once a day, but may be woken again and again, so those that are due go first. Its wakes are taken
 * with it. The index stats_calendars_due and the primary keys serve it.
 */
export async function takeDueCalendar(tx: Transaction): Promise<DueCalendar | null> {
  type Row = { workspace_id: string; time_zone: string; first_day: string }
  const due = await tx.query<Row>(dueSql)
  const row = due.rows[0] ?? (await tx.query<Row>(wokenSql)).rows[0]
  if (row === undefined) return null
  await tx.query('delete from stats_wakes where workspace_id = $1', [row.workspace_id])
  return { workspaceId: row.workspace_id, timeZone: row.time_zone, firstDay: row.first_day }
}

/** Follows the calendar later, whoever woke it. */
export async function deferCalendar(tx: Transaction, workspaceId: string, waitMs: number): Promise<void> {
  await tx.query('delete from stats_wakes where workspace_id = $1', [workspaceId])
  await tx.query(
    `update stats_calendars set due = app_now() + $2::float8 * interval '1 millisecond' where workspace_id = $1`,
    [workspaceId, waitMs],
  )
}

/** The calendar as it is from now on, and when to look at it again. */
export async function moveCalendar(
  tx: Transaction,
  o: { workspaceId: string; timeZone: string; dueMs: number },
): Promise<void> {
  await tx.query(
    'update stats_calendars set time_zone = $2, due = to_timestamp($3::float8 / 1000) where workspace_id = $1',
    [o.workspaceId, o.timeZone, o.dueMs],
  )
}

/**
 * Keeps the zone as it is until the transaction ends: whoever makes rows visible holds it shared, whoever cuts them anew alone.
 * Waited for as long as rows are written.
 */
export async function lockZone(tx: Transaction, workspaceId: string, o: { alone: boolean }): Promise<void> {
  await tx.query("select set_config('lock_timeout', '60s', true)")
  await tx.query(
    `select pg_advisory_xact_lock${o.alone ? '' : '_shared'}(hashtextextended('stats_calendar:' || $1, 0))`,
    [workspaceId],
  )
}
