// Which days are to be looked at for anomalies. What happens to a day of stats marks it, in the same transaction; the detection takes it.
import type { Transaction } from '@wds/postgres/transaction'
import { takeInTurn } from '../work-queue/store-turns.ts'

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

/**
 * Looks at the recent final days again: their money was judged by other rates, or by none. A day that ended too long ago is dropped by
 * the look itself. The primary key of stats_days serves it.
 */
export async function markRecentDays(tx: Transaction, workspaceId: string): Promise<void> {
  await tx.query(
    `insert into anomaly_day_work (workspace_id, day, due)
     select workspace_id, id::date, app_now() from stats_days
     where workspace_id = $1 and status = 'final'
       and id >= to_char(app_now() - $2::float8 * interval '1 millisecond' - interval '2 days', 'YYYY-MM-DD')
     on conflict (workspace_id, day) do update set due = excluded.due`,
    [workspaceId, judgedForMs],
  )
}

export interface AnomalyDay {
  workspaceId: string
  day: string
}

/**
 * A day that is due, locked: of the workspace that comes after `after`, around all that have one, the day that is due for longest. One
 * process at a time searches a workspace, so that no two of them find the same. A day waits while days of its history are about to be
 * looked at, since they may become final. The index anomaly_day_work_due and the primary keys serve it.
 */
export function takeAnomalyDay(tx: Transaction, after: string): Promise<AnomalyDay | null> {
  return takeInTurn(tx, { table: 'anomaly_day_work', lock: 'anomalies', oldestOf }, after)
}

async function oldestOf(tx: Transaction, workspaceId: string): Promise<AnomalyDay | null> {
  const { rows } = await tx.query<{ day: string }>(
    `select w.day::text from anomaly_day_work w where w.workspace_id = $1 and w.due <= app_now() and not exists (
       select from stats_day_work s where s.workspace_id = $1 and s.day < w.day
         and s.day >= w.day - ${historyDays} and s.due <= app_now())
     order by w.due, w.day limit 1 for update of w skip locked`,
    [workspaceId],
  )
  return rows[0] ? { workspaceId, day: rows[0].day } : null
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
