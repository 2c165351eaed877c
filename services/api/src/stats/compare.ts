// Plans the comparison of a range with an earlier one (domain.md 3.5, `compare`). On the running day both sides end at the same local
// hour, where all sources count by hours; else that day is left out of both.
import type { Transaction } from '@wds/postgres/transaction'
import { addDays, dayNumber, offsetMs, zonedToMs } from '../calendar/domain/calendar.ts'
import { type CompareMode, comparePairs, compareRange, counterpart, type Range } from './domain/compare-period.ts'
import { findSource, type Source } from './find-source.ts'
import type { StatsRequest } from './read-request.ts'
import { findDailyIntegrations, type StatsSource } from './store-source.ts'

const dayMs = 86_400_000
const hourMs = 3_600_000

export interface Compared {
  /** Of the earlier days. */
  source: Source
  /** Days of the range that are summed. */
  summed: Range
  /** Where the running day ends on the side of the range. */
  cut: StatsSource['cut']
  /** Days that are left out, of both sides. */
  excluded: string[]
}

export async function planCompare(
  tx: Transaction,
  o: StatsRequest & { workspaceId: string; workspaceZone: string; mode: CompareMode; nowMs: number },
): Promise<Compared> {
  const { from, to, today, mode, timeZone } = o
  const range = { from, to }
  const earlier = compareRange(range, mode)
  const pairs = comparePairs(range, mode, { byDay: o.groupBy.includes('day') })
  const find = (more: Pick<Parameters<typeof findSource>[1], 'cut' | 'pairs'>) =>
    findSource(tx, { ...o, range: earlier, ...more })
  if (to < today) return { source: await find({ cut: null, pairs }), summed: range, cut: null, excluded: [] }
  const isDaily = async (days: Range) => (await findDailyIntegrations(tx, { ...o, ...days })).length > 0
  const running = counterpart(today, mode, range)
  if ((await isDaily(range)) || (await isDaily(earlier))) {
    const source = await find({ cut: null, pairs: pairs.filter(({ day }) => day !== today) })
    return { source, summed: { from, to: addDays(today, -1) }, cut: null, excluded: [running, today] }
  }
  // The hour that is under way is not compared: on the other side it is a whole one.
  const hourOfDayMs = (Math.floor((o.nowMs + offsetMs(o.nowMs, timeZone)) / hourMs) * hourMs) % dayMs
  const cutOf = (day: string) => ({ day, beforeMs: zonedToMs((dayNumber(day) ?? 0) * dayMs + hourOfDayMs, timeZone) })
  return { source: await find({ cut: cutOf(running), pairs }), summed: range, cut: cutOf(today), excluded: [] }
}
