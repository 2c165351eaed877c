// Counts of attempts by the hour, which settle writes (settle.sql). Reads never touch deliveries or their log.
import type { Queryable } from '@wds/postgres/pool'

/** Attempts of one subscription in one period; null: of all, in all. */
export interface PeriodNumbers {
  subscriptionId: string | null
  /** Start of the hour or day, epoch milliseconds. */
  startMs: number | null
  attempts: number
  succeeded: number
  failed: number
  unknown: number
  /** Failed attempts by error class. */
  errors: Record<string, number>
  /** Upper bounds of what half, and 95 % of the attempts with a known duration took, ms; null where there are none. */
  p50_ms: number | null
  p95_ms: number | null
}

/** How long counts are kept, days: longer than what they count. */
export const countsKeptDays = 90

/** The subscriptions of a workspace that are not deleted; `among` null: all. Index subscriptions_live. */
export async function liveSubscriptions(
  tx: Queryable,
  o: { workspaceId: string; among: string[] | null },
): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>({
    name: 'statistics-subscriptions',
    text: `select subscription_id as id from subscriptions
            where workspace_id = $1 and status <> 'deleted' and ($2::text[] is null or subscription_id = any($2)) order by id`,
    values: [o.workspaceId, o.among],
  })
  return rows.map(({ id }) => id)
}

/**
 * Numbers of [from, to) by UTC hour or day, in the order of the periods, with the sums over periods, over subscriptions and over all. Summed
 * where they are: a workspace may have 500,000 counts of a week. A percentile is the bound of the attempt that stands there when all are
 * put in a row. Primary key of attempt_counts. Without a name: a plan that does not know the period expects few rows, and sorts them all instead
 * of hashing them.
 */
export async function readNumbers(
  tx: Queryable,
  o: { workspaceId: string; subscriptionIds: string[]; from: Date; to: Date; interval: 'hour' | 'day' },
): Promise<PeriodNumbers[]> {
  const { rows } = await tx.query<PeriodNumbers>({
    text: `with counts as materialized (${counts}),
                numbers as (
                  select id, start, sum(n) as attempts, coalesce(sum(n) filter (where result = 'succeeded'), 0) as succeeded,
                         coalesce(sum(n) filter (where result = 'unknown'), 0) as unknown,
                         coalesce(jsonb_object_agg(result, n) filter (where result not in ('succeeded', 'unknown')), '{}') as errors
                    from (${withSums('counts', 'result')}) r group by id, start),
                percentiles as (
                  select id, start, min(within_ms) filter (where seen >= ceil(attempts * 0.5)) as p50_ms,
                         min(within_ms) filter (where seen >= ceil(attempts * 0.95)) as p95_ms
                    from (select id, start, within_ms, sum(n) over (partition by id, start order by within_ms) as seen,
                                 sum(n) over (partition by id, start) as attempts
                            from (${withSums('counts where within_ms > 0', 'within_ms')}) b) ranked group by id, start)
           select nullif(id, '') as "subscriptionId", extract(epoch from nullif(start, '-infinity'))::float8 * 1000 as "startMs",
                  attempts::float8 as attempts, succeeded::float8 as succeeded, unknown::float8 as unknown,
                  (attempts - succeeded - unknown)::float8 as failed, errors, p50_ms, p95_ms
             from numbers left join percentiles using (id, start) order by start`,
    values: [o.workspaceId, o.subscriptionIds, o.from, o.to, `1 ${o.interval}`],
  })
  return rows
}

/** Read once: nearly all of the time goes here. */
const counts = `
  select subscription_id as id, date_bin($5::interval, hour, '2000-01-01 00:00Z') as start, result, within_ms, sum(attempts) as n
    from attempt_counts where workspace_id = $1 and subscription_id = any($2) and hour >= $3 and hour < $4 group by 1, 2, 3, 4`

/** '' and -infinity stand for all: unlike null they can be joined by. */
const withSums = (from: string, column: string) => `
  select coalesce(id, '') as id, coalesce(start, '-infinity') as start, ${column}, sum(n) as n
    from ${from} group by grouping sets ((id, start, ${column}), (id, ${column}), (start, ${column}), (${column}))`

/** Rows removed in one statement. */
const batchMax = 20_000

/**
 * Removes counts that are older than they are kept; true when there may be more. Primary key: from subscription to subscription, and of each
 * what is old. An index by hour alone would cost readers more than it saves here (0013-counts-age.sql).
 */
export async function dropOldCounts(db: Queryable): Promise<boolean> {
  const { rowCount } = await db.query(
    `with recursive counted as (
       (select subscription_id from attempt_counts order by subscription_id limit 1)
       union all
       select (select n.subscription_id from attempt_counts n where n.subscription_id > c.subscription_id order by n.subscription_id limit 1)
         from counted c where c.subscription_id is not null)
     delete from attempt_counts where ctid = any(array(
       select o.place from counted c cross join lateral (
         select a.ctid as place from attempt_counts a
          where a.subscription_id = c.subscription_id and a.hour < app_now() - $1::int * interval '1 day' limit $2) o limit $2))`,
    [countsKeptDays, batchMax],
  )
  return rowCount === batchMax
}
