// Declares the stats day and the stats month: their streams, whose ids are the date and the month, and their rows (domain.md 3.6, 7).
import { type Aggregate, blank, type Change, executeOrFail, load, workspaceOf } from '@wds/aggregate/aggregate'
import { publicEvents } from '@wds/aggregate/announcement'
import type { InvalidState } from '@wds/decider/decider'
import type { Transaction } from '@wds/postgres/transaction'
import { isJudgedAt, markForAnomalies } from '../anomalies/store-day-work.ts'
import { boundsOfDay } from '../calendar/domain/workspace-day.ts'
import { closeLedgerMonth } from '../commissions/close-month.ts'
import { statsDayPublicEvent, statsMonthPublicEvent } from './domain/public-events.ts'
import { type StatsDayCommand, type StatsDayEvent, type StatsDayState, statsDayDecider } from './domain/stats-day.ts'
import {
  type StatsMonthCommand,
  type StatsMonthEvent,
  type StatsMonthState,
  statsMonthDecider,
} from './domain/stats-month.ts'
import { lockMonth, seeMonth } from './store-months.ts'

export const statsDays: Aggregate<StatsDayState, StatsDayCommand, StatsDayEvent, InvalidState> = {
  streamType: 'stats_day',
  // Never made: the date is the id.
  idPrefix: 'wsp',
  table: 'stats_days',
  decider: statsDayDecider,
  columns: ({ status, time_zone }) => ({ status, time_zone }),
  announce: publicEvents(statsDayPublicEvent),
  project: followDay,
}

export const statsMonths: Aggregate<StatsMonthState, StatsMonthCommand, StatsMonthEvent, never> = {
  streamType: 'stats_month',
  // Never made: the month is the id.
  idPrefix: 'wsp',
  table: 'stats_months',
  decider: statsMonthDecider,
  columns: ({ status }) => ({ status }),
  announce: publicEvents(statsMonthPublicEvent),
}

/** Of these events of a day, its numbers are looked at for anomalies. */
const looked: readonly StatsDayEvent['type'][] = ['WatermarkReached', 'DayReady', 'DayRestated']

async function followDay(tx: Transaction, change: Change<StatsDayState, StatsDayEvent>): Promise<void> {
  const { after, events } = change
  if (events.some(({ type }) => looked.includes(type))) {
    const { endMs } = boundsOfDay(after.id, after.state.time_zone)
    const isJudged = isJudgedAt(endMs, after.nowMs)
    await markForAnomalies(tx, { workspaceId: workspaceOf(tx), day: after.id, isJudged })
  }
  await closeMonth(tx, change)
}

/** The day that becomes final may be the last one of its month. Two of them at once wait for each other, so that one sees both. */
async function closeMonth(
  tx: Transaction,
  { context, after, events }: Change<StatsDayState, StatsDayEvent>,
): Promise<void> {
  if (!events.some(({ type }) => type === 'DayReady')) return
  const month = after.id.slice(0, 7)
  await lockMonth(tx, workspaceOf(tx), month)
  const known = await load(tx, statsMonths, month, { lock: true })
  if (known !== null) return
  const seen = await seeMonth(tx, { month, day: after.id, timeZone: after.state.time_zone, atMs: after.nowMs })
  const loaded = blank(statsMonths, { id: month, nowMs: after.nowMs })
  const { state } = await executeOrFail(tx, statsMonths, { context, loaded, command: { type: 'close', month, seen } })
  if (state.status === 'closed') await closeLedgerMonth(tx, { month, nowMs: after.nowMs })
}
