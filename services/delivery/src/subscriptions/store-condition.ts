// What the engine holds of one subscription of the transaction's workspace, counted within bounds.
import type { Transaction } from '@wds/postgres/transaction'

/** More are not counted. */
export const openCountedMax = 10_000

/** Deliveries that wait or are under way, at most one more than `openCountedMax`. Prefixes of the primary keys of due and leases. */
export async function countOpen(tx: Transaction, subscriptionId: string): Promise<number> {
  const { rows } = await tx.query<{ n: number }>({
    name: 'subscription-open',
    text: `select count(*)::int as n from (
             (select delivery_id from due where subscription_id = $2 and workspace_id = $1 limit $3)
             union (select delivery_id from leases where subscription_id = $2 and workspace_id = $1 limit $3)
             limit $3) counted`,
    values: [tx.workspaceId, subscriptionId, openCountedMax + 1],
  })
  return rows[0]?.n ?? 0
}

/** Deliveries with a failed attempt since it fails; 0 while it does not. Primary key of lanes. */
export async function failingDeliveriesOf(tx: Transaction, subscriptionId: string): Promise<number> {
  const { rows } = await tx.query<{ n: number }>({
    name: 'subscription-failing',
    text: `select case when failing_since is null then 0 else failed_deliveries end as n
             from lanes where subscription_id = $2 and workspace_id = $1`,
    values: [tx.workspaceId, subscriptionId],
  })
  return rows[0]?.n ?? 0
}

/** Its last disabling, as its stream tells. Primary key of stream_events, backwards. */
export async function whenDisabled(tx: Transaction, subscriptionId: string): Promise<Date | null> {
  const { rows } = await tx.query<{ created: Date }>({
    name: 'subscription-when-disabled',
    text: `select created from stream_events
            where workspace_id = $1 and stream_type = 'webhook' and stream_id = $2 and event_type = 'SubscriptionDisabled'
            order by version desc limit 1`,
    values: [tx.workspaceId, subscriptionId],
  })
  return rows[0]?.created ?? null
}
