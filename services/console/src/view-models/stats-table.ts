// What a stats answer shows as a table: a row for each group and currency, a column for each metric (ui.md 2).
import { statsTexts as words } from '../texts/stats.ts'
import { texts } from '../texts.ts'
import { oneOf, upTo } from './filters.ts'
import { countText, dayText, moneyText } from './numbers.ts'

const rowMetrics = [
  'clicks',
  'signups',
  'ftds',
  'conversion_rate',
  'deposits_amount',
  'ngr',
  'commission',
  'epc',
] as const
const ledgerMetrics = ['sub_affiliate_cost', 'margin'] as const
export type StatsMetric = (typeof rowMetrics)[number] | (typeof ledgerMetrics)[number]
export const chartMetrics = ['clicks', 'signups', 'ftds', 'ngr', 'commission'] as const
export const statsGroups = [
  'day',
  'week',
  'month',
  'brand',
  'campaign',
  'country',
  'integration',
  'sub_affiliate',
] as const
export type StatsGroup = (typeof statsGroups)[number]

/** The ledger has no countries. */
export const metricsOfGroup = (group: StatsGroup): StatsMetric[] => [
  ...rowMetrics,
  ...(group === 'country' ? [] : ledgerMetrics),
]

/** Those of the group that have a column: what sub-affiliates cost only where they cost something. */
export function shownMetrics(rows: readonly StatsRow[], group: StatsGroup): StatsMetric[] {
  const hasCosts = rows.some(({ sub_affiliate_cost: cost }) => typeof cost === 'number' && cost !== 0)
  return hasCosts ? metricsOfGroup(group) : [...rowMetrics]
}

/** The member of an answer that holds the group. */
const fields: Record<StatsGroup, string> = {
  day: 'day',
  week: 'week',
  month: 'month',
  country: 'country',
  brand: 'brand_slug',
  campaign: 'campaign_external_id',
  integration: 'integration_id',
  sub_affiliate: 'sub_affiliate_id',
}

/** What the rows are summed by: the rows of another grouping are shown until those of the chosen one are there. */
export function groupOfRows([row]: readonly StatsRow[], chosen: StatsGroup): StatsGroup {
  if (row === undefined || Object.hasOwn(row, fields[chosen])) return chosen
  return statsGroups.find((group) => Object.hasOwn(row, fields[group])) ?? chosen
}

/** The choices of the page, which live in its address. */
export const statsRules = {
  days: oneOf(['7', '30', '90']),
  group: oneOf(statsGroups),
  brand: upTo(255),
  currency: (text: string) => /^[A-Z]{3}$/.test(text),
  compare: oneOf(['previous_period', 'previous_year']),
  metric: oneOf(chartMetrics),
}

type Value = string | number | null | undefined
/** A row, or an entry of the totals. `compare` stands beside the metrics. */
export type StatsRow = Readonly<Record<string, unknown>>

const money: readonly StatsMetric[] = ['deposits_amount', 'ngr', 'commission', 'epc', ...ledgerMetrics]
export const isMoneyMetric = (metric: string): boolean => (money as readonly string[]).includes(metric)

const fieldOf = (row: StatsRow, name: string) => row[name] as Value

/** `1,284`, `€12.50`, `3.2%`; a dash for what no source supplies. */
export function metricText(row: StatsRow, metric: StatsMetric): string {
  const value = fieldOf(row, metric)
  if (typeof value !== 'number') return texts.time.none
  if (metric === 'conversion_rate') return shareText(value)
  const currency = fieldOf(row, 'currency')
  if (!isMoneyMetric(metric)) return countText(value)
  return typeof currency === 'string' ? moneyText(Math.round(value), currency) : countText(value)
}

function shareText(value: number): string {
  return new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 }).format(value)
}

/** `+12%` against the compared days; null where they say nothing. */
export function changeText(row: StatsRow, metric: StatsMetric): string | null {
  const compared = row.compare as Record<string, { delta_pct: number | null }> | undefined
  const pct = compared?.[metric]?.delta_pct
  if (typeof pct !== 'number') return null
  return new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero' }).format(
    pct / 100,
  )
}

/** The group of a row in words; `names`: of integrations and campaigns by their ids, of brands by their slugs. A campaign without one stands as its source names it. */
export function groupText(row: StatsRow, group: StatsGroup, names: ReadonlyMap<string, string>): string {
  const value = fieldOf(row, fields[group])
  if (typeof value !== 'string') return words.without
  if (group === 'day') return dayText(value, 'en-GB', true)
  if (group === 'campaign') return names.get(String(fieldOf(row, 'campaign_id'))) ?? value
  return group === 'integration' || group === 'brand' ? (names.get(value) ?? value) : value
}

/** Different for each row of an answer: campaigns of two integrations may be named alike. */
export function keyOfRow(row: StatsRow, group: StatsGroup): string {
  return [fields[group], 'campaign_id', 'currency'].map((name) => fieldOf(row, name) ?? '').join(' ')
}

/** The campaign whose page tells more of the row; null: the row is of none, or of more. */
export function campaignIdOf(row: StatsRow, group: StatsGroup): string | null {
  const id = fieldOf(row, 'campaign_id')
  return group === 'campaign' && typeof id === 'string' ? id : null
}

/** External ids of the campaigns of the rows, as many as one page of campaigns holds. */
export function campaignsOf(rows: readonly StatsRow[]): string[] {
  const named = rows.filter((row) => fieldOf(row, 'campaign_id') != null)
  return [...new Set(named.map((row) => String(fieldOf(row, 'campaign_external_id'))))].slice(0, 100)
}

/** Why a sum is a dash although its source supplies it; null: none is. */
export function beyondText({ beyond_range: metrics = [] }: { beyond_range?: readonly string[] }): string | null {
  const nameOf = (metric: string) =>
    Object.hasOwn(words.metrics, metric) ? words.metrics[metric as StatsMetric] : metric
  return metrics.length === 0 ? null : words.beyond(metrics.map(nameOf).join(', '))
}

/** Whether a column for the currency says anything: more than one is shown. */
export function hasCurrencies(rows: readonly StatsRow[]): boolean {
  return new Set(rows.map((row) => fieldOf(row, 'currency'))).size > 1
}
