// Opens scheduled runs when they are due by the database's clock; ticks missed during an outage are run once (domain.md 3.2).
import { dbNow } from '@wds/event-store/event-store'
import type { OutboxSignal } from '@wds/event-store/relay'
import type { Pool } from '@wds/postgres/pool'
import { setWorkspace, type Transaction, withTransaction } from '@wds/postgres/transaction'
import type { Logger } from '@wds/telemetry/logger'
import { newTraceContext } from '@wds/telemetry/trace-context'
import type { IntegrationState } from '../domain/integration.ts'
import { defaultWindow, nextScheduledMs } from '../domain/run-window.ts'
import { loadAggregate } from '../store/aggregate.ts'
import { integrationKind } from '../store/kinds.ts'
import { newId } from '../store/new-id.ts'
import { openRunOf } from '../store/open-work.ts'
import { queueRun } from '../store/queue-run.ts'
import { setSchedule, takeDueSchedule } from '../store/schedules.ts'

export interface SchedulerOptions {
  pool: Pool
  logger: Logger
  attemptsMax: number
  pollMs: number
  signal: AbortSignal
  wake: OutboxSignal
}

export async function runScheduler(o: SchedulerOptions): Promise<void> {
  while (!o.signal.aborted) {
    try {
      if (await scheduleOnce(o)) {
        o.wake.raise()
        continue
      }
    } catch (error) {
      if (o.signal.aborted) return
      o.logger.error({ err: error }, 'the scheduler could not open a run')
    }
    await pause(o.pollMs, o.signal)
  }
}

/** Opens one due run and sets the next due time; false when none is due. */
export function scheduleOnce(o: { pool: Pool; attemptsMax: number }): Promise<boolean> {
  return withTransaction(o.pool, { workspaceId: null }, async (tx) => {
    const due = await takeDueSchedule(tx)
    if (!due) return false
    await setWorkspace(tx, due.workspaceId)
    await openScheduledRun(tx, due, o.attemptsMax)
    return true
  })
}

async function openScheduledRun(
  tx: Transaction,
  due: { workspaceId: string; integrationId: string },
  attemptsMax: number,
): Promise<void> {
  const { workspaceId, integrationId } = due
  const integration = await loadAggregate<IntegrationState>(tx, integrationKind, {
    workspaceId,
    id: integrationId,
    lock: true,
  })
  const fields = integration?.state.fields
  const nowMs = await dbNow(tx)
  const dueMs =
    integration && fields && isScheduled(integration.state) ? nextScheduledMs(integration.state, fields, nowMs) : null
  await setSchedule(tx, { workspaceId, integrationId, dueMs })
  if (!integration || !fields || dueMs === null || (await openRunOf(tx, workspaceId, integrationId))) return
  const { traceparent } = newTraceContext()
  const actor = { type: 'system', id: 'scheduler' } as const
  const context = { workspaceId, actor, correlation: newId('req', nowMs), trace: { traceparent } }
  const window = defaultWindow(integration.state, fields, nowMs)
  await queueRun(tx, {
    context,
    integration,
    trigger: 'schedule',
    window,
    allowEmpty: false,
    importId: null,
    attemptsMax,
    nowMs,
  })
}

function isScheduled(state: IntegrationState): boolean {
  return state.status === 'pending' || state.status === 'active' || state.status === 'broken'
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done, { once: true })
  })
}
