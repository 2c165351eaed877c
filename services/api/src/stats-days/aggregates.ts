// Declares the stats day and the stats month: their streams, whose ids are the date and the month, and their rows (domain.md 3.6, 7).
import { type Aggregate, type Change, workspaceOf } from '@wds/aggregate/aggregate'
import { publicEvents } from '@wds/aggregate/announcement'
import type { InvalidState } from '@wds/decider/decider'
import type { Transaction } from '@wds/postgres/transaction'
import { isJudgedAt, markForAnomalies } from '../anomalies/store-day-work.ts'
import { boundsOfDay } from '../calendar/domain/workspace-day.ts'
import { statsDayPublicEvent, statsMonthPublicEvent } from './domain/public-events.ts'
import { type StatsDayCommand, type StatsDayEvent, type StatsDayState, statsDayDecider } from './domain/stats-day.ts'
import {
  type StatsMonthCommand,
  type StatsMonthEvent,
  type StatsMonthState,
  statsMonthDecider,
} from './domain/stats-month.ts'

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

async function followDay(tx: Transaction, { after, events }: Change<StatsDayState, StatsDayEvent>): Promise<void> {
  if (!events.some(({ type }) => looked.includes(type))) return
  const { endMs } = boundsOfDay(after.id, after.state.time_zone)
  const isJudged = isJudgedAt(endMs, after.nowMs)
  await markForAnomalies(tx, { workspaceId: workspaceOf(tx), day: after.id, isJudged })
}
