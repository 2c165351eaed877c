// Decides calendar arithmetic: instants are epoch milliseconds, dates are YYYY-MM-DD, zones are IANA names.
// It never reads a clock.

const dayMs = 86_400_000
const hourMs = 3_600_000
const minuteMs = 60_000
/** By the zone's name in lower case, which bounds them. */
const clocks = new Map<string, Clock>()

/** Days since 1970-01-01 of a calendar date, or null where the text is no date of the calendar. */
export function dayNumber(date: string): number | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(date)
  if (!match) return null
  return dayNumberOf(Number(match[1]), Number(match[2]), Number(match[3]))
}

/** Days since 1970-01-01 of year, month 1–12 and day; null where there is no such day. */
export function dayNumberOf(year: number, month: number, day: number): number | null {
  const date = new Date(0)
  // Not `Date.UTC`, which takes the year 50 for 1950. A day that is not there becomes one of another month.
  date.setUTCFullYear(year, month - 1, day)
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() / dayMs : null
}

/** Calendar date of a day number. */
export function dateOf(number: number): string {
  const [date = ''] = new Date(number * dayMs).toISOString().split('T')
  // The day after 9999-12-31 is 10000-01-01 to the database, and +010000-01-01 to the runtime.
  return date.replace(/^\+0*/, '')
}

/** The date `days` later (earlier where negative). */
export function addDays(date: string, days: number): string {
  const number = dayNumber(date)
  if (number === null) throw new RangeError('not a date')
  return dateOf(number + days)
}

/** Number of days of an inclusive range. */
export function daysBetween(from: string, to: string): number {
  return (dayNumber(to) ?? Number.NaN) - (dayNumber(from) ?? Number.NaN) + 1
}

/** The dates of an inclusive range, also where it ends with the last one that is written with four digits of a year. */
export function datesOf({ from, to }: { from: string; to: string }): string[] {
  const [first, last] = [dayNumber(from), dayNumber(to)]
  if (first === null || last === null) throw new RangeError('not a date')
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => dateOf(first + index))
}

/** Monday 0 to Sunday 6. */
export function weekdayOf(dayNumberValue: number): number {
  return (new Date(dayNumberValue * dayMs).getUTCDay() + 6) % 7
}

/** RFC 3339 UTC with milliseconds (api-conventions.md 1). */
export function toInstant(ms: number): string {
  return new Date(ms).toISOString()
}

/** Offset of a zone from UTC at an instant, in milliseconds, east positive. */
export function offsetMs(ms: number, zone: string): number {
  if (zone === 'UTC') return 0
  const clock = clockOf(zone)
  const hour = Math.floor(ms / hourMs)
  const steady = remembered(clock.hours, hour, () => {
    const first = readOffset(clock, hour * hourMs)
    return first === readOffset(clock, (hour + 1) * hourMs) ? first : null
  })
  if (steady !== null) return steady
  const minute = Math.floor(ms / minuteMs)
  return remembered(clock.minutes, minute, () => readOffset(clock, minute * minuteMs))
}

/** Asking the runtime for an offset takes longer than all other checks of a row. */
interface Clock {
  format: Intl.DateTimeFormat
  /** Offset of an hour of UTC; null where it changes within. */
  hours: Map<number, number | null>
  /** Offset of a minute, for hours within which it changes. */
  minutes: Map<number, number>
}

const rememberedMax = 1_000

function remembered<V>(known: Map<number, V>, key: number, read: () => V): V {
  const found = known.get(key)
  if (found !== undefined) return found
  if (known.size >= rememberedMax) known.clear()
  const made = read()
  known.set(key, made)
  return made
}

function readOffset({ format }: Clock, ms: number): number {
  const parts: Record<string, number> = {}
  for (const part of format.formatToParts(ms)) parts[part.type] = Number(part.value)
  const day = dayNumberOf(parts.year ?? 1970, parts.month ?? 1, parts.day ?? 1) ?? 0
  const local = day * dayMs + (parts.hour ?? 0) * hourMs + (parts.minute ?? 0) * minuteMs + (parts.second ?? 0) * 1000
  return local - Math.floor(ms / 1000) * 1000
}

/** Date on the calendar of a zone at an instant. */
export function localDate(ms: number, zone: string): string {
  return dateOf(Math.floor((ms + offsetMs(ms, zone)) / dayMs))
}

/** Instant of a local wall-clock time; in a gap the time after it, where it is twice the first (domain.md T2). */
export function zonedToMs(localMs: number, zone: string): number {
  // Offsets a day before and after: they are on both sides of a change of the clock, which may be by hours (Troll) or a day (Apia).
  const before = localMs - offsetMs(localMs - dayMs, zone)
  const after = localMs - offsetMs(localMs + dayMs, zone)
  const found = [before, after].filter((ms) => ms + offsetMs(ms, zone) === localMs)
  return found.length > 0 ? Math.min(...found) : before
}

/**
 * First instant of the hour that holds an instant on the clock of a zone. A change of that clock begins an hour, too: where it is
 * not by whole hours at the full hour (Lord Howe, Chatham), the hours beside it are shorter.
 */
export function startOfHourMs(ms: number, zone: string): number {
  const offset = offsetMs(ms, zone)
  let start = Math.floor((ms + offset) / hourMs) * hourMs - offset
  if (offsetMs(start, zone) === offset) return start
  // The clock changed between the two, at a full minute.
  let before = start
  start = Math.floor(ms / minuteMs) * minuteMs
  while (start - before > minuteMs) {
    const middle = before + Math.floor((start - before) / 2 / minuteMs) * minuteMs
    if (offsetMs(middle, zone) === offset) start = middle
    else before = middle
  }
  return start
}

/** First instant of a local hour, of which a gap may have taken the beginning or all; where it is twice the first. */
export function zonedHourToMs(localMs: number, zone: string): number {
  const localStart = Math.floor(localMs / hourMs) * hourMs
  const start = zonedToMs(localStart, zone)
  if (start + offsetMs(start, zone) === localStart) return start
  return startOfHourMs(zonedToMs(localStart + hourMs - minuteMs, zone), zone)
}

/** First instant of a date in a zone. */
export function startOfDayMs(date: string, zone: string): number {
  return startAfterMs(date, 0, zone)
}

/** First instant of the day `days` after a date, which need not have a date of four digits. */
export function startAfterMs(date: string, days: number, zone: string): number {
  const number = dayNumber(date)
  if (number === null) throw new RangeError('not a date')
  return zonedToMs((number + days) * dayMs, zone)
}

/** By the name in lower case, which bounds them: of names that the runtime knows there are some 600. Asking it is slow. */
const canonicalZones = new Map<string, string>()

/** The name that the runtime gives a zone of several names, or null where it knows none of this one (domain.md T1: `GMT+2` is no name). */
function canonicalTimeZone(name: string): string | null {
  if (!/^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/.test(name)) return null
  const key = name.toLowerCase()
  const known = canonicalZones.get(key)
  if (known !== undefined) return known
  try {
    const canonical = new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone
    canonicalZones.set(key, canonical)
    return canonical
  } catch {
    return null
  }
}

/**
 * An IANA name as it is kept, or null where the runtime does not know it. It is kept as given, since the runtime's own name may be
 * the old one (`Asia/Katmandu`); only capitals are set right, where it is the runtime's own.
 */
export function timeZoneName(given: string): string | null {
  const canonical = canonicalTimeZone(given)
  return canonical?.toLowerCase() === given.toLowerCase() ? canonical : canonical && given
}

/** Whether two names mean one zone, `Asia/Katmandu` and `Asia/Kathmandu`. */
export function isSameZone(a: string, b: string): boolean {
  return a === b || canonicalTimeZone(a) === canonicalTimeZone(b)
}

function clockOf(zone: string): Clock {
  const key = zone.toLowerCase()
  const known = clocks.get(key)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  const made = { format, hours: new Map(), minutes: new Map() }
  clocks.set(key, made)
  return made
}
