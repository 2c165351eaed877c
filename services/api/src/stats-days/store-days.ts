// Reads the rows of stats days. It never writes one: the aggregate does.
import { type Loaded, selectedColumns, toLoaded, workspaceOf } from '@wds/aggregate/aggregate'
import type { Transaction } from '@wds/postgres/transaction'
import type { StatsDayState } from './domain/stats-day.ts'

/** The days of a range that neither exist nor are about to. The primary keys of stats_days and stats_day_work serve it. */
export async function findMissingDays(
  tx: Transaction,
  o: { workspaceId: string; from: string; to: string },
): Promise<string[]> {
  const { rows } = await tx.query<{ day: string }>(
    `select d::date::text as day from generate_series($2::date, $3::date, interval '1 day') d
     where not exists (select from stats_days known where known.workspace_id = $1 and known.id = d::date::text)
       and not exists (select from stats_day_work known where known.workspace_id = $1 and known.day = d::date)
     order by 1`,
    [o.workspaceId, o.from, o.to],
  )
  return rows.map(({ day }) => day)
}

/** Every day that exists, and that is about to. The primary keys serve it. */
export async function readAllDays(tx: Transaction, workspaceId: string): Promise<string[]> {
  const { rows } = await tx.query<{ day: string }>(
    `select id as day from stats_days where workspace_id = $1
     union select day::text from stats_day_work where workspace_id = $1`,
    [workspaceId],
  )
  return rows.map(({ day }) => day)
}

/** Days of a range, the last one first. The primary key of stats_days serves it. */
export async function listDays(
  tx: Transaction,
  o: { from: string | null; to: string | null; before: string | null; rows: number },
): Promise<Loaded<StatsDayState>[]> {
  const { rows } = await tx.query<Parameters<typeof toLoaded<StatsDayState>>[0] & { [column: string]: unknown }>(
    `select ${selectedColumns()} from stats_days where workspace_id = $1 and id >= coalesce($2, '') and id <= coalesce($3, '~')
       and id < coalesce($4, '~') order by id desc limit $5`,
    [workspaceOf(tx), o.from, o.to, o.before, o.rows],
  )
  return rows.map((row) => toLoaded<StatsDayState>(row))
}
