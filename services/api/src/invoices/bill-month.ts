// Draws up the invoices of a month that was closed, as a rule asks for (domain.md 3.7, decisions 89 and 99): one for each brand and currency
// that earned in it and has none. Some brands in each transaction, so that who else generates an invoice of the workspace waits for those
// alone.
import { blank, execute } from '@wds/aggregate/aggregate'
import type { AppendContext } from '@wds/event-store/event-store'
import { Problem } from '@wds/http-service/problem'
import type { Transaction } from '@wds/postgres/transaction'
import { lastDayOf } from '../stats-days/domain/stats-month.ts'
import type { Billed } from './domain/billed.ts'
import type { InvoiceCommand, InvoiceState } from './domain/invoice-parts.ts'
import { draftInvoice } from './draw-invoice.ts'
import { generateDrawn } from './generate-invoice.ts'
import { invoiceProblem, invoices } from './resource.ts'
import { type Billing, brandsAfter, lockNumbers, readUnbilled } from './store-billing.ts'

/** Of one transaction: brands that are looked at, at most, and after how long no other one is begun. A brand takes 20 ms or so. */
const brandsMax = 50
const turnMs = 500

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

/** Bills some brands behind those that were billed before. */
export async function billBrands(tx: Transaction, o: MonthToBill & { before: Billed }): Promise<Billed> {
  const { brandSlugs } = o
  const period = { from: `${o.month}-01`, to: lastDayOf(o.month) }
  let { made, refusal } = o.before
  const endMs = performance.now() + turnMs
  await lockNumbers(tx)
  const brands = await brandsAfter(tx, { after: o.before.after ?? '', brandSlugs, limit: brandsMax })
  const unbilled = Map.groupBy(await readUnbilled(tx, { period, brandSlugs: brands }), ({ brandSlug }) => brandSlug)
  for (const brand of brands) {
    for (const billing of unbilled.get(brand) ?? []) {
      try {
        if (await bill(tx, billing, { ...o, period })) made += 1
      } catch (error) {
        // Refusals are decided before anything is written; all else ends the transaction.
        if (!(error instanceof Problem)) throw error
        refusal ??= error.code
      }
    }
    if (performance.now() > endMs) return { made, refusal, after: brand }
  }
  return { made, refusal, after: brands.length < brandsMax ? null : (brands.at(-1) ?? null) }
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
