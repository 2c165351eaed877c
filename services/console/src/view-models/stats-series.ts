// Makes the line of one metric from a stats answer: one point for each day of the period, whether rows came for it or not (ui.md 2).

export const overviewMetrics = ['clicks', 'signups', 'ftds', 'commission'] as const
export type OverviewMetric = (typeof overviewMetrics)[number]

/** Metrics in minor units, which are summed within one currency only. */
export const isMoney = (metric: OverviewMetric): boolean => metric === 'commission'

type Row = Readonly<Record<string, string | number | null>>

export interface Point {
  /** Calendar date. */
  day: string
  /** Null: nothing is known of the day. */
  value: number | null
}

const dayMs = 86_400_000

const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/** The days that end with the one of `nowMs`, in UTC. Both dates are included. */
export function periodOf(nowMs: number, days: number): { from: string; to: string } {
  return { from: dateOf(nowMs - (days - 1) * dayMs), to: dateOf(nowMs) }
}

/** Four weeks before a day and one after it, not beyond today (UTC). Both dates are included. */
export function daysAround(day: string, nowMs: number): { from: string; to: string } {
  const ms = Date.parse(day)
  return { from: dateOf(ms - 28 * dayMs), to: dateOf(Math.max(ms, Math.min(ms + 7 * dayMs, nowMs))) }
}

/** The currencies of the rows, the one with the most money first. */
export function currenciesOf(rows: readonly Row[], metric: string): string[] {
  const sums = new Map<string, number>()
  for (const row of rows) {
    const { currency } = row
    if (typeof currency === 'string') sums.set(currency, (sums.get(currency) ?? 0) + Number(row[metric] ?? 0))
  }
  return [...sums].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1)).map(([currency]) => currency)
}

/** `currency`: only rows of it; null: all, for what is no money. */
export function seriesOf(
  rows: readonly Row[],
  o: { metric: string; from: string; to: string; currency: string | null },
): Point[] {
  const sums = new Map<string, number>()
  for (const row of rows) {
    const value = row[o.metric]
    if (typeof value !== 'number' || (o.currency !== null && row.currency !== o.currency)) continue
    const day = String(row.day)
    sums.set(day, (sums.get(day) ?? 0) + value)
  }
  const points: Point[] = []
  for (let ms = Date.parse(o.from); ms <= Date.parse(o.to); ms += dayMs) {
    const day = dateOf(ms)
    points.push({ day, value: sums.get(day) ?? null })
  }
  return points
}

/** Of the days of which something is known; null: of none. */
export function totalOf(points: readonly Point[]): number | null {
  const known = points.flatMap(({ value }) => (value === null ? [] : [value]))
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0)
}
