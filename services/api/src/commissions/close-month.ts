// Ends a month in the ledger, in the transaction that closes it (domain.md 7): what still waits to be posted of its days, carryovers, floors
// and caps. A later restatement does not repeat it: what changes of a closed month is posted in the first open one.
import type { Transaction } from '@wds/postgres/transaction'
import type { ReferenceRates } from '../fx/reference-rates.ts'
import { monthAfter } from '../ledger/domain/month.ts'
import { appendEntry, firstOpenMonth } from '../ledger/store-ledger.ts'
import { planOf, planOn } from '../sub-affiliates/domain/sub-affiliate.ts'
import { lockSubAffiliates } from '../sub-affiliates/store-places.ts'
import { waitingDays } from '../sub-affiliates/store-work.ts'
import { monthEnd } from './domain/commission.ts'
import { planFieldsOf, postDay } from './post-day.ts'
import { readMonthSums, readRevision } from './store-sums.ts'

/** The month is closed already, in this transaction. The last plan of the month decides. */
export async function closeLedgerMonth(
  tx: Transaction,
  o: { month: string; references: ReferenceRates; nowMs: number },
): Promise<void> {
  const { month, nowMs } = o
  await lockSubAffiliates(tx)
  // A change of plan that nobody has come to yet was made while the month was open, and counts in it (decision 90).
  for (const day of await waitingDays(tx, month))
    await postDay(tx, { ...o, day, revision: await readRevision(tx, day) })
  const next = await firstOpenMonth(tx, monthAfter(month))
  for (const { id, fields, sum } of await readMonthSums(tx, month)) {
    // A month's last day sorts below its 32nd.
    const planId = planOn(fields, `${month}-32`)?.plan_id ?? planOf(fields)
    for (const end of monthEnd(sum, await planFieldsOf(tx, planId))) {
      await appendEntry(tx, {
        subAffiliateId: id,
        kind: end.kind,
        reason: end.reason,
        amount: end.amount,
        about: null,
        note: null,
        currency: fields.payout_currency,
        month: end.month === 'this' ? month : next,
        source: 'stats_month',
        sourceId: `${id}/${month}/${end.reason ?? end.kind}/${end.month}`,
        nowMs,
      })
    }
  }
}
