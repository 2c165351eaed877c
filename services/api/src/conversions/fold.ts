// One fold of the stored conversions of a window as records of a run, in whole hours of the source's clock (domain.md 4.3). A window that holds
// too many is folded up to an hour, and another run goes on there. Conversions may be added meanwhile: those that a run does not see
// are seen by the next.
import type { Transaction } from '@wds/postgres/transaction'
import { addDays, localDate, startOfDayMs, startOfHourMs, toInstant } from '../calendar/domain/calendar.ts'
import { type CheckedRow, type RowRules, rejected } from '../sources/domain/check-row.ts'
import { recordsMax } from '../sources/domain/ingest-limits.ts'
import type { SourceRecord } from '../sources/source.ts'
import { type ConversionGroup, foldGroup } from './domain/fold-group.ts'
import { readGroups } from './store-conversions.ts'

const dayMs = 86_400_000
const firstSpanMs = 3_600_000
const quarterMs = 900_000
/** Groups in memory at a time. */
const pageGroups = 5_000

interface Days {
  from: string
  to: string
}

export interface FoldOrder {
  integrationId: string
  /** Days of the source's calendar. */
  window: Days
  zone: string
  /** Where it goes on, within the first day; null: with that day. */
  goOnMs: number | null
  /** What occurred before may be gone, and is not folded; null where all is there. */
  keptFromMs: number | null
  /** External ids of the sub-affiliates: rows are told apart by them. */
  subIds: readonly string[]
  /** It ends with the hour in which it has so many, and takes no more of one hour; left out: as many as a run may have. */
  groupsMax?: number
  pageGroups?: number
}

export class Fold {
  readonly #o: FoldOrder
  readonly #endMs: number
  readonly #rejectedDays = new Set<string>()
  readonly fromMs: number
  /** What it has folded ends there; the window does, too, unless it holds too many. */
  toMs: number
  /** Whether it left out groups of its last hour, which has more than are taken of one. */
  isCut = false

  constructor(o: FoldOrder) {
    this.#o = o
    const { window, zone } = o
    this.#endMs = startOfDayMs(addDays(window.to, 1), zone)
    const fromMs = Math.max(startOfDayMs(window.from, zone), o.goOnMs ?? 0, o.keptFromMs ?? 0)
    this.fromMs = Math.min(fromMs, this.#endMs)
    this.toMs = this.#endMs
  }

  /** Whether it came to the end of the window. */
  get isWhole(): boolean {
    return this.toMs === this.#endMs
  }

  /** Days of which it folded something. */
  get days(): Days {
    const { window, zone } = this.#o
    return this.fromMs === this.toMs
      ? window
      : { from: localDate(this.fromMs, zone), to: localDate(this.toMs - 1, zone) }
  }

  /** Days that are folded to their end, by it and the runs that it goes on from; null without one. */
  get coveredDays(): Days | null {
    const { zone } = this.#o
    if (this.fromMs === this.toMs) return null
    const { from } = this.days
    const to = addDays(localDate(this.toMs, zone), -1)
    return from <= to ? { from, to } : null
  }

  /** The day of which another run folded what is before; null where it began with a day. */
  get goesOnIn(): string | null {
    const { zone } = this.#o
    const day = localDate(this.fromMs, zone)
    return startOfDayMs(day, zone) < this.fromMs ? day : null
  }

  /** Days on which conversions were rejected since nobody knows their campaign. */
  get rejectedDays(): string[] {
    return [...this.#rejectedDays]
  }

  /** `read`: a transaction of its own for each page. */
  async *records(
    read: <T>(fn: (tx: Transaction) => Promise<T>) => Promise<T>,
    rules: RowRules,
  ): AsyncGenerator<SourceRecord> {
    const { zone, groupsMax = recordsMax } = this.#o
    let line = 0
    let hourMs: number | null = null
    let ofHour = 0
    for await (const group of this.#groups(read)) {
      const startMs = startOfHourMs(group.quarterMs, zone)
      if (startMs !== hourMs) {
        if (line >= groupsMax) {
          this.toMs = startMs
          return
        }
        hourMs = startMs
        ofHour = 0
      }
      line += 1
      ofHour += 1
      if (ofHour > groupsMax) {
        this.isCut = true
        this.toMs = Math.min(endOfHourMs(startMs, zone), this.#endMs)
        yield { line, checked: rejected('hour_too_large', 'hour', toInstant(startMs)) }
        return
      }
      const checked = foldGroup(group, rules)
      this.#note(checked, group)
      yield { line, checked }
    }
  }

  #note(checked: CheckedRow, group: ConversionGroup): void {
    if (!checked.ok && checked.code === 'unknown_campaign')
      this.#rejectedDays.add(localDate(group.quarterMs, this.#o.zone))
  }

  /**
   * Those of the window in order, a page at a time: of an hour first, so that who wants some does not wait for a day, then of up to a day
   * while groups are few, else of about as long as one page reached.
   */
  async *#groups(read: <T>(fn: (tx: Transaction) => Promise<T>) => Promise<T>): AsyncGenerator<ConversionGroup> {
    const { integrationId, subIds, pageGroups: limit = pageGroups } = this.#o
    let spanMs = firstSpanMs
    let after: ConversionGroup | null = null
    for (let fromMs = this.fromMs; fromMs < this.#endMs; ) {
      const toMs = Math.min(fromMs + spanMs, this.#endMs)
      const part = { integrationId, fromMs, toMs, subIds, after, limit }
      const groups: ConversionGroup[] = await read((tx) => readGroups(tx, part))
      yield* groups
      after = groups.length < limit ? null : (groups.at(-1) ?? null)
      if (after === null) {
        fromMs = toMs
        spanMs = Math.min(2 * spanMs, dayMs)
      } else {
        spanMs = Math.max(quarterMs, after.quarterMs - fromMs)
        fromMs = Math.max(fromMs, after.quarterMs)
      }
    }
  }
}

/** Each zone changes its hour at a full quarter. */
function endOfHourMs(startMs: number, zone: string): number {
  let ms = startMs + quarterMs
  while (startOfHourMs(ms, zone) === startMs) ms += quarterMs
  return ms
}
