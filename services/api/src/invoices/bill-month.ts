// Draws up the invoices of a closed month when a rule asks for it (domain.md 3.7, decisions 89 and 99): one for each brand and currency that
// earned something in the month and has no invoice of it. Each transaction bills a few brands, since others who generate an invoice of the
// workspace wait until it ends.
import { blank, execute } from '@wds/aggregate/aggregate'
import type { AppendContext } from '@wds/event-store/event-store'
import { Problem } from '@wds/http-service/problem'
import type { Transaction } from '@wds/postgres/transaction'
import { lastDayOf } from '../stats-days/domain/stats-month.ts'
import type { Billed } from './domain/billed.ts'
import type { InvoiceCommand, InvoiceState } from './domain/invoice-parts.ts'
import { draftInvoice } from './draw-invoice.ts'
import { generateInvoice } from './generate-invoice.ts'
import { invoiceProblem, invoices } from './resource.ts'
import { type Billing, brandsAfter, lockNumbers, readUnbilled } from './store-billing.ts'

/** Limits of one transaction: the most brands that it bills, and the time after which it begins no other one. A brand takes about 20 ms. */
const brandsMax = 50
const turnMs = 500

interface MonthToBill {
  /** `2026-01` */
  month: string
  /** The brands to bill; empty: all. */
  brandSlugs: readonly string[]
  /** False: the invoices stay drafts. */
  isGenerated: boolean
  context: AppendContext
  nowMs: number
}

/** Bills the next brands, in the order of their slugs, after those that are billed. */
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

/** Returns false where the lines come to nothing: no invoice is made. A draft that cannot be generated stays, for people to look at. */
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
  if (isGenerated) await run(draft, await generateInvoice(tx, draft, drawn))
  return true
}
