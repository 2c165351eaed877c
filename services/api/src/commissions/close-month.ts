// Ends a month in the ledger (domain.md 7): what still waits to be posted of its days, then carryovers, floors and caps. As much of it in each
// transaction as is bounded, so that who else posts for sub-affiliates of the workspace waits for that alone (decision 99). A later
// restatement does not repeat it: what changes of a closed month is posted in the first open one.
import type { Transaction } from '@wds/postgres/transaction'
import type { ReferenceRates } from '../fx/reference-rates.ts'
import type { NewEntry } from '../ledger/domain/ledger-entry.ts'
import { monthAfter } from '../ledger/domain/month.ts'
import { appendEntries, firstOpenMonth } from '../ledger/store-ledger.ts'
import { planOf, planOn } from '../sub-affiliates/domain/sub-affiliate.ts'
import { lockSubAffiliates } from '../sub-affiliates/store-places.ts'
import { doneToOf, setWork, waitingDays, workDone } from '../sub-affiliates/store-work.ts'
import { monthEnd } from './domain/commission.ts'
import { type PlanFieldsOf, planReader, postDay } from './post-day.ts'
import { readMonthSums, readRevision, type SubAffiliate } from './store-sums.ts'

/** Sub-affiliates that one transaction looks at; a day that waits counts as those that it is of, and is never parted. */
export const lookedAtMax = 500

interface Month {
  /** `2026-01`. Nothing else is posted in it any more but what waits of its days. */
  month: string
  referenceRates: ReferenceRates
  nowMs: number
}

/** Goes on where the transaction before has ended. True once all is posted; until then the month has work due. */
export async function closeLedgerMonth(tx: Transaction, o: Month): Promise<boolean> {
  const { month, nowMs } = o
  await lockSubAffiliates(tx)
  const doneTo = (await doneToOf(tx, month)) ?? ''
  const days = await postWaiting(tx, { ...o, doneTo })
  const left = lookedAtMax - days.lookedAt
  const last = left > 0 ? await endAccounts(tx, { ...o, doneTo: days.doneTo, limit: left }) : days.doneTo
  if (last === null) await setWork(tx, { id: month, atMs: null })
  else await workDone(tx, { id: month, doneTo: last, atMs: nowMs })
  return last === null
}

/** A change of plan that nobody has come to yet was made while the month was open, and counts in it (decision 90). */
async function postWaiting(
  tx: Transaction,
  o: Month & { doneTo: string },
): Promise<{ doneTo: string; lookedAt: number }> {
  let { doneTo } = o
  let lookedAt = 0
  for (const day of await waitingDays(tx, o.month)) {
    if (day <= doneTo) continue
    if (lookedAt >= lookedAtMax) break
    lookedAt += await postDay(tx, { ...o, day, revision: await readRevision(tx, day) })
    doneTo = day
  }
  return { doneTo, lookedAt }
}

/** The id of the last account; null: there is no other one. */
async function endAccounts(tx: Transaction, o: Month & { doneTo: string; limit: number }): Promise<string | null> {
  const accounts = await readMonthSums(tx, o)
  const next = await firstOpenMonth(tx, monthAfter(o.month))
  const planFieldsOf = planReader(tx)
  const entries: NewEntry[] = []
  for (const account of accounts) entries.push(...(await endOf(account, { ...o, next, planFieldsOf })))
  await appendEntries(tx, entries, o)
  return accounts.length < o.limit ? null : (accounts.at(-1)?.id ?? null)
}

/** The last plan of the month decides. */
async function endOf(
  { id, fields, sum }: SubAffiliate & { sum: bigint },
  { month, next, planFieldsOf }: { month: string; next: string; planFieldsOf: PlanFieldsOf },
): Promise<NewEntry[]> {
  // A month's last day sorts below its 32nd.
  const planId = planOn(fields, `${month}-32`)?.plan_id ?? planOf(fields)
  return monthEnd(sum, await planFieldsOf(planId)).map((end) => ({
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
  }))
}
