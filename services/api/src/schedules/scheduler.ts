// Opens scheduled runs when they are due by the database's clock, and tells when none has succeeded for too long (domain.md 3.2,
// 3.3). Ticks missed during an outage, or while a run is open, are run once.
import { execute, type Loaded, load, workspaceOf } from '@wds/aggregate/aggregate'
import { type AppendContext, dbNow } from '@wds/event-store/event-store'
import type { WakeSignal } from '@wds/pacing/wait'
import type { Pool } from '@wds/postgres/pool'
import { setWorkspace, type Transaction } from '@wds/postgres/transaction'
import { runLoop } from '@wds/service-host/loop'
import type { Logger } from '@wds/telemetry/logger'
import type { Progress } from '@wds/telemetry/progress'
import { expiryDueMs, type IntegrationState } from '../integrations/domain/integration.ts'
import { nextScheduledMs } from '../integrations/domain/run-window.ts'
import { delayDueMs } from '../integrations/domain/sync-health.ts'
import { windowOfRun } from '../integrations/fold-window.ts'
import { queueRun } from '../integrations/queue-run.ts'
import { integrations } from '../integrations/resource.ts'
import {
  type DueColumn,
  findDue,
  isStillDue,
  moveDue,
  type Place,
  removeSchedule,
} from '../integrations/store-schedule.ts'
import { openRunOf } from '../sync-runs/store-open.ts'
import { carryOutInTurn } from '../work-queue/carry-out-in-turn.ts'
import { tryLockRowOfIntegration } from '../work-queue/store-lock.ts'
import { systemContext } from '../work-queue/system-context.ts'

/** Due integrations that one look considers. */
const candidatesMax = 20
/** Wait of a due run while another one of the integration is open; at most one is (domain.md 3.3). */
const busyWaitMs = 10_000
/** An integration that cannot be handled stops no other. */
const failedWaitMs = 60_000

type ScheduleOptions = Pick<SchedulerOptions, 'pool' | 'logger' | 'attemptsMax'>

export interface SchedulerOptions {
  pool: Pool
  logger: Logger
  attemptsMax: number
  pollMs: number
  signal: AbortSignal
  progress: Progress
  /** Raised when a run was opened. */
  wake: WakeSignal
  /** Ends a rest. */
  due: WakeSignal
}

/** Runs until the signal is aborted. */
export async function runScheduler(o: SchedulerOptions): Promise<void> {
  const { logger, signal, progress, pollMs, due } = o
  await runLoop({
    name: 'schedule',
    logger,
    signal,
    progress,
    pauseMs: pollMs,
    wake: due,
    async turn() {
      const opened = await scheduleOnce(o)
      if (opened) o.wake.raise()
      return opened
    },
  })
}

/** Opens one due run, or tells of one delay or of credentials that end soon; false when nothing is due. */
export async function scheduleOnce(o: ScheduleOptions): Promise<boolean> {
  const opened = await handleOneDue(o, 'due', (tx, due) => openScheduledRun(tx, due, o.attemptsMax))
  const isExpiryReported = await handleOneDue(o, 'expiry_due', reportExpiry)
  const isDelayReported = await handleOneDue(o, 'delay_due', reportDelay)
  return opened || isExpiryReported || isDelayReported
}

/** Handles the oldest due integration that nobody holds. One that cannot be handled is put off for a minute. */
function handleOneDue(
  { pool, logger }: ScheduleOptions,
  column: DueColumn,
  handle: (tx: Transaction, integration: Loaded<IntegrationState>) => Promise<void>,
): Promise<boolean> {
  return carryOutInTurn<Place>({
    pool,
    // What is due for longest comes first.
    turns: { last: '' },
    take: (tx) => takeDue(tx, column),
    async handle(tx, { integrationId }) {
      const integration = await load(tx, integrations, integrationId, { lock: true })
      if (!integration) throw new Error('a schedule without an integration')
      await handle(tx, integration)
    },
    report({ workspaceId, integrationId }, err) {
      const fields = { err, workspace_id: workspaceId, integration_id: integrationId }
      logger.error(fields, 'schedule of an integration could not be followed, retrying')
    },
    defer: async (tx, { integrationId }) =>
      moveDue(tx, { integrationId, column, dueMs: (await dbNow(tx)) + failedWaitMs }),
  })
}

/**
 * Like everybody else it takes the integration's row first; one that is held for long, while rows are made visible, stops no other. Null
 * where none is due that nobody holds.
 */
async function takeDue(tx: Transaction, column: DueColumn): Promise<Place | null> {
  for (const place of await findDue(tx, column, candidatesMax)) {
    const { workspaceId, integrationId } = place
    await setWorkspace(tx, workspaceId)
    if (!(await tryLockRowOfIntegration(tx, workspaceId, integrationId))) continue
    if (await isStillDue(tx, place, column)) return place
  }
  return null
}

async function openScheduledRun(
  tx: Transaction,
  integration: Loaded<IntegrationState>,
  attemptsMax: number,
): Promise<void> {
  const { id: integrationId, state, nowMs } = integration
  const { fields, status } = state
  if (fields === null || status === 'paused' || status === 'deleted') return removeSchedule(tx, integrationId)
  if (await openRunOf(tx, workspaceOf(tx), integrationId))
    return moveDue(tx, { integrationId, column: 'due', dueMs: nowMs + busyWaitMs })
  const nextMs = nextScheduledMs(state, nowMs)
  if (nextMs === null) await removeSchedule(tx, integrationId)
  else await moveDue(tx, { integrationId, column: 'due', dueMs: nextMs })
  const window = await windowOfRun(tx, integration)
  const run = { trigger: 'schedule', ...window, allowEmpty: false, importId: null, attemptsMax } as const
  await queueRun(tx, { context: contextOf(tx, nowMs), integration, ...run })
}

/** Tells of the delay unless a run succeeded in the meantime; then the time has moved. */
async function reportDelay(tx: Transaction, loaded: Loaded<IntegrationState>): Promise<void> {
  const { id: integrationId, nowMs } = loaded
  const command = { type: 'report_delay', atMs: nowMs } as const
  const outcome = await execute(tx, integrations, { context: contextOf(tx, nowMs), loaded, command })
  const { state } = outcome.ok ? outcome.value : loaded
  await moveDue(tx, { integrationId, column: 'delay_due', dueMs: delayDueMs(state) })
}

/** Tells that the credentials end, unless there are others in the meantime; then the time has moved. */
async function reportExpiry(tx: Transaction, loaded: Loaded<IntegrationState>): Promise<void> {
  const { id: integrationId, nowMs } = loaded
  const command = { type: 'report_expiry', atMs: nowMs } as const
  const outcome = await execute(tx, integrations, { context: contextOf(tx, nowMs), loaded, command })
  const { state } = outcome.ok ? outcome.value : loaded
  await moveDue(tx, { integrationId, column: 'expiry_due', dueMs: expiryDueMs(state) })
}

function contextOf(tx: Transaction, nowMs: number): AppendContext {
  return systemContext({ workspaceId: workspaceOf(tx), nowMs, actor: 'scheduler', span: 'schedule' })
}
