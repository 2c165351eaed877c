// Marks invoices overdue once the day they are due has ended in their zone (domain.md 3.7, T4): one transaction each.
import { executeOrFail, load } from '@wds/aggregate/aggregate'
import { newId } from '@wds/aggregate/new-id'
import { retryOnConflict } from '@wds/event-store/retry-on-conflict'
import type { Pool } from '@wds/postgres/pool'
import { setWorkspace, type Transaction, withTransaction } from '@wds/postgres/transaction'
import { runLoop } from '@wds/service-host/loop'
import type { Logger } from '@wds/telemetry/logger'
import type { Progress } from '@wds/telemetry/progress'
import { startSpan } from '@wds/telemetry/spans'
import { daysBetween, localDate } from '../calendar/domain/calendar.ts'
import { invoices } from './resource.ts'
import { type DueInvoice, deferDueInvoice, setOverdueAt, takeDueInvoice } from './store-due.ts'

/** Nobody waits for the second at which an invoice falls overdue. */
const pauseMs = { min: 1_000, max: 5_000 }
/** An invoice that cannot be handled stops no other. */
const failedWaitMs = 60_000
/** Until one is looked at again whose day has not ended. */
const notYetWaitMs = 3_600_000

/** Runs until the signal is aborted. */
export function runOverdue(o: { pool: Pool; logger: Logger; signal: AbortSignal; progress: Progress }): Promise<void> {
  const { logger, signal, progress } = o
  const turns = { last: '' }
  return runLoop({
    name: 'overdue-invoices',
    logger,
    signal,
    progress,
    pauseMs,
    turn: () => fallOverdueOnce({ ...o, turns }),
  })
}

/** Marks one; false when none is due. `turns`: whose invoice was marked last. */
export async function fallOverdueOnce(o: { pool: Pool; logger: Logger; turns: { last: string } }): Promise<boolean> {
  let due: DueInvoice | null = null
  try {
    return await retryOnConflict(() =>
      withTransaction(o.pool, { workspaceId: null }, async (tx) => {
        due = await takeDueInvoice(tx, o.turns.last)
        if (due === null) return false
        o.turns.last = due.workspaceId
        await setWorkspace(tx, due.workspaceId)
        await markOverdue(tx, due)
        return true
      }),
    )
  } catch (error) {
    const failed = due as DueInvoice | null
    if (failed === null) throw error
    const fields = { err: error, workspace_id: failed.workspaceId, invoice_id: failed.id }
    o.logger.error(fields, 'invoice could not be marked overdue, retrying')
    await withTransaction(o.pool, { workspaceId: failed.workspaceId }, (tx) =>
      deferDueInvoice(tx, failed, failedWaitMs),
    )
    return true
  }
}

async function markOverdue(tx: Transaction, { workspaceId, id }: DueInvoice): Promise<void> {
  const loaded = await load(tx, invoices, id, { lock: true })
  const { due = null, time_zone = 'UTC' } = loaded?.state.fields ?? {}
  // Somebody may have paid it, or moved its due date, since it was seen.
  if (loaded === null || due === null || !['generated', 'sent'].includes(loaded.state.status))
    return setOverdueAt(tx, { id, atMs: null })
  const today = localDate(loaded.nowMs, time_zone)
  const span = startSpan({ name: 'overdue invoices', kind: 'internal' })
  span.end()
  const context = {
    ...{ workspaceId, actor: { type: 'system', id: 'overdue-invoices' } as const },
    ...{ correlation: newId('req', loaded.nowMs), trace: { traceparent: span.traceparent } },
  }
  const command = { type: 'mark_overdue', today, daysOverdue: daysBetween(due, today) - 1 } as const
  const { state } = await executeOrFail(tx, invoices, { context, loaded, command })
  // Not yet: the zone's clock was changed since the instant was set. It holds up no other meanwhile.
  if (state.status !== 'overdue') await deferDueInvoice(tx, { workspaceId, id }, notYetWaitMs)
}
