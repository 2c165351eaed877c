// Decides what an answer says of the days it is made of: which are final, through when, since when (domain.md 3.5).
import { addDays, isSameZone } from '../../calendar/domain/calendar.ts'

/** A day as its aggregate left it. */
interface KnownDay {
  day: string
  isFinal: boolean
  timeZone: string
  revision: number
  watermarkMs: number | null
  missing: string[]
  revisedMs: number | null
}

export interface Finality {
  /** Of the range, in their order. */
  finalDays: string[]
  isFinal: boolean
  /** Last date up to which every day of the range is final. */
  finalThrough: string | null
  /** The least watermark, null while one is missing. */
  watermarkMs: number | null
  revisionMax: number
  /** Integrations that a day of the range waits for, or did not wait for any longer. */
  incomplete: string[]
  /** Where all is final: since when. */
  sinceMs: number | null
}

/** `days`: those of the range that exist. One that was rolled up by another zone than rows are cut by now is not final any more. */
export function finalityOf(
  { from, to }: { from: string; to: string },
  { days, timeZone }: { days: readonly KnownDay[]; timeZone: string },
): Finality {
  const known = new Map(days.map((day) => [day.day, day]))
  const isFinalDay = (day: string) => {
    const found = known.get(day)
    return found?.isFinal === true && isSameZone(found.timeZone, timeZone)
  }
  const range: string[] = []
  for (let day = from; day <= to; day = addDays(day, 1)) range.push(day)
  const finalDays = range.filter(isFinalDay)
  const firstOpen = range.findIndex((day) => !isFinalDay(day))
  const isFinal = firstOpen === -1
  const watermarks = range.map((day) => known.get(day)?.watermarkMs ?? null)
  const reached = watermarks.filter((ms) => ms !== null)
  return {
    finalDays,
    isFinal,
    finalThrough: isFinal ? to : firstOpen === 0 ? null : (range[firstOpen - 1] ?? null),
    watermarkMs: reached.length === range.length ? Math.min(...reached) : null,
    revisionMax: Math.max(0, ...days.map(({ revision }) => revision)),
    incomplete: [...new Set(days.flatMap(({ missing }) => missing))].sort(),
    sinceMs: isFinal ? Math.max(...days.map(({ revisedMs }) => revisedMs ?? 0)) : null,
  }
}
