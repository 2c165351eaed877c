// Writes instants as people say them, and exactly (ui.md 6).

const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** `3 minutes ago`, `in 2 hours`; within ten seconds `just now`. Both in epoch milliseconds. */
export function relativeTime(instantMs: number, nowMs: number, locale = 'en'): string {
  const seconds = Math.round((instantMs - nowMs) / 1_000)
  if (Math.abs(seconds) < 10) return 'just now'
  const [unit, size] = units.find(([, unitSeconds]) => Math.abs(seconds) >= unitSeconds) ?? ['second', 1]
  return new Intl.RelativeTimeFormat(locale, { numeric: 'always' }).format(Math.trunc(seconds / size), unit)
}

/** The instant on the clock of the reader, and of UTC. */
export function exactTimes(
  instantMs: number,
  o: { locale?: string; timeZone?: string } = {},
): { local: string; utc: string } {
  const format = (timeZone: string | undefined) =>
    new Intl.DateTimeFormat(o.locale ?? 'en-GB', { dateStyle: 'medium', timeStyle: 'long', timeZone }).format(instantMs)
  return { local: format(o.timeZone), utc: format('UTC') }
}

/** `14 s`, `4 min 5 s`: whole seconds, and never too few. */
export function countdownText(ms: number): string {
  const seconds = Math.ceil(ms / 1_000)
  return seconds < 60 ? `${seconds} s` : durationText(seconds * 1_000)
}

/** `820 ms`, `3.2 s`, `4 min 5 s`. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`
  const seconds = Math.round(ms / 1_000)
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  const minutes = Math.round(seconds / 60)
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
