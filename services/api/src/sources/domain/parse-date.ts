// Decides how a cell becomes a date or the start of an hour (domain.md 4.4). It never guesses a format.
import {
  dateOf,
  dayNumber,
  dayNumberOf,
  localDate,
  startOfHourMs,
  zonedHourToMs,
  zonedToMs,
} from '../../calendar/domain/calendar.ts'

/** Formats a mapping may name; `YYYY-MM-DD` is the default. */
export const dateFormats = ['YYYY-MM-DD', 'DD/MM/YYYY', 'MM/DD/YYYY', 'YYYYMMDD', 'unix', 'unix_ms', 'iso'] as const
export type DateFormat = (typeof dateFormats)[number]

/** Formats of an hour; `iso` is the default. */
export const hourFormats = ['iso', 'unix', 'unix_ms'] as const satisfies readonly DateFormat[]

const dayMs = 86_400_000
const hourMs = 3_600_000

/** The date of a cell in the source's zone, or null where the cell is not in the format or no calendar date. */
export function parseDate(cell: string, format: DateFormat, zone: string): string | null {
  if (format === 'unix' || format === 'unix_ms' || format === 'iso') {
    const ms = format === 'iso' ? isoInstant(cell, zone, zonedToMs) : unixInstant(cell, format)
    return ms === null ? null : localDate(ms, zone)
  }
  const number = dayNumberIn(cell, format)
  return number === null ? null : dateOf(number)
}

function dayNumberIn(cell: string, format: 'YYYY-MM-DD' | 'DD/MM/YYYY' | 'MM/DD/YYYY' | 'YYYYMMDD'): number | null {
  if (format === 'YYYY-MM-DD') return dayNumber(cell)
  if (format === 'YYYYMMDD') {
    const match = /^(\d{4})(\d{2})(\d{2})$/.exec(cell)
    return match ? dayNumberOf(Number(match[1]), Number(match[2]), Number(match[3])) : null
  }
  const match = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(cell)
  if (!match) return null
  const [first, second, year] = [Number(match[1]), Number(match[2]), Number(match[3])]
  return format === 'DD/MM/YYYY' ? dayNumberOf(year, second, first) : dayNumberOf(year, first, second)
}

const isoTime = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?$/

/**
 * Start of the hour of the source's clock that holds a time in the format, ISO 8601 with offset or in the source's zone; null where
 * it is none. However an instant is written, it is in one hour.
 */
export function parseHour(cell: string, format: DateFormat, zone: string): number | null {
  const ms =
    format === 'unix' || format === 'unix_ms' ? unixInstant(cell, format) : isoInstant(cell, zone, zonedHourToMs)
  return ms === null ? null : startOfHourMs(ms, zone)
}

/** The instant of a time: ISO 8601 with offset or in the zone, or whole seconds since 1970; null where it is none. */
export function parseInstant(text: string, zone: string): number | null {
  return unixInstant(text, 'unix') ?? isoInstant(text, zone, zonedToMs)
}

function unixInstant(cell: string, format: 'unix' | 'unix_ms'): number | null {
  if (!/^\d{1,14}$/.test(cell)) return null
  const ms = Number(cell) * (format === 'unix' ? 1000 : 1)
  return ms > 253_402_300_799_999 ? null : ms
}

/** The instant; `fromLocal` says which one a time without an offset means. */
function isoInstant(cell: string, zone: string, fromLocal: typeof zonedToMs): number | null {
  const match = isoTime.exec(cell)
  const day = match ? dayNumber(match[1] ?? '') : null
  if (!match || day === null) return null
  const [hour, minute, second] = [Number(match[2]), Number(match[3]), Number(match[4] ?? 0)]
  if (hour > 23 || minute > 59 || second > 59) return null
  const localMs = day * dayMs + hour * hourMs + minute * 60_000 + second * 1000
  const offset = match[5]
  if (offset === undefined) return fromLocal(localMs, zone)
  if (offset === 'Z') return localMs
  const [hours, minutes] = [Number(offset.slice(1, 3)), Number(offset.slice(-2))]
  if (hours > 14 || minutes > 59) return null
  return localMs - (offset[0] === '-' ? -1 : 1) * (hours * hourMs + minutes * 60_000)
}
