// A second opinion on the numbers of a workspace: what its sources said, taken over as domain.md 4.5 says and summed one by one. Written
// from the design alone; nothing of the product takes part. For tests only.
import { createHash } from 'node:crypto'
import { type NetworkSize, networkRows } from '@wds/fake-source/network'

/** Measures in the order of domain.md 3.5; null: not supplied. */
export type Measures = Record<string, number | null>
export const measureNames =
  'impressions clicks unique_clicks signups ftds qualified_ftds deposits ftd_amount deposits_amount withdrawals_amount ggr bonuses_amount fees_amount chargebacks_amount ngr cpa_commission revshare_commission other_commission'.split(
    ' ',
  )

/** A line of a source. */
export interface RawRow {
  /** By the source's zone, UTC. */
  sourceDay: string
  /** Epoch milliseconds, of a source that tells hours. */
  startMs: number | null
  brand: string
  campaign: string
  country: string
  measures: Measures
  /** It has a value that is none. */
  isWrong: boolean
}

/** What a source answers for a window at an instant. */
export type Source = (window: { from: string; to: string }, atMs: number) => RawRow[]

const dayMs = 86_400_000
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/** Lines of one brand of the network. `wrongEach`: besides, each so manieth line of the whole report is wrong; 0: none. */
export function networkSource(
  size: NetworkSize,
  { brand, slug, wrongEach }: { brand: string; slug: string; wrongEach(): number },
): Source {
  return (window, atMs) =>
    [...networkRows({ ...size, ...window, asOfMs: atMs })]
      .map((row, at) => ({ row, isWrong: row.isWrong === true || (wrongEach() > 0 && (at + 1) % wrongEach() === 0) }))
      .filter(({ row }) => row.brand === brand)
      .map(({ row, isWrong }) => ({
        sourceDay: row.date,
        startMs: null,
        brand: slug,
        campaign: row.campaign,
        country: row.country,
        isWrong,
        measures: {
          clicks: row.clicks,
          signups: row.registrations,
          ftds: row.ftds,
          qualified_ftds: row.qualifiedFtds,
          deposits: row.deposits,
          deposits_amount: row.depositsAmount,
          ngr: row.ngr,
          cpa_commission: row.cpa,
          revshare_commission: row.revshare,
        },
      }))
}

export interface DemoForm {
  seed: number
  campaigns: number
  countries: string[]
  clicks_per_day: number
  restate_days: number
  anomalies: { date: string; factor: number }[]
}

/** Lines of the demo provider by the formulas of domain.md 4.3, for hours that have ended. */
export function demoSource(form: DemoForm, slug: string): Source {
  const drawn = new Map<string, number[]>()
  const draws = (cell: string): number[] => {
    const known = drawn.get(cell)
    if (known) return known
    const made = Array.from({ length: 12 }, (_, k) => {
      const hex = createHash('sha256').update(`${cell}|${k}`).digest('hex').slice(0, 12)
      return Number.parseInt(hex, 16) / 2 ** 48
    })
    drawn.set(cell, made)
    return made
  }
  return ({ from, to }, atMs) => {
    const rows: RawRow[] = []
    for (let startMs = Date.parse(from); dayOf(startMs) <= to && startMs + dayMs / 24 <= atMs; startMs += dayMs / 24) {
      for (let nth = 1; nth <= form.campaigns; nth++) {
        for (const country of form.countries) {
          const campaign = `demo-${nth}`
          const u = draws(`${form.seed}|${new Date(startMs).toISOString()}|${campaign}|${country}`)
          const measures = demoMeasures(form, { startMs, atMs, u: (k) => u[k] ?? 0 })
          rows.push({ sourceDay: dayOf(startMs), startMs, brand: slug, campaign, country, measures, isWrong: false })
        }
      }
    }
    return rows
  }
}

const monToSun = [1, 0.95, 0.95, 1, 1.1, 1.25, 1.2]

function demoMeasures(form: DemoForm, o: { startMs: number; atMs: number; u: (k: number) => number }): Measures {
  const { u, startMs, atMs } = o
  const weekday = (new Date(startMs).getUTCDay() + 6) % 7
  const anomaly = form.anomalies.find(({ date }) => date === dayOf(startMs))?.factor ?? 1
  const c = (form.clicks_per_day / 24 / form.countries.length) * (monToSun[weekday] ?? 1) * anomaly
  const clicks = Math.floor(c * (0.85 + 0.3 * u(1)) + u(2))
  const signups = Math.min(clicks, Math.floor(clicks * (0.06 + 0.03 * u(3)) + u(4)))
  const toldMs = startMs + Math.ceil(u(11) * form.restate_days) * dayMs
  const isHeldBack = form.restate_days > 0 && u(10) < 0.3 && atMs < toldMs
  const ftds = isHeldBack ? 0 : Math.min(signups, Math.floor(signups * (0.25 + 0.1 * u(5)) + u(6)))
  const qualified = Math.min(ftds, Math.floor(0.85 * ftds + u(9)))
  const ftdAmount = ftds * (2_000 + Math.floor(8_000 * u(7)))
  const deposits = 3 * ftdAmount
  const [ggr, bonuses, fees] = [Math.floor(deposits * (0.5 * u(8) - 0.1)), 0.05 * deposits, 0.02 * deposits]
  const ngr = ggr - Math.floor(bonuses) - Math.floor(fees)
  return {
    impressions: 25 * clicks,
    clicks,
    unique_clicks: Math.floor(0.9 * clicks),
    signups,
    ftds,
    qualified_ftds: qualified,
    deposits: 3 * ftds,
    ftd_amount: ftdAmount,
    deposits_amount: deposits,
    withdrawals_amount: Math.floor(0.4 * deposits),
    ggr,
    bonuses_amount: Math.floor(bonuses),
    fees_amount: Math.floor(fees),
    chargebacks_amount: 0,
    ngr,
    cpa_commission: 15_000 * qualified,
    revshare_commission: Math.floor(0.25 * ngr),
    other_commission: 0,
  }
}

/** What the workspace should hold. */
export interface Oracle {
  /** A run of the source that succeeded; how many of its lines cannot be read. */
  pulled(source: Source, window: { from: string; to: string }, atMs: number): number
  /** The lines that count for a day of the workspace, as text that is compared. */
  linesOf(day: string): string
  /** Sums of all lines of the days, by what `of` names. */
  sums(days: { from: string; to: string }, of: (row: RawRow & { day: string }) => string): Map<string, Measures>
}

export function createOracle(o: { zone: string }): Oracle {
  const held = new Map<Source, Map<string, RawRow & { day: string }>>()
  const local = new Intl.DateTimeFormat('en-CA', { timeZone: o.zone, dateStyle: 'short' })
  const all = () => [...held.values()].flatMap((rows) => [...rows.values()])
  return {
    pulled(source, window, atMs) {
      const rows = held.get(source) ?? new Map<string, RawRow & { day: string }>()
      held.set(source, rows)
      const answer = source(window, atMs)
      // A line that cannot be read must not remove its older self: then nothing is removed.
      if (!answer.some(({ isWrong }) => isWrong)) {
        for (const [key, { sourceDay }] of rows) {
          if (sourceDay >= window.from && sourceDay <= window.to) rows.delete(key)
        }
      }
      for (const row of answer) {
        if (row.isWrong) continue
        const day = row.startMs === null ? row.sourceDay : local.format(row.startMs)
        rows.set(`${row.sourceDay}|${row.startMs}|${row.campaign}|${row.country}`, { ...row, day })
      }
      return answer.filter(({ isWrong }) => isWrong).length
    },
    linesOf: (day) =>
      all()
        .filter((row) => row.day === day)
        .map((row) => JSON.stringify(row))
        .sort()
        .join('\n'),
    sums(days, of) {
      const sums = new Map<string, Measures>()
      for (const row of all()) {
        if (row.day < days.from || row.day > days.to) continue
        const sum = sums.get(of(row)) ?? Object.fromEntries(measureNames.map((name) => [name, null]))
        sums.set(of(row), sum)
        for (const [name, value] of Object.entries(row.measures)) {
          if (value !== null) sum[name] = (sum[name] ?? 0) + value
        }
      }
      return sums
    },
  }
}
