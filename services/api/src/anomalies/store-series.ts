// Reads what is watched of a workspace: of each brand and busy campaign its sums by final day, and those of the day that is looked at. It never judges them.
import type { Transaction } from '@wds/postgres/transaction'
import { dayNumber } from '../calendar/domain/calendar.ts'
import { conversionsTo, type RateSet } from '../fx/domain/rate-set.ts'
import type { SeriesDay } from './domain/seasonal-robust.ts'
import {
  seriesMax,
  type WatchedMetric,
  type WatchedSeries,
  watchedMetricNames,
  watchedMetrics,
} from './domain/watched-series.ts'

const sumsOf = {
  clicks: 'clicks',
  signups: 'signups',
  ftds: 'ftds',
  ngr: 'ngr',
  commission: `case when num_nonnulls(cpa_commission, revshare_commission, other_commission) > 0
    then coalesce(cpa_commission, 0) + coalesce(revshare_commission, 0) + coalesce(other_commission, 0) end`,
} satisfies Record<WatchedMetric, string>

const columns = watchedMetricNames.map((metric) => `sum(${sumsOf[metric]})::float8 as ${metric}`).join(', ')

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
  /** What money is converted to, by the rates of its day. */
  currency: string
  rates: RateSet
  /** Whether the last day is final: else its rows are summed as they are. */
  isFinal: boolean
}

/** By brand, day and currency, the busiest brand first. The unique index of stats_rollups and stats_rows_day serve it. */
const sumsSql = (isFinal: boolean) => `
  with sums as (
    select brand_slug, day::text as day, currency, ${columns} from stats_rollups
      where workspace_id = $1 and day between $2::date and $3::date and ($4 or day < $3::date)
      group by brand_slug, day, currency
    ${
      isFinal
        ? ''
        : `union all
    select brand_slug, $3, currency, ${columns} from stats_rows
      where workspace_id = $1 and workspace_day = $3::date and not deleted group by brand_slug, currency`
    })
  select * from sums order by sum(clicks) over (partition by brand_slug) desc nulls last, brand_slug, day`

type Row = { brand_slug: string; day: string; currency: string } & Record<WatchedMetric, number | null>

export async function readSeries(tx: Transaction, o: SeriesWindow): Promise<WatchedSeries[]> {
  const finals = await tx.query<{ id: string }>(
    `select id from stats_days where workspace_id = $1 and id between $2 and $3 and status = 'final' order by id`,
    [o.workspaceId, o.from, o.to],
  )
  const days = finals.rows.map(({ id }) => id)
  if (!o.isFinal) days.push(o.to)
  const reported = await readReported(tx, o)
  const { rows } = await tx.query<Row>(sumsSql(o.isFinal), [o.workspaceId, o.from, o.to, o.isFinal])
  const factorOf = factorsTo(o.currency, o.rates, o)
  const ofBrands = [...Map.groupBy(rows, (row) => row.brand_slug)].flatMap(([brandSlug, ofBrand]) =>
    seriesOf(ofBrand, { of: { brandSlug, campaignId: null }, metrics: watchedMetricNames, days, factorOf, reported }),
  )
  const places = Math.max(0, seriesMax - ofBrands.length)
  const campaigns = await readCampaigns(tx, { ...o, most: Math.floor(places / campaignMetrics.length) })
  const ofCampaigns = [...Map.groupBy(campaigns, (row) => row.id)].flatMap(([campaignId, ofCampaign]) => {
    const of = { brandSlug: ofCampaign[0]?.brand_slug ?? '', campaignId }
    return seriesOf(ofCampaign, { of, metrics: campaignMetrics, days, factorOf, reported })
  })
  return [...ofBrands, ...ofCampaigns]
}

/** Days on which a source of the brand has reported, as `brand day`: without rows they are days of nothing. The primary keys serve it. */
async function readReported(tx: Transaction, o: SeriesWindow): Promise<Set<string>> {
  const { rows } = await tx.query<{ brand_day: string }>(
    `select distinct i.brand_slug || ' ' || s.day::text as brand_day
     from stats_days_seen s join integrations i on i.workspace_id = $1 and i.id = s.integration_id
     where s.workspace_id = $1 and s.day between $2 and $3 and s.reported is not null`,
    [o.workspaceId, o.from, o.to],
  )
  return new Set(rows.map(({ brand_day }) => brand_day))
}

/** A brand or campaign begins with its first rows: before them nothing was missing. */
function seriesOf(
  rows: Row[],
  o: {
    of: Pick<WatchedSeries, 'brandSlug' | 'campaignId'>
    metrics: readonly WatchedMetric[]
    days: readonly string[]
    factorOf: FactorOf
    reported: ReadonlySet<string>
  },
): WatchedSeries[] {
  const byDay = Map.groupBy(rows, (row) => row.day)
  const isKnown = (day: string) => byDay.has(day) || o.reported.has(`${o.of.brandSlug} ${day}`)
  const known = o.days.filter((day) => day >= (rows[0]?.day ?? '') && isKnown(day))
  return o.metrics.map((metric) => {
    return { ...o.of, metric, days: known.flatMap((day) => valueOn(day, metric, byDay.get(day), o.factorOf)) }
  })
}

/** What is watched of a campaign; both are counts. */
const campaignMetrics = ['clicks', 'ftds'] as const satisfies WatchedMetric[]
/** A campaign of fewer clicks in so many days is too small to be watched. */
const campaignDays = 28
const campaignClicksMin = 100

/** By campaign and day, the busiest campaign first; those that rows name and nobody made are left out, and those that were archived: somebody ended them. What was merged is one campaign. The indexes of `sumsSql` and campaigns_by_source serve it. */
const campaignSumsSql = (isFinal: boolean) => `
  with named as materialized (
    select taker.id, c.integration_id, c.external_id as campaign_external_id from campaigns c
    join campaigns taker on taker.workspace_id = $1 and taker.id = coalesce(c.merged_into, c.id)
    where c.workspace_id = $1 and taker.status <> 'archived'
  ), most as materialized (
    select id, sum(r.clicks) as clicks from (
      select integration_id, campaign_external_id, sum(clicks) as clicks from stats_rollups
      where workspace_id = $1 and day between $2::date and $3::date and day > $3::date - ${campaignDays}
        and campaign_external_id is not null
      group by 1, 2) r
    join named using (integration_id, campaign_external_id)
    group by id having sum(r.clicks) >= ${campaignClicksMin} order by clicks desc, id limit $5
  ), busy as materialized (select named.*, most.clicks from named join most using (id))
  select busy.id, brand_slug, day::text as day, sum(r.clicks)::float8 as clicks, sum(ftds)::float8 as ftds, busy.clicks as busiest
    from stats_rollups r join busy using (integration_id, campaign_external_id)
    where workspace_id = $1 and day between $2::date and $3::date and ($4 or day < $3::date) group by 1, 2, 3, 6
  ${
    isFinal
      ? ''
      : `union all
  select busy.id, brand_slug, $3, sum(r.clicks)::float8, sum(ftds)::float8, busy.clicks
    from stats_rows r join busy using (integration_id, campaign_external_id)
    where workspace_id = $1 and workspace_day = $3::date and not deleted group by 1, 2, 6`
  }
  order by busiest desc, id, day`

type CampaignRow = Row & { id: string }

async function readCampaigns(tx: Transaction, o: SeriesWindow & { most: number }): Promise<CampaignRow[]> {
  const values = [o.workspaceId, o.from, o.to, o.isFinal, o.most]
  const { rows } = await tx.query<Pick<CampaignRow, 'id' | 'brand_slug' | 'day' | 'clicks' | 'ftds'>>(
    campaignSumsSql(o.isFinal),
    values,
  )
  // Of counts, which no currency is asked for.
  return rows.map((row) => ({ ...row, currency: '', signups: null, ngr: null, commission: null }))
}

/** What an amount of a day and currency is multiplied with; null: there is no rate. Floating point: none of it is kept as money. */
type FactorOf = (day: string, currency: string) => number | null

function factorsTo(to: string, rates: RateSet, range: { from: string; to: string }): FactorOf {
  const factors = new Map(
    conversionsTo(to, rates, range).map(({ day, currency, numerator, denominator }) => [
      `${day} ${currency}`,
      Number(numerator) / Number(denominator),
    ]),
  )
  return (day, currency) => factors.get(`${day} ${currency}`) ?? null
}

/**
 * A day that a source of the brand has reported on without rows is 0; one whose source does not supply the metric, or of whose currencies one has no rate, is
 * no day of the series.
 */
function valueOn(day: string, metric: WatchedMetric, rows: Row[] | undefined, factorOf: FactorOf): SeriesDay[] {
  const number = dayNumber(day) ?? 0
  if (rows === undefined) return [{ number, value: 0 }]
  const supplied = rows.filter((row) => row[metric] !== null)
  const factors = supplied.map(({ currency }) => (watchedMetrics[metric] === 'money' ? factorOf(day, currency) : 1))
  if (supplied.length === 0 || factors.includes(null)) return []
  const value = supplied.reduce((sum, row, at) => sum + Number(row[metric]) * Number(factors[at]), 0)
  return [{ number, value }]
}
