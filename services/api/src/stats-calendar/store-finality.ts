// What of the days of stats a query must know: which are final, by which zone, with which revision (domain.md 3.5).
import type { Transaction } from '@wds/postgres/transaction'
import { isSameZone } from '../calendar/domain/calendar.ts'
import type { KnownDay } from './domain/known-day.ts'

/** The days of a range in their order. The primary keys serve it. */
export async function readDays(
  tx: Transaction,
  o: { workspaceId: string; from: string; to: string },
): Promise<KnownDay[]> {
  const { rows } = await tx.query<{
    id: string
    status: string
    time_zone: string
    revision: number | null
    revised_ms: number | null
    watermark_ms: number | null
    missing: string[] | null
    pending: boolean
  }>(
    `select d.id, d.status, d.time_zone, (d.state->'revisions'->-1->>'revision')::integer as revision,
       (d.state->'revisions'->-1->>'created_ms')::float8 as revised_ms, (d.state->>'watermark_ms')::float8 as watermark_ms,
       d.state->'missing' as missing, coalesce(w.pending_since is not null, false) as pending
     from stats_days d left join stats_day_work w on w.workspace_id = $1 and w.day = d.id::date
     where d.workspace_id = $1 and d.id between $2 and $3 order by d.id`,
    [o.workspaceId, o.from, o.to],
  )
  return rows.map((row) => ({
    day: row.id,
    isFinal: row.status === 'final',
    timeZone: row.time_zone,
    revision: row.revision ?? 0,
    watermarkMs: row.watermark_ms,
    missing: row.missing ?? [],
    revisedMs: row.revised_ms,
    isPending: row.pending,
  }))
}

/**
 * The days of a range that are before the workspace's first one and hold no rows, in their order: they do not exist, and come to nothing.
 * Only where days are cut by this zone now. The primary keys and the index stats_rows_day serve it.
 */
export async function readAbsentDays(
  tx: Transaction,
  o: { workspaceId: string; from: string; to: string; timeZone: string },
): Promise<string[]> {
  const { rows } = await tx.query<{ day: string; time_zone: string }>(
    `select asked.day::date::text as day, c.time_zone
     from stats_calendars c cross join generate_series($2::text::date, least($3::text::date, c.first_day - 1), interval '1 day') asked(day)
     where c.workspace_id = $1
       and not exists (select from stats_days d where d.workspace_id = $1 and d.id = asked.day::date::text)
       and not exists (select from stats_day_work w where w.workspace_id = $1 and w.day = asked.day::date and w.pending_since is not null)
       and not exists (select from stats_rows r where r.workspace_id = $1 and r.workspace_day = asked.day::date and not r.deleted)
     order by asked.day`,
    [o.workspaceId, o.from, o.to],
  )
  return rows.filter(({ time_zone }) => isSameZone(time_zone, o.timeZone)).map(({ day }) => day)
}
