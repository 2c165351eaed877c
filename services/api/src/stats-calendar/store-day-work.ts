// Which days of stats are to be looked at, and when. Whoever changes rows marks their days here, in the same transaction; the day
// machine takes them. It never decides about a day.
import type { Transaction } from '@wds/postgres/transaction'

export interface DayWork {
  workspaceId: string
  day: string
  changedMs: number | null
  pendingSinceMs: number | null
  syncRunId: string | null
  cause: 'sync' | 'settings'
}

/**
 * A run has changed rows of some days and reported on others, which are looked at where they wait for it. One statement, its days in
 * order, so that two runs never wait for each other in a circle, and of one instant, so that they are due at once. The primary key serves it.
 */
export async function markDays(
  tx: Transaction,
  o: { workspaceId: string; runId: string; changed: readonly string[]; reported: { from: string; to: string } | null },
): Promise<void> {
  if (o.changed.length === 0 && o.reported === null) return
  await tx.query(
    `with instant as materialized (select app_now() as at)
     insert into stats_day_work as w (workspace_id, day, due, changed, pending_since, sync_run_id)
     select $1, d.day, at, case when d.changed then at end, case when d.changed then at end, case when d.changed then $2 end
     from (select day, bool_or(changed) as changed from (
         select day::date, true as changed from unnest($3::text[]) day
         union all
         select known.day, false from stats_day_work known
         where known.workspace_id = $1 and known.day between $4::date - 1 and $5::date + 1) all_days
       group by day) d, instant
     order by d.day
     on conflict (workspace_id, day) do update set due = excluded.due,
       changed = coalesce(excluded.changed, w.changed),
       pending_since = coalesce(w.pending_since, excluded.pending_since),
       cause = case when excluded.changed is null then w.cause else 'sync' end,
       sync_run_id = case when excluded.changed is null then w.sync_run_id
         when w.pending_since is null or w.sync_run_id = excluded.sync_run_id then excluded.sync_run_id end`,
    [o.workspaceId, o.runId, o.changed, o.reported?.from ?? null, o.reported?.to ?? null],
  )
}

/** The days are looked at now, new ones included. `recut`: other rows belong to them. */
export async function wakeDays(
  tx: Transaction,
  o: { workspaceId: string; days: readonly string[]; recut?: boolean },
): Promise<void> {
  await tx.query(
    `with instant as materialized (select app_now() as at)
     insert into stats_day_work as w (workspace_id, day, due, pending_since, cause)
     select $1, day::date, at, case when $3 then at end, case when $3 then 'settings' else 'sync' end
     from unnest($2::text[]) day, instant order by day
     on conflict (workspace_id, day) do update set due = excluded.due,
       pending_since = coalesce(w.pending_since, excluded.pending_since),
       cause = case when $3 then 'settings' else w.cause end`,
    [o.workspaceId, o.days, o.recut ?? false],
  )
}

/** Every day that is not final, or has changed since, is looked at now. */
export async function wakeOpenDays(tx: Transaction, workspaceId: string): Promise<void> {
  await tx.query(
    `with held as materialized (select day from stats_day_work where workspace_id = $1 order by day for update),
       instant as materialized (select app_now() as at)
     update stats_day_work w set due = instant.at from held, instant where w.workspace_id = $1 and w.day = held.day`,
    [workspaceId],
  )
}

/** Workspaces that one look for a due day goes through: more than there are processes, each of which holds the days of one. */
const workspacesMax = 32

/**
 * A day that is due, locked: of the workspace that comes after `after`, around all that have one, the day that is due for longest, unless
 * somebody holds it. Days of one upload are due at once: they are taken in their order, and one at a time, since the tiers of a day count
 * those before it. One workspace may have thousands, each of which takes up to seconds. The index stats_day_work_due serves it: what is not due costs nothing.
 */
export async function takeDueDay(tx: Transaction, after: string): Promise<DayWork | null> {
  const { rows } = await tx.query<{ workspace_id: string }>(
    `select workspace_id from stats_day_work where due <= app_now() group by workspace_id
     order by workspace_id <= $1, workspace_id limit $2`,
    [after, workspacesMax],
  )
  for (const { workspace_id } of rows) {
    const work = await takeDueDayOf(tx, workspace_id)
    if (work !== null) return work
  }
  return null
}

async function takeDueDayOf(tx: Transaction, workspaceId: string): Promise<DayWork | null> {
  const { rows } = await tx.query<{
    workspace_id: string
    day: string
    changed_ms: number | null
    pending_ms: number | null
    sync_run_id: string | null
    cause: 'sync' | 'settings'
  }>(
    `select workspace_id, day::text, floor(extract(epoch from changed) * 1000)::float8 as changed_ms,
       floor(extract(epoch from pending_since) * 1000)::float8 as pending_ms, sync_run_id, cause
     from stats_day_work w where workspace_id = $1 and due <= app_now() and day = (
       select day from stats_day_work where workspace_id = $1 and due <= app_now() order by due, day limit 1)
     for update of w skip locked`,
    [workspaceId],
  )
  const [row] = rows
  if (!row) return null
  return {
    workspaceId: row.workspace_id,
    day: row.day,
    changedMs: row.changed_ms,
    pendingSinceMs: row.pending_ms,
    syncRunId: row.sync_run_id,
    cause: row.cause,
  }
}

/** Looks again at `dueMs`, or when something happens. `rolled`: nothing is pending any more. */
export async function deferDay(
  tx: Transaction,
  work: Pick<DayWork, 'workspaceId' | 'day'>,
  o: { dueMs: number | null; rolled: boolean },
): Promise<void> {
  await tx.query(
    `update stats_day_work set due = to_timestamp($3::float8 / 1000),
       pending_since = case when $4 then null else pending_since end
     where workspace_id = $1 and day = $2`,
    [work.workspaceId, work.day, o.dueMs, o.rolled],
  )
}

/** Nothing is to be done about the day until its rows change. */
export async function endDayWork(tx: Transaction, work: Pick<DayWork, 'workspaceId' | 'day'>): Promise<void> {
  await tx.query('delete from stats_day_work where workspace_id = $1 and day = $2', [work.workspaceId, work.day])
}
