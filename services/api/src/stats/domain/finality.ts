// Decides what an answer says of the days it is made of: which are final, through when, since when (domain.md 3.5).
import { datesOf, isSameZone } from '../../calendar/domain/calendar.ts'
import type { KnownDay } from '../../stats-calendar/domain/known-day.ts'

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

/**
 * `days`: those of the workspace that exist. One that was rolled up by another zone than rows are cut by now is not final any more. In
 * another zone a day is read from the rows of the days it lies in: these must be final, and not have changed since.
 */
export function finalityOf(
  { from, to }: { from: string; to: string },
  o: {
    days: readonly KnownDay[]
    timeZone: string
    overlapped(day: string): { from: string; to: string }
    isOwnZone: boolean
  },
): Finality {
  const known = new Map(o.days.map((day) => [day.day, day]))
  const range = datesOf({ from, to })
  const under = (day: string) => datesOf(o.overlapped(day)).map((at) => known.get(at))
  const holds = (day: KnownDay | undefined) =>
    day?.isFinal === true && isSameZone(day.timeZone, o.timeZone) && (o.isOwnZone || !day.isPending)
  const isFinalDay = (day: string) => under(day).every(holds)
  const finalDays = range.filter(isFinalDay)
  const firstOpen = range.findIndex((day) => !isFinalDay(day))
  const isFinal = firstOpen === -1
  const watermarks = range.flatMap(under).map((day) => day?.watermarkMs ?? null)
  const reached = watermarks.filter((ms) => ms !== null)
  return {
    finalDays,
    isFinal,
    finalThrough: isFinal ? to : firstOpen === 0 ? null : (range[firstOpen - 1] ?? null),
    watermarkMs: reached.length === watermarks.length ? Math.min(...reached) : null,
    revisionMax: Math.max(0, ...o.days.map(({ revision }) => revision)),
    incomplete: [...new Set(o.days.flatMap(({ missing }) => missing))].sort(),
    sinceMs: isFinal ? Math.max(...o.days.map(({ revisedMs }) => revisedMs ?? 0)) : null,
  }
}

/** Of an answer that is made of the ledger, too: what it says of a final day may wait for a rate, and change with a plan. */
export function withPostingState(finality: Finality, o: { lastMs: number | null; isWaiting: boolean }): Finality {
  if (!finality.isFinal || o.isWaiting) return { ...finality, isFinal: false, sinceMs: null }
  return { ...finality, sinceMs: Math.max(finality.sinceMs ?? 0, o.lastMs ?? 0) }
}

/** Of an answer that compares: final where the earlier days are, too. What it says of days it says of those asked for. */
export function joinFinality(asked: Finality, earlier: Finality | null): Finality {
  if (earlier === null) return asked
  const isFinal = asked.isFinal && earlier.isFinal
  return { ...asked, isFinal, sinceMs: isFinal ? Math.max(asked.sinceMs ?? 0, earlier.sinceMs ?? 0) : null }
}
