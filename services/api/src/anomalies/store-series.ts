// Reads what is watched of a workspace: of each brand its sums by final day, and those of the day that is looked at. It never judges them.
import type { Transaction } from '@wds/postgres/transaction'
import { dayNumber } from '../calendar/domain/calendar.ts'
import type { SeriesDay } from './domain/seasonal-robust.ts'
import { type WatchedMetric, type WatchedSeries, watchedMetricNames, watchedMetrics } from './domain/watched-series.ts'

const sumsOf = {
  clicks: 'clicks',
  signups: 'signups',
  ftds: 'ftds',
  ngr: 'ngr',
  commission: `case when num_nonnulls(cpa_commission, revshare_commission, other_commission) > 0
    then coalesce(cpa_commission, 0) + coalesce(revshare_commission, 0) + coalesce(other_commission, 0) end`,
} satisfies Record<WatchedMetric, string>

const columns = watchedMetricNames.flatMap((metric) => {
  const sum = `sum(${sumsOf[metric]})::float8 as ${metric}`
  // An amount in another currency than the workspace's cannot be added to the others: the day is left out.
  const isForeign = `bool_or(currency <> $4 and (${sumsOf[metric]}) is not null) as ${metric}_foreign`
  return watchedMetrics[metric] === 'money' ? [sum, isForeign] : [sum]
})

/** The day as stats have it, or null. The primary key of stats_days serves it. */
export async function readDay(
  tx: Transaction,
  o: { workspaceId: string; day: string },
): Promise<{ status: 'open' | 'provisional' | 'final'; timeZone: string } | null> {
  const { rows } = await tx.query<{ status: 'open' | 'provisional' | 'final'; time_zone: string }>(
    'select status, time_zone from stats_days where workspace_id = $1 and id = $2',
    [o.workspaceId, o.day],
  )
  return rows[0] ? { status: rows[0].status, timeZone: rows[0].time_zone } : null
}

export interface SeriesWindow {
  workspaceId: string
  /** First day of the history, and the day that is looked at. */
  from: string
  to: string
  currency: string
  /** Whether the last day is final: else its rows are summed as they are. */
  isFinal: boolean
}

/** By brand and day, the busiest brand first. The unique index of stats_rollups and stats_rows_day serve it. */
const sumsSql = (isFinal: boolean) => `
  with sums as (
    select brand_slug, day::text as day, ${columns.join(', ')} from stats_rollups
      where workspace_id = $1 and day between $2::date and $3::date and ($5 or day < $3::date) group by brand_slug, day
    ${
      isFinal
        ? ''
        : `union all
    select brand_slug, $3, ${columns.join(', ')} from stats_rows
      where workspace_id = $1 and workspace_day = $3::date and not deleted group by brand_slug`
    })
  select * from sums order by sum(clicks) over (partition by brand_slug) desc nulls last, brand_slug, day`

type Row = { brand_slug: string; day: string } & Record<string, number | boolean | null>

export async function readSeries(tx: Transaction, o: SeriesWindow): Promise<WatchedSeries[]> {
  const finals = await tx.query<{ id: string }>(
    `select id from stats_days where workspace_id = $1 and id between $2 and $3 and status = 'final' order by id`,
    [o.workspaceId, o.from, o.to],
  )
  const days = finals.rows.map(({ id }) => id)
  if (!o.isFinal) days.push(o.to)
  const { rows } = await tx.query<Row>(sumsSql(o.isFinal), [o.workspaceId, o.from, o.to, o.currency, o.isFinal])
  return [...Map.groupBy(rows, (row) => row.brand_slug)].flatMap(([brandSlug, ofBrand]) => {
    const byDay = new Map(ofBrand.map((row) => [row.day, row]))
    // A brand begins with its first rows: before them nothing was missing.
    const known = days.filter((day) => day >= (ofBrand[0]?.day ?? ''))
    return watchedMetricNames.map((metric) => {
      return { brandSlug, metric, days: known.flatMap((day) => valueOn(day, metric, byDay.get(day))) }
    })
  })
}

/** A final day without rows of the brand is 0; one whose source does not supply the metric is no day of the series. */
function valueOn(day: string, metric: WatchedMetric, row: Row | undefined): SeriesDay[] {
  if (row?.[`${metric}_foreign`] === true) return []
  const value = row === undefined ? 0 : row[metric]
  return typeof value === 'number' ? [{ number: dayNumber(day) ?? 0, value }] : []
}
