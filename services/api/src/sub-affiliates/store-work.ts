// What is to be done about sub-affiliates once its instant has come: rows that a change sets, and that the worker takes in turn over
// workspaces. Of a subject there is one.
import { workspaceOf } from '@wds/aggregate/aggregate'
import { isId } from '@wds/contracts/ids'
import type { Transaction } from '@wds/postgres/transaction'
import { type DueRow, deferDue, setDue, takeDue } from '../work-queue/store-due-rows.ts'
import { lockSubAffiliates } from './store-places.ts'

const rows = { table: 'sub_affiliate_work', column: 'subject' } as const

/** What a subject is. */
export type WorkKind = 'day' | 'month' | 'payout' | 'sub_affiliate'

/** A day and a month begin with a digit, an id with its prefix. */
export function workKindOf({ id: subject }: DueRow): WorkKind {
  if (/^\d/.test(subject)) return subject.length > '2026-01'.length ? 'day' : 'month'
  return isId('pyo', subject) ? 'payout' : 'sub_affiliate'
}

/** Sets the instant of a subject, or takes it away: the id of a sub-affiliate or a payout, a day, or a month that is closing. */
export const setWork = (tx: Transaction, o: { id: string; atMs: number | null }) => setDue(tx, rows, o)

/** A subject whose instant has come. */
export const takeWork = (tx: Transaction, after: string) => takeDue(tx, { ...rows, lock: 'sub_affiliate_work' }, after)

/** What was done last of a subject that goes over more than one transaction. The primary key serves it. */
export async function workDone(tx: Transaction, o: { id: string; doneTo: string; atMs: number }): Promise<void> {
  await tx.query(
    `insert into sub_affiliate_work (workspace_id, subject, done_to, due) values ($1, $2, $3, to_timestamp($4::float8 / 1000))
     on conflict (workspace_id, subject) do update set done_to = excluded.done_to, due = excluded.due`,
    [workspaceOf(tx), o.id, o.doneTo, o.atMs],
  )
}

/** As `workDone` has it; null: nothing is under way. The primary key serves it. */
export async function doneToOf(tx: Transaction, id: string): Promise<string | null> {
  const { rows } = await tx.query<{ done_to: string | null }>(
    'select done_to from sub_affiliate_work where workspace_id = $1 and subject = $2',
    [workspaceOf(tx), id],
  )
  return rows[0]?.done_to ?? null
}

/** Looks at it again later. */
export const deferWork = (tx: Transaction, work: DueRow, waitMs: number) => deferDue(tx, rows, { ...work, waitMs })

/** Final days of months that are open, and not closing, from the given one on are posted anew, by the plan and the name of now. The primary keys serve it. */
export async function markFinalDays(tx: Transaction, from: string): Promise<void> {
  await tx.query(
    `insert into sub_affiliate_work (workspace_id, subject, due)
     select $1, d.id, app_now() from stats_days d where d.workspace_id = $1 and d.status = 'final' and d.id >= $2
       and not exists (select from stats_months m where m.workspace_id = $1 and m.id = left(d.id, 7) and m.status in ('closing', 'closed'))
     order by d.id on conflict (workspace_id, subject) do update set due = app_now()`,
    [workspaceOf(tx), from],
  )
}

/** Days of a month that wait to be posted, in their order. The primary key serves it. */
export async function waitingDays(tx: Transaction, month: string): Promise<string[]> {
  const { rows } = await tx.query<{ day: string }>(
    'select subject as day from sub_affiliate_work where workspace_id = $1 and subject between $2 and $3 order by subject',
    [workspaceOf(tx), `${month}-01`, `${month}-31`],
  )
  return rows.map(({ day }) => day)
}

/**
 * Days wait for rates: they are looked at now. It waits for whoever posts, so that a day that is posted without these rates is among them.
 * A subject that is a day begins with a digit, an id with a letter. The primary key serves it.
 */
export async function wakeWaitingDays(tx: Transaction): Promise<void> {
  await lockSubAffiliates(tx)
  await tx.query(`update sub_affiliate_work set due = app_now() where workspace_id = $1 and subject < 'a'`, [
    workspaceOf(tx),
  ])
}
