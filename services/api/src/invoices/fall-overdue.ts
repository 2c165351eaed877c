// Marks invoices overdue once the day they are due has ended in their zone (domain.md 3.7, T4): one transaction each.
import { executeOrFail, load } from '@wds/aggregate/aggregate'
import type { Pool } from '@wds/postgres/pool'
import type { Transaction } from '@wds/postgres/transaction'
import { runLoop } from '@wds/service-host/loop'
import type { Logger } from '@wds/telemetry/logger'
import type { Progress } from '@wds/telemetry/progress'
import { daysBetween, localDate } from '../calendar/domain/calendar.ts'
import { carryOutInTurn, type Turns } from '../work-queue/carry-out-in-turn.ts'
import type { DueRow } from '../work-queue/store-due-rows.ts'
import { systemContext } from '../work-queue/system-context.ts'
import { invoices } from './resource.ts'
import { deferDueInvoice, setOverdueAt, takeDueInvoice } from './store-due.ts'

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
export function fallOverdueOnce({
  pool,
  logger,
  turns,
}: {
  pool: Pool
  logger: Logger
  turns: Turns
}): Promise<boolean> {
  return carryOutInTurn<DueRow>({
    pool,
    turns,
    take: takeDueInvoice,
    handle: markOverdue,
    report(due, err) {
      const fields = { err, workspace_id: due.workspaceId, invoice_id: due.id }
      logger.error(fields, 'invoice could not be marked overdue, retrying')
    },
    defer: (tx, due) => deferDueInvoice(tx, due, failedWaitMs),
  })
}

async function markOverdue(tx: Transaction, { workspaceId, id }: DueRow): Promise<void> {
  const loaded = await load(tx, invoices, id, { lock: true })
  const { due = null, time_zone = 'UTC' } = loaded?.state.fields ?? {}
  // Somebody may have paid it, or moved its due date, since it was seen.
  if (loaded === null || due === null || !['generated', 'sent'].includes(loaded.state.status))
    return setOverdueAt(tx, { id, atMs: null })
  const today = localDate(loaded.nowMs, time_zone)
  const { nowMs } = loaded
  const context = systemContext({ workspaceId, nowMs, actor: 'overdue-invoices', span: 'overdue invoices' })
  const command = { type: 'mark_overdue', today, daysOverdue: daysBetween(due, today) - 1 } as const
  const { state } = await executeOrFail(tx, invoices, { context, loaded, command })
  // Not yet: the zone's clock was changed since the instant was set. It holds up no other meanwhile.
  if (state.status !== 'overdue') await deferDueInvoice(tx, { workspaceId, id }, notYetWaitMs)
}
