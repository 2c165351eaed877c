// Reads what a stats query asks for, from the parameters of GET or the members of POST (domain.md 3.5). It never asks the database.
import { isCountry } from '@wds/contracts/countries'
import { isCurrency } from '@wds/contracts/currencies'
import { Problem, problemOfFaults } from '@wds/http-service/problem'
import { dayNumber, daysBetween, isSameZone, localDate, timeZoneName } from '../calendar/domain/calendar.ts'
import type { operations } from '../openapi.generated.ts'
import type { CompareMode } from './domain/compare-period.ts'
import { defaultMetrics, isOfLedger, metricNames } from './domain/stats-metrics.ts'
import type { StatsDimension, StatsFilter } from './store-source.ts'

export type GivenByPost = operations['postStatsQuery']['requestBody']['content']['application/json']
type GivenByGet = operations['queryStats']['parameters']['query']

const timeDimensions = ['day', 'week', 'month']
const filterDimensions = ['brand', 'campaign', 'integration', 'country', 'sub_affiliate', 'currency'] as const
const limitDefault = 20
/** Characters of a name that is told back. */
const shownMax = 40
/** What it is compared with, up to 371 days before, and the days around it in another zone are days of the calendar, too: it has no year 0. */
const firstDay = '0003-01-01'

export interface StatsRequest {
  from: string
  to: string
  timeZone: string
  /** As asked for, with `campaign_of` beside `campaign`, and `currency` joined at the end where nothing is converted. */
  groupBy: StatsDimension[]
  metrics: readonly string[]
  filters: StatsFilter[]
  /** What money is converted to; null leaves it in the currency of its row. */
  currency: string | null
  /** By which rates; null: the newest. */
  rateSet: string | null
  compare: CompareMode | null
  finalOnly: boolean
  orderBy: { name: string; descending: boolean }
  /** Whether a sum of the ledger has part in what is asked for. */
  usesLedger: boolean
  limit: number
  cursor: string | null
  /** Today in the zone asked for. */
  today: string
}

/** The members of POST that the parameters of GET say. */
export function membersOf(query: GivenByGet): GivenByPost {
  const members: Record<string, unknown> = {}
  const nested: Record<string, Record<string, unknown>> = {}
  for (const [name, value] of Object.entries(query)) {
    const [, kind = '', dimension = ''] = /^(filter|filter_not)\[(\w+)\]$/.exec(name) ?? []
    if (kind === '') members[name] = value
    else nested[kind] = { ...nested[kind], [dimension]: value }
  }
  return { ...members, ...nested } as GivenByPost
}

type Refuse = (parameter: string, detail: string) => Problem

/** What a fault names: a parameter of GET, a member of the body of POST, or one of its `query`. */
export type Where = 'parameter' | 'pointer' | 'query'

/** `isRateSet`: whether there is one of the id. */
export function readStatsRequest(
  given: GivenByPost,
  o: { workspaceZone: string; nowMs: number; isRateSet(id: string): boolean; where: Where },
): StatsRequest {
  const code = o.where === 'parameter' ? 'invalid_parameter' : 'invalid_value'
  const refuse: Refuse = (name, detail) => problemOfFaults([{ ...placeOf(name, o.where), code, detail }])
  const timeZone = given.time_zone === undefined ? o.workspaceZone : timeZoneName(given.time_zone)
  if (timeZone === null) throw refuse('time_zone', 'No time zone has this IANA name.')
  const today = localDate(o.nowMs, timeZone)
  judgeRange(given, today, refuse)
  judgeCurrency(given, o, refuse)
  const asked: StatsDimension[] = given.group_by ?? []
  const metrics = given.metrics ?? defaultMetrics
  if (new Set(asked).size !== asked.length) throw refuse('group_by', 'Names a dimension twice.')
  if (asked.filter((name) => timeDimensions.includes(name)).length > 1)
    throw refuse('group_by', 'At most one of day, week, month.')
  const strange = metrics.find((name) => !metricNames.includes(name))
  if (strange !== undefined) throw refuse('metrics', `There is no metric ${strange.slice(0, shownMax)}.`)
  if (metrics.includes('unique_clicks') && given.from !== given.to && !asked.includes('day'))
    throw new Problem('metric_not_additive')
  const orderBy = orderOf(given.order_by, asked, refuse)
  judgeFilters(given, o.where, refuse)
  const usesLedger = [...metrics, orderBy.name].some(isOfLedger)
  if (usesLedger) judgeLedger(given, { isOwnZone: isSameZone(timeZone, o.workspaceZone), where: o.where, refuse })
  return {
    from: given.from,
    to: given.to,
    timeZone,
    today,
    metrics,
    currency: given.currency ?? null,
    rateSet: given.rate_set ?? null,
    groupBy: [
      ...asked.flatMap((name) => (name === 'campaign' ? (['campaign', 'campaign_of'] as const) : [name])),
      ...(given.currency !== undefined || asked.includes('currency') ? [] : ['currency' as const]),
    ],
    filters: filtersOf(given),
    compare: given.compare ?? null,
    finalOnly: given.finality === 'final_only',
    orderBy,
    usesLedger,
    limit: given.limit ?? limitDefault,
    cursor: given.cursor ?? null,
  }
}

const placeOf = (name: string, where: Where) =>
  where === 'parameter' ? { parameter: name } : { pointer: where === 'query' ? `/query/${name}` : `/${name}` }

function judgeRange({ from, to }: { from: string; to: string }, today: string, refuse: Refuse): void {
  if (dayNumber(from) === null) throw refuse('from', 'Must be a date, YYYY-MM-DD.')
  if (dayNumber(to) === null || to > today) throw refuse('to', 'Must be a date, YYYY-MM-DD, not after today.')
  if (from < firstDay) throw refuse('from', `Must not be before ${firstDay}.`)
  if (from > to) throw refuse('from', 'Must not be after to.')
  if (daysBetween(from, to) > 366) throw refuse('to', 'At most 366 days at once.')
}

/** Countries and currencies are closed tables: what is not in one is a slip, and would match nothing. */
function judgeFilters({ filter, filter_not }: GivenByPost, where: Where, refuse: Refuse): void {
  const closed = [
    { dimension: 'country', isKnown: isCountry, of: 'ISO 3166-1 alpha-2 codes' },
    { dimension: 'currency', isKnown: isCurrency, of: 'ISO 4217 codes' },
  ] as const
  for (const [name, given] of Object.entries({ filter, filter_not }))
    for (const { dimension, isKnown, of } of closed)
      if (given?.[dimension]?.some((value) => !isKnown(value)))
        throw refuse(filterName(name, dimension, where), `Must be ${of}, in capitals.`)
}

const filterName = (name: string, dimension: string, where: Where) =>
  where === 'parameter' ? `${name}[${dimension}]` : `${name}/${dimension}`

/** The ledger has no countries, and its days are the workspace's: an answer by others would be a wrong one. */
function judgeLedger(
  { group_by, filter, filter_not }: GivenByPost,
  o: { isOwnZone: boolean; where: Where; refuse: Refuse },
): void {
  const detail = 'sub_affiliate_cost and margin are not known by country.'
  if (group_by?.includes('country')) throw o.refuse('group_by', detail)
  for (const [name, given] of Object.entries({ filter, filter_not }))
    if (given?.country !== undefined) throw o.refuse(filterName(name, 'country', o.where), detail)
  if (!o.isOwnZone)
    throw o.refuse('time_zone', 'sub_affiliate_cost and margin are known by days of the workspace alone.')
}

function judgeCurrency(
  { currency, rate_set }: GivenByPost,
  { isRateSet, where }: { isRateSet(id: string): boolean; where: Where },
  refuse: Refuse,
): void {
  if (currency !== undefined && !isCurrency(currency)) {
    const detail = 'The currency is not in ISO 4217.'
    throw problemOfFaults([{ ...placeOf('currency', where), code: 'unknown_currency', detail }])
  }
  if (rate_set === undefined) return
  if (currency === undefined) throw refuse('rate_set', 'Needs a currency to convert to.')
  if (!isRateSet(rate_set)) throw refuse('rate_set', 'No rate set has this id.')
}

function orderOf(text: string | undefined, asked: StatsDimension[], refuse: Refuse) {
  const time = asked.find((name) => timeDimensions.includes(name))
  if (text === undefined) return time ? { name: time, descending: false } : { name: 'commission', descending: true }
  const name = text.replace(/^-/, '')
  if (!metricNames.includes(name) && name !== time)
    throw refuse('order_by', 'Must be a metric or the time dimension of group_by.')
  return { name, descending: text.startsWith('-') }
}

function filtersOf(given: GivenByPost): StatsFilter[] {
  return filterDimensions.flatMap((dimension) =>
    (['filter', 'filter_not'] as const).flatMap((kind) => {
      const values = given[kind]?.[dimension]
      return values ? [{ dimension, values, not: kind === 'filter_not' }] : []
    }),
  )
}
