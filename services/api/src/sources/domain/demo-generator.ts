// Decides the rows of the demo provider: a pure function of (settings, hour, campaign, country) (domain.md 4.3).
// The hash function is passed in; nothing else is random here.
import { type SyncErrorCode, syncErrorCodes } from '@wds/contracts/error-classes'
import { dayNumber, localDate, startOfDayMs, toInstant, weekdayOf } from '../../calendar/domain/calendar.ts'
import { noMeasures } from '../../stats/domain/measures.ts'
import type { StatsRow } from '../../stats/domain/stats-row.ts'

export interface DemoSettings {
  seed: number
  campaigns: number
  countries: string[]
  clicks_per_day: number
  restate_days: number
  anomalies: { date: string; campaign?: string; factor: number }[]
  failures: { every_runs: number; attempts: number; code: string } | null
}

export const demoDefaults: DemoSettings = {
  seed: 1,
  campaigns: 4,
  countries: ['DE', 'SE', 'CA'],
  clicks_per_day: 400,
  restate_days: 0,
  anomalies: [],
  failures: null,
}

/** Most clicks that a campaign may have on a day: those of the largest `clicks_per_day` under one anomaly of the largest factor. */
export const clicksOfDayMax = 10_000_000_000

/** Clicks of a campaign on its busiest day, weekday and chance aside: the factors of one date multiply. */
export function clicksOfBusiestDay(settings: Pick<DemoSettings, 'clicks_per_day' | 'anomalies'>): number {
  const days = settings.anomalies.map(({ date, campaign }) => factorOf(settings, date, campaign ?? null))
  return settings.clicks_per_day * Math.max(1, ...days)
}

/** What the anomalies of a date make of a campaign's clicks; `campaign` null: of one that none of them names. */
function factorOf({ anomalies }: Pick<DemoSettings, 'anomalies'>, date: string, campaign: string | null): number {
  let factor = 1
  for (const anomaly of anomalies) {
    if (anomaly.date === date && (anomaly.campaign ?? campaign) === campaign) factor *= anomaly.factor
  }
  return factor
}

/** Rows that a run over so many days takes in: one for each hour, campaign and country. */
export function rowsOfDays(settings: Pick<DemoSettings, 'campaigns' | 'countries'>, days: number): number {
  return 24 * days * settings.campaigns * settings.countries.length
}

/** The code with which a demo run fails this attempt, or null (domain.md 4.3, `failures`). */
export function demoFailure(settings: DemoSettings, runSeq: number, attempt: number): SyncErrorCode | null {
  const plan = settings.failures
  if (plan === null || runSeq % plan.every_runs !== 0 || attempt > plan.attempts) return null
  return Object.hasOwn(syncErrorCodes, plan.code) ? (plan.code as SyncErrorCode) : null
}

/** SHA-256 of a text in UTF-8. */
export type Sha256 = (text: string) => Uint8Array

const hourMs = 3_600_000
const weekdayFactors = [1, 0.95, 0.95, 1, 1.1, 1.25, 1.2]

/** u(k) of domain.md 4.3: the first 6 bytes of SHA-256(`seed|hour|campaign|country|k`) / 2^48. */
export function uniform(sha256: Sha256, cell: string, k: number): number {
  const digest = sha256(`${cell}|${k}`)
  let value = 0
  for (let index = 0; index < 6; index++) value = value * 256 + (digest[index] ?? 0)
  return value / 2 ** 48
}

/** Rows of all hours in the window that have ended by `nowMs`, in a fixed order. Days are those of the source's zone. */
export function* demoRows(o: {
  settings: DemoSettings
  window: { from: string; to: string }
  zone: string
  currency: string
  nowMs: number
  sha256: Sha256
}): Generator<StatsRow> {
  const firstMs = Math.floor(startOfDayMs(o.window.from, o.zone) / hourMs) * hourMs
  for (let startMs = firstMs; startMs + hourMs <= o.nowMs; startMs += hourMs) {
    const day = localDate(startMs, o.zone)
    if (day > o.window.to) return
    if (day < o.window.from) continue
    for (let campaign = 1; campaign <= o.settings.campaigns; campaign++) {
      for (const country of o.settings.countries) {
        yield demoRow({ ...o, startMs, day, campaign: `demo-${campaign}`, country })
      }
    }
  }
}

/** The row of one cell. */
export function demoRow(o: {
  settings: DemoSettings
  startMs: number
  day: string
  campaign: string
  country: string
  currency: string
  nowMs: number
  sha256: Sha256
}): StatsRow {
  const cell = `${o.settings.seed}|${toInstant(o.startMs)}|${o.campaign}|${o.country}`
  const u = (k: number) => uniform(o.sha256, cell, k)
  const clicks = clicksOf(o, u)
  const signups = Math.min(clicks, Math.floor(clicks * (0.06 + 0.03 * u(3)) + u(4)))
  const values = noMeasures()
  values.impressions = BigInt(25 * clicks)
  values.clicks = BigInt(clicks)
  values.unique_clicks = BigInt(Math.floor(0.9 * clicks))
  values.signups = BigInt(signups)
  Object.assign(values, isHeldBack(o, u) ? moneyOf(0, u) : moneyOf(ftdsOf(signups, u), u))
  return {
    day: o.day,
    hourMs: o.startMs,
    campaignExternalId: o.campaign,
    country: o.country,
    subAffiliateId: null,
    currency: o.currency,
    values,
  }
}

function clicksOf(o: { settings: DemoSettings; day: string; campaign: string }, u: (k: number) => number): number {
  let c = o.settings.clicks_per_day / 24 / o.settings.countries.length
  c *= weekdayFactors[weekdayOf(dayNumber(o.day) ?? 0)] ?? 1
  c *= factorOf(o.settings, o.day, o.campaign)
  return Math.floor(c * (0.85 + 0.3 * u(1)) + u(2))
}

function ftdsOf(signups: number, u: (k: number) => number): number {
  return Math.min(signups, Math.floor(signups * (0.25 + 0.1 * u(5)) + u(6)))
}

function isHeldBack(o: { settings: DemoSettings; startMs: number; nowMs: number }, u: (k: number) => number): boolean {
  if (o.settings.restate_days === 0 || u(10) >= 0.3) return false
  return o.nowMs < o.startMs + Math.ceil(u(11) * o.settings.restate_days) * 24 * hourMs
}

function moneyOf(ftds: number, u: (k: number) => number) {
  const ftdAmount = ftds * (2000 + Math.floor(8000 * u(7)))
  const depositsAmount = 3 * ftdAmount
  const qualified = Math.min(ftds, Math.floor(0.85 * ftds + u(9)))
  const ggr = Math.floor(depositsAmount * (0.5 * u(8) - 0.1))
  const bonuses = Math.floor(0.05 * depositsAmount)
  const fees = Math.floor(0.02 * depositsAmount)
  const ngr = ggr - bonuses - fees
  return {
    ftds: BigInt(ftds),
    qualified_ftds: BigInt(qualified),
    deposits: BigInt(3 * ftds),
    ftd_amount: BigInt(ftdAmount),
    deposits_amount: BigInt(depositsAmount),
    withdrawals_amount: BigInt(Math.floor(0.4 * depositsAmount)),
    ggr: BigInt(ggr),
    bonuses_amount: BigInt(bonuses),
    fees_amount: BigInt(fees),
    chargebacks_amount: 0n,
    ngr: BigInt(ngr),
    cpa_commission: BigInt(15_000 * qualified),
    revshare_commission: BigInt(Math.floor(0.25 * ngr)),
    other_commission: 0n,
  }
}
