// Settles the account of a sub-affiliate that is to be removed (domain.md 3.8), or refuses the removal.
import { Problem } from '@wds/http-service/problem'
import type { Transaction } from '@wds/postgres/transaction'
import { presentMonth } from '../ledger/present-month.ts'
import { appendEntry, readBalances } from '../ledger/store-ledger.ts'
import { hasOpenPayout } from './store-open-payouts.ts'
import { lockSubAffiliates } from './store-places.ts'

/** Before a removal: there is nothing to pay, or it is written off. What a payout has taken may still come back. */
export async function settle(
  tx: Transaction,
  { id, isWrittenOff, nowMs }: { id: string; isWrittenOff: boolean; nowMs: number },
): Promise<void> {
  await lockSubAffiliates(tx)
  if (await hasOpenPayout(tx, id)) {
    const detail = 'A payout of it is not over: cancel it, or say what became of it.'
    throw new Problem('balance_not_zero', { detail })
  }
  const balance = (await readBalances(tx, [id])).get(id)
  if (balance === undefined) return
  const { currency, pending, available } = balance
  const sum = pending + available
  if (sum === 0n) return
  if (!isWrittenOff) throw new Problem('balance_not_zero')
  await appendEntry(tx, {
    subAffiliateId: id,
    kind: 'adjustment',
    reason: 'write_off',
    amount: -sum,
    currency,
    note: null,
    about: null,
    month: await presentMonth(tx, nowMs),
    source: 'write_off',
    sourceId: id,
    nowMs,
  })
}
