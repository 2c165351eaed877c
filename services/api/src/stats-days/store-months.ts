// What of a month is final (domain.md 7), beside a day that becomes final in this transaction and is not stored yet.
import { workspaceOf } from '@wds/aggregate/aggregate'
import type { Transaction } from '@wds/postgres/transaction'
import { addDays, daysBetween } from '../calendar/domain/calendar.ts'
import { readCalendar } from '../stats-calendar/store-calendar.ts'
import { isMonthOver, lastDayOf, type MonthSeen } from './domain/stats-month.ts'

/** Held until the transaction ends by whoever makes a day of the month final. */
export async function lockMonth(tx: Transaction, workspaceId: string, month: string): Promise<void> {
  await tx.query("select pg_advisory_xact_lock(hashtextextended('stats_month:' || $1 || ':' || $2, 0))", [
    workspaceId,
    month,
  ])
}

/** The month as it is with `day` final. The primary keys of stats_days and stats_day_work serve it. */
export async function seeMonth(
  tx: Transaction,
  o: { month: string; day: string; timeZone: string; atMs: number },
): Promise<MonthSeen> {
  const workspaceId = workspaceOf(tx)
  const [from, to] = [`${o.month}-01`, lastDayOf(o.month)]
  const { rows } = await tx.query<{ final: number; open: number; revision_max: number | null }>(
    `select count(*) filter (where status = 'final')::integer as final,
       (count(*) filter (where status <> 'final') + (
         select count(*) from stats_day_work w where w.workspace_id = $1 and w.day between $2::text::date and $3::text::date
           and w.day <> $4::text::date and w.pending_since is not null
           and not exists (select from stats_days d where d.workspace_id = $1 and d.id = w.day::text)))::integer as open,
       max((state->'revisions'->-1->>'revision')::integer) as revision_max
     from stats_days where workspace_id = $1 and id between $2 and $3 and id <> $4`,
    [workspaceId, from, to, o.day],
  )
  const { final = 0, open = 0, revision_max = null } = rows[0] ?? {}
  const firstDay = (await readCalendar(tx, workspaceId))?.firstDay ?? addDays(to, 1)
  const [, begin = from] = [from, firstDay].sort()
  return {
    time_zone: o.timeZone,
    isOver: isMonthOver(o.month, o),
    days: final + 1,
    daysRequired: begin > to ? 0 : daysBetween(begin, to),
    daysOpen: open,
    revisionMax: Math.max(1, revision_max ?? 1),
  }
}
