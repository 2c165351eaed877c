// One look at a day that is due: what has happened to it, its rollup where it is ready, when to look again; all in one transaction
// under the lock of the day's row in stats_day_work, which whoever changes rows of the day waits for (domain.md 7).
import { blank, executeOrFail, type Loaded, load } from '@wds/aggregate/aggregate'
import { type AppendContext, dbNow } from '@wds/event-store/event-store'
import type { Pool } from '@wds/postgres/pool'
import type { Transaction } from '@wds/postgres/transaction'
import type { Logger } from '@wds/telemetry/logger'
import { postDay } from '../commissions/post-day.ts'
import type { ReferenceRates } from '../fx/reference-rates.ts'
import { compareRollup, replaceRollup, summarizeDay } from '../stats/store-rollup.ts'
import { readCalendar } from '../stats-calendar/store-calendar.ts'
import { type DayWork, deferDay, endDayWork, takeDueDay } from '../stats-calendar/store-day-work.ts'
import { carryOutInTurn, type Turns } from '../work-queue/carry-out-in-turn.ts'
import { systemContext } from '../work-queue/system-context.ts'
import { statsDays } from './aggregates.ts'
import { closeMonth } from './close-month.ts'
import { largestChangePct } from './domain/largest-change.ts'
import { planDay, type Rollup, type StatsDayState } from './domain/stats-day.ts'
import { type DayWaits, seeDay } from './see-day.ts'

export interface DayOptions {
  /** Of the worker role. */
  pool: Pool
  logger: Logger
  waits: DayWaits
  /** By which commissions are converted where the workspace has imported no others. */
  referenceRates: ReferenceRates
  turns: Turns
}

/** A day of 100,000 rows takes seconds. */
const statementTimeoutMs = 60_000
/** A day that cannot be looked at stops no other. */
const failedWaitMs = 60_000

/** Looks at a day that is due, of each workspace in turn; false when none is. */
export function lookOnce(o: DayOptions): Promise<boolean> {
  const { pool, turns, logger } = o
  return carryOutInTurn<DayWork>({
    pool,
    turns,
    statementTimeoutMs,
    take: takeDueDay,
    handle: (tx, work) => lookAt(tx, work, o),
    report({ workspaceId, day }, err) {
      logger.error({ err, workspace_id: workspaceId, day }, 'stats day could not be looked at, retrying')
    },
    defer: async (tx, work) => deferDay(tx, work, { dueMs: (await dbNow(tx)) + failedWaitMs, rolled: false }),
  })
}

async function lookAt(tx: Transaction, work: DayWork, { waits, referenceRates }: DayOptions): Promise<void> {
  const { workspaceId, day } = work
  const calendar = await readCalendar(tx, workspaceId)
  if (calendar === null) throw new Error('a day of a workspace without a calendar')
  const found = await load(tx, statsDays, day, { lock: true })
  const loaded = found ?? blank(statsDays, { id: day, nowMs: await dbNow(tx) })
  const seen = await seeDay(tx, { work, calendar, waits, state: loaded.state, atMs: loaded.nowMs })
  const { rollUp, dueMs } = planDay(loaded.state, seen)
  const context = contextOf(workspaceId, loaded.nowMs)
  if (!rollUp) {
    const { state } = await executeOrFail(tx, statsDays, { context, loaded, command: { type: 'look', seen } })
    if (isDone(state, dueMs)) return endDayWork(tx, work)
    return deferDay(tx, work, { dueMs, rolled: false })
  }
  const rollup = await rollUpDay(tx, { workspaceId, day, loaded })
  const last = loaded.state.revisions.at(-1)
  if (last?.checksum !== rollup.checksum)
    await postDay(tx, { day, revision: (last?.revision ?? 0) + 1, referenceRates, nowMs: loaded.nowMs })
  const rolled = await executeOrFail(tx, statsDays, { context, loaded, command: { type: 'roll_up', seen, rollup } })
  if (loaded.state.status !== 'final') await closeMonth(tx, { context, day: rolled, referenceRates })
  await endDayWork(tx, work)
}

/** Nothing is to be done until rows of the day change: it is final, or not there. */
function isDone({ status }: StatsDayState, dueMs: number | null): boolean {
  return (status === 'final' || status === 'none') && dueMs === null
}

/** Sums the day up and replaces its rollup, where it differs from the one before. */
async function rollUpDay(
  tx: Transaction,
  o: { workspaceId: string; day: string; loaded: Loaded<StatsDayState> },
): Promise<Rollup> {
  const summary = await summarizeDay(tx, o)
  const last = o.loaded.state.revisions.at(-1)
  if (last?.checksum === summary.checksum)
    return { ...summary, changes: { brandSlugs: [], metrics: [], largestChangePct: null } }
  const differing = last === undefined ? [] : await compareRollup(tx, o)
  await replaceRollup(tx, o)
  const changes = {
    brandSlugs: [...new Set(differing.map(({ brandSlug }) => brandSlug))],
    metrics: [...new Set(differing.flatMap(({ metrics }) => metrics))],
    largestChangePct: largestChangePct(differing.flatMap(({ sums }) => sums)),
  }
  return { ...summary, changes }
}

export function contextOf(workspaceId: string, nowMs: number): AppendContext {
  return systemContext({ workspaceId, nowMs, actor: 'stats-days', span: 'stats day' })
}
