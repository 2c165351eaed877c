// Closes the month of a day that has just become final, where it is the last one (domain.md 7), in the same transaction.
import { blank, executeOrFail, type Loaded, load, workspaceOf } from '@wds/aggregate/aggregate'
import type { AppendContext } from '@wds/event-store/event-store'
import type { Transaction } from '@wds/postgres/transaction'
import { closeLedgerMonth } from '../commissions/close-month.ts'
import type { ReferenceRates } from '../fx/reference-rates.ts'
import { statsMonths } from './aggregates.ts'
import type { StatsDayState } from './domain/stats-day.ts'
import { lockMonth, seeMonth } from './store-months.ts'

/** The day is posted already. Two days of a month at once wait for each other, so that one sees both. */
export async function closeMonth(
  tx: Transaction,
  { context, day, references }: { context: AppendContext; day: Loaded<StatsDayState>; references: ReferenceRates },
): Promise<void> {
  const { id, nowMs, state } = day
  const month = id.slice(0, 7)
  await lockMonth(tx, workspaceOf(tx), month)
  const known = await load(tx, statsMonths, month, { lock: true })
  if (known !== null) return
  const seen = await seeMonth(tx, { month, day: id, timeZone: state.time_zone, atMs: nowMs })
  const loaded = blank(statsMonths, { id: month, nowMs })
  const closed = await executeOrFail(tx, statsMonths, { context, loaded, command: { type: 'close', month, seen } })
  if (closed.state.status === 'closed') await closeLedgerMonth(tx, { month, references, nowMs })
}
