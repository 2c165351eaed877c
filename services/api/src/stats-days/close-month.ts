// Closes the month of a day that has just become final, where it is the last one (domain.md 7), in the same transaction. A ledger that is too
// large for it is posted in further ones, and the month is closed with the last of them (decision 99).
import { blank, executeOrFail, type Loaded, load, workspaceOf } from '@wds/aggregate/aggregate'
import type { AppendContext } from '@wds/event-store/event-store'
import type { Transaction } from '@wds/postgres/transaction'
import { closeLedgerMonth } from '../commissions/close-month.ts'
import type { ReferenceRates } from '../fx/reference-rates.ts'
import { setWork } from '../sub-affiliates/store-work.ts'
import type { DueRow } from '../work-queue/store-due-rows.ts'
import { systemContext } from '../work-queue/system-context.ts'
import { statsMonths } from './aggregates.ts'
import type { StatsDayState } from './domain/stats-day.ts'
import { isComplete } from './domain/stats-month.ts'
import { lockMonth, seeMonth } from './store-months.ts'

/** The day is posted already. Two days of a month at once wait for each other, so that one sees both. */
export async function closeMonth(
  tx: Transaction,
  {
    context,
    day,
    referenceRates,
  }: { context: AppendContext; day: Loaded<StatsDayState>; referenceRates: ReferenceRates },
): Promise<void> {
  const { id, nowMs, state } = day
  const month = id.slice(0, 7)
  await lockMonth(tx, workspaceOf(tx), month)
  const known = await load(tx, statsMonths, month, { lock: true })
  if (known !== null) return
  const seen = await seeMonth(tx, { month, day: id, timeZone: state.time_zone, atMs: nowMs })
  if (!isComplete(seen)) return
  const isPosted = await closeLedgerMonth(tx, { month, referenceRates, nowMs })
  const loaded = blank(statsMonths, { id: month, nowMs })
  await executeOrFail(tx, statsMonths, { context, loaded, command: { type: 'close', month, seen, isPosted } })
}

/** A month that is closing: posts more of its ledger. */
export async function continueClose(
  tx: Transaction,
  { workspaceId, id: month }: DueRow,
  referenceRates: ReferenceRates,
): Promise<void> {
  const loaded = await load(tx, statsMonths, month, { lock: true })
  if (loaded?.state.status !== 'closing') return setWork(tx, { id: month, atMs: null })
  const { nowMs } = loaded
  if (!(await closeLedgerMonth(tx, { month, referenceRates, nowMs }))) return
  const context = systemContext({ workspaceId, nowMs, actor: 'stats-days', span: 'stats month' })
  await executeOrFail(tx, statsMonths, { context, loaded, command: { type: 'finish' } })
}
