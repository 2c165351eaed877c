// The numbers of a subscription as bars, and their sum in words (ui.md 2, 3).

export interface Period {
  /** RFC 3339. */
  start: string
  succeeded: number
  failed: number
  unknown: number
}

export interface Bar extends Period {
  /** RFC 3339, not included. */
  end: string
}

/**
 * One bar for each step from `sinceMs` to `untilMs`, those without attempts too, oldest first. Times in epoch milliseconds; `stepMs` is a
 * whole number of the periods' own length.
 */
export function barsOf(periods: readonly Period[], o: { sinceMs: number; untilMs: number; stepMs: number }): Bar[] {
  const bars: Bar[] = []
  for (let startMs = o.sinceMs; startMs < o.untilMs; startMs += o.stepMs) {
    const endMs = startMs + o.stepMs
    const own = periods.filter(({ start }) => Date.parse(start) >= startMs && Date.parse(start) < endMs)
    const sum = (name: 'succeeded' | 'failed' | 'unknown') => own.reduce((total, period) => total + period[name], 0)
    const [start, end] = [new Date(startMs).toISOString(), new Date(endMs).toISOString()]
    bars.push({ start, end, succeeded: sum('succeeded'), failed: sum('failed'), unknown: sum('unknown') })
  }
  return bars
}

/** Share of attempts that succeeded, as `98.2 %`; null without any. Rounded down, so that one failure is never 100 %. */
export function successRate(o: { attempts: number; succeeded: number }): string | null {
  if (o.attempts === 0) return null
  if (o.succeeded === o.attempts) return '100 %'
  if (o.succeeded === 0) return '0 %'
  return `${(Math.floor((o.succeeded / o.attempts) * 1_000) / 10).toFixed(1)} %`
}

/** The full hours up to and with that of `nowMs`. */
export function lastHours(nowMs: number, hours: number): { sinceMs: number; untilMs: number } {
  const untilMs = (Math.floor(nowMs / 3_600_000) + 1) * 3_600_000
  return { sinceMs: untilMs - hours * 3_600_000, untilMs }
}
