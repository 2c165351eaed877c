// Opens scheduled runs when they are due by the database's clock, and tells when none has succeeded for too long (domain.md 3.2,
// 3.3). Ticks missed during an outage, or while a run is open, are run once.
import type { AppendContext } from '@wds/event-store/event-store'
import type { OutboxSignal } from '@wds/event-store/relay'
import type { Pool } from '@wds/postgres/pool'
import { setWorkspace, type Transaction, withTransaction } from '@wds/postgres/transaction'
import { runLoop } from '@wds/service-host/loop'
import type { Logger } from '@wds/telemetry/logger'
import type { Progress } from '@wds/telemetry/progress'
import { startSpan } from '@wds/telemetry/spans'
import { delayDueMs, type IntegrationState } from '../domain/integration.ts'
import { defaultWindow, nextScheduledMs } from '../domain/run-window.ts'
import { carryOut, type Loaded, loadAggregate } from '../store/aggregate.ts'
import { integrationKind } from '../store/kinds.ts'
import { newId } from '../store/new-id.ts'
import { openRunOf, tryLockRowOfIntegration } from '../store/open-work.ts'
import { queueRun } from '../store/queue-run.ts'
import { type DueColumn, findDue, isStillDue, moveDue, removeSchedule } from '../store/schedules.ts'

/** Due integrations that one look considers. */
const candidatesMax = 20
/** Wait of a due run while another one of the integration is open; at most one is (domain.md 3.3). */
const busyWaitMs = 10_000

export interface SchedulerOptions {
  pool: Pool
  logger: Logger
  attemptsMax: number
  pollMs: number
  signal: AbortSignal
  progress: Progress
  /** Raised when a run was opened. */
  wake: OutboxSignal
}

/** Runs until the signal is aborted. */
export async function runScheduler(o: SchedulerOptions): Promise<void> {
  const { logger, signal, progress, pollMs } = o
  await runLoop({
    ...{ name: 'schedule', logger, signal, progress },
    pauseMs: { min: pollMs, max: pollMs },
    async turn() {
      const opened = await scheduleOnce(o)
      if (opened) o.wake.raise()
      return opened
    },
  })
}

/** Opens one due run, or tells of one delay; false when none is due. */
export async function scheduleOnce(o: { pool: Pool; attemptsMax: number }): Promise<boolean> {
  const opened = await takeOneDue(o.pool, 'due', (tx, due) => openScheduledRun(tx, due, o.attemptsMax))
  return (await takeOneDue(o.pool, 'delay_due', reportDelay)) || opened
}

interface Due {
  workspaceId: string
  integration: Loaded<IntegrationState>
  nowMs: number
}

/**
 * Handles the oldest due integration that nobody holds. Like everybody else it takes the integration's row first;
 * one that is held for long, while rows are made visible, stops no other.
 */
function takeOneDue(
  pool: Pool,
  column: DueColumn,
  handle: (tx: Transaction, due: Due) => Promise<void>,
): Promise<boolean> {
  return withTransaction(pool, { workspaceId: null }, async (tx) => {
    for (const place of await findDue(tx, column, candidatesMax)) {
      const { workspaceId, integrationId } = place
      await setWorkspace(tx, workspaceId)
      if (!(await tryLockRowOfIntegration(tx, workspaceId, integrationId))) continue
      if (!(await isStillDue(tx, place, column))) continue
      const where = { workspaceId, id: integrationId, lock: true }
      const integration = await loadAggregate<IntegrationState>(tx, integrationKind, where)
      if (!integration) throw new Error('a schedule without an integration')
      await handle(tx, { workspaceId, integration, nowMs: integration.nowMs })
      return true
    }
    return false
  })
}

async function openScheduledRun(tx: Transaction, due: Due, attemptsMax: number): Promise<void> {
  const { workspaceId, integration, nowMs } = due
  const { fields, status } = integration.state
  const place = { workspaceId, integrationId: integration.id }
  if (fields === null || status === 'paused' || status === 'deleted') {
    await removeSchedule(tx, place)
    return
  }
  if (await openRunOf(tx, workspaceId, integration.id)) {
    await moveDue(tx, place, 'due', nowMs + busyWaitMs)
    return
  }
  const nextMs = nextScheduledMs(integration.state, nowMs)
  if (nextMs === null) await removeSchedule(tx, place)
  else await moveDue(tx, place, 'due', nextMs)
  const window = defaultWindow(integration.state, fields, nowMs)
  const run = { trigger: 'schedule', window, allowEmpty: false, importId: null, attemptsMax } as const
  await queueRun(tx, { context: contextOf(due), integration, nowMs, ...run })
}

/** Tells of the delay unless a run succeeded in the meantime; then the time has moved. */
async function reportDelay(tx: Transaction, due: Due): Promise<void> {
  const { workspaceId, integration: loaded, nowMs } = due
  const command = { type: 'report_delay', atMs: nowMs } as const
  const outcome = await carryOut(tx, integrationKind, { context: contextOf(due), loaded, command, nowMs })
  const { state } = outcome.ok ? outcome.value : loaded
  await moveDue(tx, { workspaceId, integrationId: loaded.id }, 'delay_due', delayDueMs(state))
}

function contextOf({ workspaceId, nowMs }: Due): AppendContext {
  // The beginning of a trace: nobody asked for this but the clock.
  const span = startSpan({ name: 'schedule', kind: 'internal' })
  span.end()
  const actor = { type: 'system', id: 'scheduler' } as const
  return { workspaceId, actor, correlation: newId('req', nowMs), trace: { traceparent: span.traceparent } }
}
