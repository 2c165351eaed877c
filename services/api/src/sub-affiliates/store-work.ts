// What is to be done about sub-affiliates once its instant has come: rows that a change sets, and that the worker takes in turn over
// workspaces. Of a subject there is one.
import { workspaceOf } from '@wds/aggregate/aggregate'
import type { Transaction } from '@wds/postgres/transaction'
import { takeInTurn } from '../work-queue/store-turns.ts'

/** Sets the instant of a subject, an id, or takes it away. The primary key serves it. */
export async function setWork(tx: Transaction, o: { subject: string; atMs: number | null }): Promise<void> {
  const place = [workspaceOf(tx), o.subject]
  if (o.atMs === null) {
    await tx.query('delete from sub_affiliate_work where workspace_id = $1 and subject = $2', place)
    return
  }
  await tx.query(
    `insert into sub_affiliate_work (workspace_id, subject, due) values ($1, $2, to_timestamp($3::float8 / 1000))
     on conflict (workspace_id, subject) do update set due = excluded.due`,
    [...place, o.atMs],
  )
}

export interface DueWork {
  workspaceId: string
  subject: string
}

/** A subject whose instant has come, of each workspace in turn, the oldest first. The index sub_affiliate_work_due and the primary key serve it. */
export function takeWork(tx: Transaction, after: string): Promise<DueWork | null> {
  return takeInTurn(tx, { table: 'sub_affiliate_work', lock: 'sub_affiliate_work', oldestOf }, after)
}

async function oldestOf(tx: Transaction, workspaceId: string): Promise<DueWork | null> {
  const { rows } = await tx.query<{ subject: string }>(
    `select subject from sub_affiliate_work where workspace_id = $1 and due <= app_now() order by due, subject limit 1`,
    [workspaceId],
  )
  return rows[0] ? { workspaceId, subject: rows[0].subject } : null
}

/** Looks at it again later. */
export async function deferWork(tx: Transaction, { workspaceId, subject }: DueWork, waitMs: number): Promise<void> {
  await tx.query(
    `update sub_affiliate_work set due = app_now() + $3::float8 * interval '1 millisecond'
     where workspace_id = $1 and subject = $2`,
    [workspaceId, subject, waitMs],
  )
}

/** Final days of open months from the given one on are posted anew, by the plan and the name of now. The primary keys serve it. */
export async function markFinalDays(tx: Transaction, from: string): Promise<void> {
  await tx.query(
    `insert into sub_affiliate_work (workspace_id, subject, due)
     select $1, d.id, app_now() from stats_days d where d.workspace_id = $1 and d.status = 'final' and d.id >= $2
       and not exists (select from stats_months m where m.workspace_id = $1 and m.id = left(d.id, 7) and m.status = 'closed')
     order by d.id on conflict (workspace_id, subject) do update set due = app_now()`,
    [workspaceOf(tx), from],
  )
}

/** Days wait for rates: they are looked at now. The primary key serves it. */
export async function wakeWaitingDays(tx: Transaction): Promise<void> {
  await tx.query(`update sub_affiliate_work set due = app_now() where workspace_id = $1 and subject < 'a'`, [
    workspaceOf(tx),
  ])
}
