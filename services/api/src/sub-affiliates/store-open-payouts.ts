// Payouts of a sub-affiliate that have not come to their end, as far as its own life hangs on them.
import { workspaceOf } from '@wds/aggregate/aggregate'
import type { Transaction } from '@wds/postgres/transaction'

/** Whether there is one. The index payouts_open serves it. */
export async function hasOpenPayout(tx: Transaction, subAffiliateId: string): Promise<boolean> {
  const { rows } = await tx.query(
    `select 1 from payouts where workspace_id = $1 and sub_affiliate_id = $2 and status in ('scheduled', 'processing') limit 1`,
    [workspaceOf(tx), subAffiliateId],
  )
  return rows.length > 0
}

/** Payouts of a sub-affiliate that may be scheduled at a time, held ones among them: a rule that holds them does so in one transaction. */
export const scheduledMax = 100

/** How many are scheduled. The index payouts_open serves it. */
export async function countScheduled(tx: Transaction, subAffiliateId: string): Promise<number> {
  const { rows } = await tx.query<{ count: number }>(
    `select count(*)::integer as count from payouts where workspace_id = $1 and sub_affiliate_id = $2 and status = 'scheduled'`,
    [workspaceOf(tx), subAffiliateId],
  )
  return rows[0]?.count ?? 0
}

/** Those that wait for their day and are not held, the oldest first. The index payouts_open serves it. */
export async function waitingPayouts(tx: Transaction, subAffiliateId: string): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(
    `select id from payouts where workspace_id = $1 and sub_affiliate_id = $2 and status = 'scheduled' and held = 'false' order by id`,
    [workspaceOf(tx), subAffiliateId],
  )
  return rows.map(({ id }) => id)
}

/** Has the worker look at those that wait. The index payouts_open serves it. */
export async function wakePayouts(tx: Transaction, subAffiliateId: string): Promise<void> {
  await tx.query(
    `insert into sub_affiliate_work (workspace_id, subject, due)
     select $1, id, app_now() from payouts where workspace_id = $1 and sub_affiliate_id = $2 and status = 'scheduled' and held = 'false'
     order by id on conflict (workspace_id, subject) do update set due = app_now()`,
    [workspaceOf(tx), subAffiliateId],
  )
}
