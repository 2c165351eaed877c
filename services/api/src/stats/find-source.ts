// Finds where the sums of a range of days come from: the rollups of those that are final, the rows of the others, cut by the zone that
// is asked for (domain.md 3.5, T3).
import type { Transaction } from '@wds/postgres/transaction'
import { addDays, isSameZone, localDate } from '../calendar/domain/calendar.ts'
import { boundsOfDay, dayCuts } from '../calendar/domain/workspace-day.ts'
import { readDays } from '../stats-calendar/store-finality.ts'
import type { Pair, Range } from './domain/compare-period.ts'
import { type Finality, finalityOf } from './domain/finality.ts'
import type { StatsSource } from './store-source.ts'

export interface Source extends StatsSource {
  finality: Finality
}

export async function findSource(
  tx: Transaction,
  o: {
    workspaceId: string
    /** By which rows are cut. */
    workspaceZone: string
    /** By which days are asked for. */
    timeZone: string
    /** Days that the answer speaks about. */
    range: Range
    /** Of them, the days that are summed, where not all. */
    summed?: Range
    finalOnly: boolean
    cut: StatsSource['cut']
    pairs?: Pair[]
  },
): Promise<Source> {
  const { workspaceId, timeZone, workspaceZone, range, cut } = o
  const isOwnZone = isSameZone(timeZone, workspaceZone)
  /** Days of the workspace that a day asked for lies in. */
  const overlapped = (day: string): Range => {
    if (isOwnZone) return { from: day, to: day }
    const { startMs, endMs } = boundsOfDay(day, timeZone)
    return { from: localDate(startMs, workspaceZone), to: localDate(endMs - 1, workspaceZone) }
  }
  const touched = { from: overlapped(range.from).from, to: overlapped(range.to).to }
  const days = await readDays(tx, { workspaceId, ...touched })
  const finality = finalityOf(range, { days, timeZone: workspaceZone, overlapped, isOwnZone })
  const rolledUp = isOwnZone ? finality.finalDays.filter((day) => day !== cut?.day) : []
  return {
    workspaceId,
    finality,
    cut,
    rolledUp,
    pairs: o.pairs ?? null,
    days: o.summed ?? range,
    // One day more: it says where the last one ends.
    cuts: isOwnZone ? null : dayCuts(range.from, addDays(range.to, 1), timeZone),
    only: o.finalOnly ? finality.finalDays : null,
  }
}
