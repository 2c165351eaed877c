// Which days are to be looked at for anomalies. What happens to a day of stats marks it, in the same transaction; the detection takes it.
import type { Transaction } from '@wds/postgres/transaction'

/** Days of history before a day (domain.md 8.2). */
export const historyDays = 56
/** A day that ended longer ago opens no anomaly: no flood after a backfill. */
const judgedForMs = 7 * 86_400_000

/** Whether a day that ended then is still judged. */
export function isJudgedAt(endMs: number, atMs: number): boolean {
  return endMs <= atMs && atMs - endMs <= judgedForMs
}

/** Looks at the day soon: always, or where an anomaly up to that day is still open. The primary keys and anomalies_by_status serve it. */
export async function markForAnomalies(
  tx: Transaction,
  o: { workspaceId: string; day: string; isJudged: boolean },
): Promise<void> {
  await tx.query(
    `insert into anomaly_day_work (workspace_id, day, due) select $1, $2::text::date, app_now()
     where $3 or exists (
       select from anomalies where workspace_id = $1 and status in ('open', 'acknowledged') and day <= $2::text)
     on conflict (workspace_id, day) do update set due = excluded.due`,
    [o.workspaceId, o.day, o.isJudged],
  )
}

export interface AnomalyDay {
  workspaceId: string
  day: string
}

/** Workspaces that one look for a due day goes through: more than there are processes, each of which holds one. */
const workspacesMax = 32

/**
 * A day that is due, locked: of the workspace that comes after `after`, around all that have one, the day that is due for longest. One
 * process at a time searches a workspace, so that no two of them find the same. A day waits while days of its history are about to be
 * looked at, since they may become final. The index anomaly_day_work_due and the primary keys serve it.
 */
export async function takeAnomalyDay(tx: Transaction, after: string): Promise<AnomalyDay | null> {
  const { rows } = await tx.query<{ workspace_id: string }>(
    `select workspace_id from anomaly_day_work where due <= app_now() group by workspace_id
     order by workspace_id <= $1, workspace_id limit $2`,
    [after, workspacesMax],
  )
  for (const { workspace_id: workspaceId } of rows) {
    if (!(await tryLockWorkspace(tx, workspaceId))) continue
    const day = await oldestOf(tx, workspaceId)
    if (day !== null) return { workspaceId, day }
  }
  return null
}

async function tryLockWorkspace(tx: Transaction, workspaceId: string): Promise<boolean> {
  const { rows } = await tx.query<{ is_held: boolean }>(
    "select pg_try_advisory_xact_lock(hashtextextended('anomalies:' || $1, 0)) as is_held",
    [workspaceId],
  )
  return rows[0]?.is_held === true
}

async function oldestOf(tx: Transaction, workspaceId: string): Promise<string | null> {
  const { rows } = await tx.query<{ day: string }>(
    `select w.day::text from anomaly_day_work w where w.workspace_id = $1 and w.due <= app_now() and not exists (
       select from stats_day_work s where s.workspace_id = $1 and s.day < w.day
         and s.day >= w.day - ${historyDays} and s.due <= app_now())
     order by w.due, w.day limit 1 for update of w skip locked`,
    [workspaceId],
  )
  return rows[0]?.day ?? null
}

export async function endAnomalyDay(tx: Transaction, { workspaceId, day }: AnomalyDay): Promise<void> {
  await tx.query('delete from anomaly_day_work where workspace_id = $1 and day = $2', [workspaceId, day])
}

export async function deferAnomalyDay(tx: Transaction, o: AnomalyDay, waitMs: number): Promise<void> {
  await tx.query(
    `update anomaly_day_work set due = app_now() + $3::float8 * interval '1 millisecond'
     where workspace_id = $1 and day = $2`,
    [o.workspaceId, o.day, waitMs],
  )
}
