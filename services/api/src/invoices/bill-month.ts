// Draws up the invoices of a month that was closed, as a rule asks for (domain.md 3.7, decision 89): one for each brand and currency that
// earned in it and has none. All in the caller's transaction: of 2,000 brands with 62 rows each it took 46 s on two busy cores, 18 statements
// a brand, the event loop free meanwhile. As long nobody else generates an invoice of the workspace, and this process acts by no other rule.
import { blank, execute } from '@wds/aggregate/aggregate'
import type { AppendContext } from '@wds/event-store/event-store'
import { Problem } from '@wds/http-service/problem'
import type { Transaction } from '@wds/postgres/transaction'
import { lastDayOf } from '../stats-days/domain/stats-month.ts'
import type { InvoiceCommand, InvoiceState } from './domain/invoice-parts.ts'
import { draftInvoice } from './draw-invoice.ts'
import { generateDrawn } from './generate-invoice.ts'
import { invoiceProblem, invoices } from './resource.ts'
import { type Billing, lockNumbers, readUnbilled } from './store-billing.ts'

interface MonthToBill {
  /** `2026-01` */
  month: string
  /** Empty: all. */
  brandSlugs: readonly string[]
  /** Else they stay drafts. */
  isGenerated: boolean
  context: AppendContext
  nowMs: number
}

/** How many were made, and the code of the first refusal, null for none. A refusal undoes nothing of the others. */
export async function billMonth(tx: Transaction, o: MonthToBill): Promise<{ made: number; refusal: string | null }> {
  const period = { from: `${o.month}-01`, to: lastDayOf(o.month) }
  await lockNumbers(tx)
  let made = 0
  let refusal: string | null = null
  for (const billing of await readUnbilled(tx, { period, brandSlugs: o.brandSlugs })) {
    try {
      if (await bill(tx, billing, { ...o, period })) made += 1
    } catch (error) {
      // Refusals are decided before anything is written; all else ends the transaction.
      if (!(error instanceof Problem)) throw error
      refusal ??= error.code
    }
  }
  return { made, refusal }
}

/** A draft that cannot be generated stays, for people to look at. False: what was earned comes to nothing, and makes no invoice. */
async function bill(
  tx: Transaction,
  billing: Billing,
  { period, context, nowMs, isGenerated }: MonthToBill & { period: { from: string; to: string } },
): Promise<boolean> {
  const notes = { due: null, memo: null, metadata: {} }
  const run = async (loaded: ReturnType<typeof blank<InvoiceState>>, command: InvoiceCommand) => {
    const outcome = await execute(tx, invoices, { context, loaded, command })
    if (!outcome.ok) throw invoiceProblem(outcome.error)
    return outcome.value
  }
  const { command, drawn } = await draftInvoice(tx, { ...billing, period, nowMs, own: [], notes })
  if (command.fields.lines.length === 0) return false
  const draft = await run(blank(invoices, { nowMs }), command)
  if (isGenerated) await run(draft, await generateDrawn(tx, draft, drawn))
  return true
}
