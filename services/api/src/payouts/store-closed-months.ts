// The months of a sub-affiliate that payouts pay for.
import { workspaceOf } from '@wds/aggregate/aggregate'
import type { Transaction } from '@wds/postgres/transaction'
import type { ClosedMonth } from './domain/covered-months.ts'

/** In their order, without payouts. Primary keys of ledger_months and stats_months. */
export async function readClosedMonths(tx: Transaction, subAffiliateId: string): Promise<ClosedMonth[]> {
  const { rows } = await tx.query<{ month: string; amount: string; entries: number }>(
    `select m.month, m.amount::text, m.entries from ledger_months m
     where m.workspace_id = $1 and m.sub_affiliate_id = $2 and exists (
       select from stats_months c where c.workspace_id = $1 and c.id = m.month and c.status = 'closed') order by m.month`,
    [workspaceOf(tx), subAffiliateId],
  )
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }))
}
