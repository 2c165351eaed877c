// Decides which series of a workspace are watched, and what looking at a day makes of them: anomalies to open and to resolve
// (domain.md 8.1, 8.3). Whether a value left its baseline is decided in seasonal-robust.ts.
import { minorUnits } from '@wds/contracts/currencies'
import type { Finding, Resolution } from './anomaly.ts'
import {
  type Judgement,
  judgeDay,
  judgeWeek,
  lowVolumeBelow,
  type NotJudged,
  type SeriesDay,
  type SeriesKind,
} from './seasonal-robust.ts'

/** What is watched of each brand, and what it is counted in; of campaigns clicks and ftds. */
export const watchedMetrics = {
  clicks: 'count',
  signups: 'count',
  ftds: 'count',
  ngr: 'money',
  commission: 'money',
} as const
export type WatchedMetric = keyof typeof watchedMetrics
export const watchedMetricNames = Object.keys(watchedMetrics) as WatchedMetric[]

/** At most so many series of a workspace are watched. */
export const seriesMax = 250

/** A provisional day is judged only where nothing came, and at least so much was expected. */
const zeroExpectedMin = 30
/** 50 major units of the base currency: the least difference of money that counts. */
const moneyMinMajor = 50
/** So many days in a row within their bands end an anomaly. */
const recoveryDays = 3

/** One metric of one brand or campaign: its final days in their order, and the day that is looked at, final or not. */
export interface WatchedSeries {
  brandSlug: string
  /** Null: of the whole brand. */
  campaignId: string | null
  metric: WatchedMetric
  days: readonly SeriesDay[]
}

/** An anomaly of the series that may still be acted on, or that was found lately. */
export interface KnownAnomaly {
  id: string
  brandSlug: string
  campaignId: string | null
  /** Campaigns that one of a brand speaks for. */
  campaignIds: readonly string[]
  metric: string
  /** Day number. */
  day: number
  windowDays: 1 | 7
  direction: 'spike' | 'drop'
  isOpen: boolean
  /** Less than seven days ago. */
  isRecent: boolean
}

export interface Look {
  /** Number and date of the day that is looked at. */
  number: number
  date: string
  timeZone: string
  currency: string
  isFinal: boolean
  /** The day itself is judged: it ended lately enough to tell somebody. Else only what is known is looked at again. */
  isJudged: boolean
  /** Those of brands first: the ones of campaigns that left their baseline with their brand are told with it. */
  series: readonly WatchedSeries[]
  known: readonly KnownAnomaly[]
}

export interface LookOutcome {
  found: Finding[]
  resolved: { id: string; resolution: Resolution }[]
}

/** What looking at one series came to. */
interface Seen {
  series: WatchedSeries
  known: readonly KnownAnomaly[]
  /** What left its baseline, whether it is told or not. */
  flags: readonly Judged[]
}

export function lookAtSeries(look: Look): LookOutcome {
  const seen = look.series.slice(0, seriesMax).map((series): Seen => {
    const known = look.known.filter((one) => isOf(one, series))
    return { series, known, flags: look.isJudged ? flagsOf(look, series) : [] }
  })
  return {
    found: seen.flatMap((one) => findingOf(look, one, seen) ?? []),
    resolved: look.isFinal ? seen.flatMap(({ series, known }) => resolvedOf(look, series, known)) : [],
  }
}

function isOf(
  one: Pick<WatchedSeries, 'brandSlug' | 'campaignId'> & { metric: string },
  series: WatchedSeries,
): boolean {
  return one.brandSlug === series.brandSlug && one.campaignId === series.campaignId && one.metric === series.metric
}

function flagsOf(look: Look, series: WatchedSeries): Judged[] {
  const today = series.days.find(({ number }) => number === look.number)
  if (today === undefined) return []
  const judged = look.isFinal ? judgementsOf(look, series, today) : zeroOf(look, series, today)
  return judged.filter(({ judgement }) => judgement.isFlagged)
}

/** One anomaly for each series and day, and none while one of the same direction is open or recent (8.3). */
function findingOf(look: Look, { series, known, flags }: Seen, all: readonly Seen[]): Finding | null {
  if (known.some(({ day }) => day === look.number)) return null
  const flagged = flags.find(({ judgement: { direction } }) => {
    const isKnown = known.some((one) => one.direction === direction && (one.isOpen || one.isRecent))
    return !isKnown && !isToldByBrand(look, series, { direction, all })
  })
  if (flagged === undefined) return null
  const { judgement, windowDays, observed } = flagged
  const { direction } = judgement
  const isMoney = watchedMetrics[series.metric] === 'money'
  return {
    metric: series.metric,
    brand_slug: series.brandSlug,
    campaign_id: series.campaignId,
    campaign_ids: series.campaignId === null ? coveredBy(series, { direction, all }) : [],
    day: look.date,
    time_zone: look.timeZone,
    window_days: windowDays,
    currency: isMoney ? look.currency : null,
    observed: isMoney ? Math.round(observed) : observed,
    expected: rounded(judgement.expected),
    lower: rounded(judgement.lower),
    upper: rounded(judgement.upper),
    score: rounded(judgement.score),
    direction,
    severity: judgement.severity,
    method: 'seasonal_robust_v1',
    baseline_days: judgement.baselineDays,
    is_final_day: look.isFinal,
  }
}

interface Together {
  direction: 'spike' | 'drop'
  all: readonly Seen[]
}

/** A campaign whose brand left its baseline with it is told with the brand, also where that was on an earlier day and is not over. */
function isToldByBrand(look: Look, series: WatchedSeries, { direction, all }: Together): boolean {
  const { campaignId } = series
  if (campaignId === null) return false
  const brand = { ...series, campaignId: null }
  const isFlagged = all.some((one) => isOf(one.series, brand) && leaves(one, direction))
  return (
    isFlagged ||
    look.known.some((one) => {
      const isLive = one.isOpen || one.isRecent
      return isLive && isOf(one, brand) && one.direction === direction && one.campaignIds.includes(campaignId)
    })
  )
}

function coveredBy(brand: WatchedSeries, { direction, all }: Together): string[] {
  return all.flatMap((one) => {
    const { campaignId } = one.series
    return campaignId !== null && isOf({ ...one.series, campaignId: null }, brand) && leaves(one, direction)
      ? [campaignId]
      : []
  })
}

function leaves({ flags }: Seen, direction: 'spike' | 'drop'): boolean {
  return flags.some(({ judgement }) => judgement.direction === direction)
}

interface Judged {
  judgement: Judgement
  windowDays: 1 | 7
  observed: number
}

/** The test of the day, and of the week that it ends where the series is low. */
function judgementsOf(look: Look, { days, metric }: WatchedSeries, today: SeriesDay): Judged[] {
  const day = judgeDay(days, today, kindOf(metric, look.currency))
  if (!isJudgement(day)) return []
  const judged: Judged[] = [{ judgement: day, windowDays: 1, observed: today.value }]
  if (watchedMetrics[metric] === 'money' || day.expected >= lowVolumeBelow) return judged
  const week = judgeWeek(days, today.number)
  if (week === null || !isJudgement(week)) return judged
  const inWeek = days.filter(({ number }) => number <= today.number && number > today.number - 7)
  return [...judged, { judgement: week, windowDays: 7, observed: inWeek.reduce((sum, { value }) => sum + value, 0) }]
}

/** A provisional day: only nothing where much was expected. */
function zeroOf(look: Look, { days, metric }: WatchedSeries, today: SeriesDay): Judged[] {
  if (watchedMetrics[metric] === 'money' || today.value !== 0) return []
  const day = judgeDay(days, today, kindOf(metric, look.currency))
  if (!isJudgement(day) || day.expected < zeroExpectedMin) return []
  return [{ judgement: day, windowDays: 1, observed: 0 }]
}

/** Those that the day, as it is now, ends: its own, when it is within its band; one before three such days in a row. */
function resolvedOf(look: Look, series: WatchedSeries, known: readonly KnownAnomaly[]): LookOutcome['resolved'] {
  const values = new Map(series.days.map((day) => [day.number, day]))
  const isInside = (number: number, windowDays: 1 | 7): boolean => {
    const day = values.get(number)
    if (day === undefined) return false
    const judged = windowDays === 1 ? dayOf(look, series, day) : judgeWeek(series.days, number)
    if (judged === null || !isJudgement(judged)) return false
    const value = windowDays === 1 ? day.value : weekOf(values, number)
    return judged.lower <= value && value <= judged.upper
  }
  return known.flatMap(({ id, day, windowDays, isOpen }): LookOutcome['resolved'] => {
    if (!isOpen || day > look.number) return []
    if (day === look.number) return isInside(day, windowDays) ? [{ id, resolution: 'restated' }] : []
    for (let last = look.number; last < look.number + recoveryDays; last += 1) {
      const inRow = Array.from({ length: recoveryDays }, (_, back) => last - back)
      if (inRow.every((number) => number > day && isInside(number, windowDays)))
        return [{ id, resolution: 'recovered' }]
    }
    return []
  })
}

function dayOf(look: Look, { days, metric }: WatchedSeries, day: SeriesDay): Judgement | NotJudged {
  return judgeDay(days, day, kindOf(metric, look.currency))
}

function weekOf(values: ReadonlyMap<number, SeriesDay>, last: number): number {
  return Array.from({ length: 7 }, (_, back) => values.get(last - back)?.value ?? 0).reduce((sum, one) => sum + one, 0)
}

function kindOf(metric: WatchedMetric, currency: string): SeriesKind {
  if (watchedMetrics[metric] === 'count') return { type: 'count' }
  return { type: 'money', minAbs: moneyMinMajor * 10 ** (minorUnits(currency) ?? 2) }
}

function isJudgement(judged: Judgement | NotJudged): judged is Judgement {
  return typeof judged === 'object'
}

/** Four decimals: no reader needs more, and answers stay short. */
function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000
}
