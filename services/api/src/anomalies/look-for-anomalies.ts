// One look at a day that is due: the series of its workspace, what left its baseline and what came back (domain.md 8); all in one
// transaction with the removal of the day's mark, so that a crash neither loses nor doubles an anomaly.
import { blank, executeOrFail, load } from '@wds/aggregate/aggregate'
import { type AppendContext, dbNow } from '@wds/event-store/event-store'
import type { WakeSignal } from '@wds/pacing/wait'
import type { Pool } from '@wds/postgres/pool'
import type { Transaction } from '@wds/postgres/transaction'
import { runLoop } from '@wds/service-host/loop'
import type { Logger } from '@wds/telemetry/logger'
import type { Progress } from '@wds/telemetry/progress'
import { addDays, dayNumber } from '../calendar/domain/calendar.ts'
import { boundsOfDay } from '../calendar/domain/workspace-day.ts'
import { knownRateSets, readRates } from '../fx/rates-of-workspace.ts'
import type { ReferenceRates } from '../fx/reference-rates.ts'
import { readSettings } from '../settings/read-settings.ts'
import { carryOutInTurn, type Turns } from '../work-queue/carry-out-in-turn.ts'
import { systemContext } from '../work-queue/system-context.ts'
import { type Look, lookAtSeries } from './domain/watched-series.ts'
import { anomalies } from './resource.ts'
import {
  type AnomalyDay,
  deferAnomalyDay,
  endAnomalyDay,
  historyDays,
  isJudgedAt,
  takeAnomalyDay,
} from './store-day-work.ts'
import { readKnown } from './store-known.ts'
import { readDay, readSeries } from './store-series.ts'

/** The history of a workspace of 100,000 rows a day takes seconds. */
const statementTimeoutMs = 60_000
/** A day that cannot be looked at stops no other. */
const failedWaitMs = 60_000

/** Looks at the days that are due, over all workspaces, until the signal is aborted. */
export function runDetection(o: {
  pool: Pool
  logger: Logger
  referenceRates: ReferenceRates
  pollMs: number
  /** Ends a rest. */
  due: WakeSignal
  signal: AbortSignal
  progress: Progress
}): Promise<void> {
  const { logger, signal, progress, pollMs, due: wake } = o
  const turns = { last: '' }
  const turn = () => lookForAnomaliesOnce({ ...o, turns })
  return runLoop({ name: 'anomalies', logger, signal, progress, pauseMs: pollMs, wake, turn })
}

/** Searches a day that is due, of each workspace in turn; false when none is. `turns`: whose day was searched last. */
export function lookForAnomaliesOnce(o: {
  pool: Pool
  logger: Logger
  /** By which money is converted to the workspace's currency where the workspace has no rates of its own. */
  referenceRates: ReferenceRates
  turns: Turns
}): Promise<boolean> {
  const { pool, turns, logger, referenceRates } = o
  return carryOutInTurn<AnomalyDay>({
    pool,
    turns,
    statementTimeoutMs,
    take: takeAnomalyDay,
    async handle(tx, work) {
      await lookAt(tx, work, referenceRates)
      await endAnomalyDay(tx, work)
    },
    report({ workspaceId, day }, err) {
      logger.error({ err, workspace_id: workspaceId, day }, 'day could not be searched for anomalies, retrying')
    },
    defer: (tx, work) => deferAnomalyDay(tx, work, failedWaitMs),
  })
}

async function lookAt(
  tx: Transaction,
  { workspaceId, day }: AnomalyDay,
  referenceRates: ReferenceRates,
): Promise<void> {
  const { anomaly_detection: isOn, base_currency: currency } = await readSettings(tx)
  if (!isOn) return
  const nowMs = await dbNow(tx)
  const look = await seeDay(tx, { workspaceId, day, currency, referenceRates, nowMs })
  if (look === null) return
  const { found, resolved } = lookAtSeries(look)
  const context = contextOf(workspaceId, nowMs)
  for (const { id, resolution } of resolved) {
    const loaded = await load(tx, anomalies, id, { lock: true })
    // Somebody may have ended it meanwhile.
    if (loaded === null || !['open', 'acknowledged'].includes(loaded.state.status)) continue
    const command = { type: 'resolve', resolution, note: null } as const
    await executeOrFail(tx, anomalies, { context, loaded, command })
  }
  for (const finding of found)
    await executeOrFail(tx, anomalies, {
      context,
      loaded: blank(anomalies, { nowMs }),
      command: { type: 'detect', finding },
    })
}

/** Null where there is nothing to be judged: the day is gone, or has not ended. */
async function seeDay(
  tx: Transaction,
  o: { workspaceId: string; day: string; currency: string; referenceRates: ReferenceRates; nowMs: number },
): Promise<Look | null> {
  const { workspaceId, day, currency, nowMs } = o
  const known = await readDay(tx, { workspaceId, day })
  if (known === null) return null
  const { status, timeZone } = known
  if (status === 'open') return null
  const isFinal = status === 'final'
  const days = { workspaceId, from: addDays(day, -historyDays), to: day }
  const { newest } = await knownRateSets(tx, { workspaceId, referenceRates: o.referenceRates })
  const { rates } = await readRates(tx, newest, days)
  const window = { ...days, currency, rates, isFinal }
  return {
    number: dayNumber(day) ?? 0,
    date: day,
    timeZone,
    currency,
    isFinal,
    isJudged: isJudgedAt(boundsOfDay(day, timeZone).endMs, nowMs),
    series: await readSeries(tx, window),
    known: await readKnown(tx, { workspaceId, day }),
  }
}

function contextOf(workspaceId: string, nowMs: number): AppendContext {
  return systemContext({ workspaceId, nowMs, actor: 'anomalies', span: 'anomalies' })
}
