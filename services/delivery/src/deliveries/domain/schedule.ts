// Decides when the next attempt is due: the delays before each attempt, deliberate jitter, and Retry-After (settled-points.md 1, 2, 6).
// It reads no clock and no randomness: both come in as arguments.

/** When attempts follow one another. Times in milliseconds. */
export interface Schedule {
  /** `delaysMs[n - 1]` comes before attempt n + 1. */
  readonly delaysMs: readonly number[]
  /** Maximum attempts of a delivery per epoch, including the first. */
  readonly attempts: number
  /** The latest that a Retry-After can put an attempt off. */
  readonly retryAfterMaxMs: number
}

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** The specification's schedule: 6 attempts; the sixth delay is reached only with 7 (settled-points.md 1). */
export const defaultSchedule: Schedule = {
  delaysMs: [30 * second, 2 * minute, 10 * minute, hour, 6 * hour, 24 * hour],
  attempts: 6,
  retryAfterMaxMs: 24 * hour,
}

/** An attempt may be late on purpose by this part of its delay, never early (settled-points.md 2). */
export const jitterPart = 0.05

/** What is wrong with a schedule, in words; empty when it can be used (security.md 7). */
export function scheduleFaults(schedule: Schedule): string[] {
  const faults: string[] = []
  if (!Number.isInteger(schedule.attempts) || schedule.attempts < 1)
    faults.push('the number of attempts must be at least 1')
  if (schedule.attempts - 1 > schedule.delaysMs.length) {
    faults.push(
      `${schedule.attempts} attempts need ${schedule.attempts - 1} delays, there are ${schedule.delaysMs.length}`,
    )
  }
  if (schedule.delaysMs.some((delayMs) => !Number.isInteger(delayMs) || delayMs < 0))
    faults.push('a delay must not be negative')
  return faults
}

/**
 * Milliseconds from the end of attempt `attempt` (from 1) to the next; null when it was the last. `random` in [0, 1): how much of the jitter is used.
 */
export function delayAfter(schedule: Schedule, attempt: number, random: number): number | null {
  const delayMs = attempt >= schedule.attempts ? undefined : schedule.delaysMs[attempt - 1]
  return delayMs === undefined ? null : delayMs + Math.floor(delayMs * jitterPart * random)
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const fixDate = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\d{2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}):(\d{2}):(\d{2}) GMT$/

/** Milliseconds that a `Retry-After` field asks to wait, seconds or an HTTP date; null for garbage, negative numbers and times that have passed. */
export function parseRetryAfter(text: string, nowMs: number): number | null {
  const trimmed = text.trim()
  if (/^\d{1,10}$/.test(trimmed)) return Number(trimmed) * second
  const match = fixDate.exec(trimmed)
  if (match === null) return null
  const [, day, monthName = '', year, hours, minutes, seconds] = match
  const month = months.indexOf(monthName)
  if (
    month < 0 ||
    Number(day) < 1 ||
    Number(day) > 31 ||
    Number(hours) > 23 ||
    Number(minutes) > 59 ||
    Number(seconds) > 60
  )
    return null
  const atMs = Date.UTC(Number(year), month, Number(day), Number(hours), Number(minutes), Number(seconds))
  return atMs > nowMs ? atMs - nowMs : null
}

/** The later of the schedule's delay and what was asked for, the latter at most `retryAfterMaxMs` (settled-points.md 6). */
export function laterOf(schedule: Schedule, delayMs: number, askedMs: number | null): number {
  return askedMs === null ? delayMs : Math.max(delayMs, Math.min(askedMs, schedule.retryAfterMaxMs))
}
