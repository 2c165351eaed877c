// Leases that ran out: read to be taken over, or put off when they cannot be settled yet.
import type { Pool, Queryable } from '@wds/postgres/pool'
import { withTransaction } from '@wds/postgres/transaction'
import type { ExpiredLease, HeldAttempt } from '../loops/send/send-ports.ts'

/** Leases that ran out, oldest first: to be settled as `attempt_unknown` under the claim id read. The table is small. */
export async function expiredLeases(db: Queryable, limit: number): Promise<ExpiredLease[]> {
  const { rows } = await db.query<{
    workspace_id: string
    subscription_id: string
    delivery_id: string
    event_day: string
    event_id: string
    claim_id: string
    epoch: number
    attempt: number
    started_ms: number
    url: string
  }>({
    name: 'leases-expired',
    text: `select e.workspace_id, e.subscription_id, e.delivery_id, e.event_day::text, e.event_id, e.claim_id, e.epoch, e.attempt,
                  (extract(epoch from e.started) * 1000)::float8 as started_ms, s.url
             from leases e join subscriptions s on s.subscription_id = e.subscription_id and s.workspace_id = e.workspace_id
            where e.lease_end < app_now() order by e.lease_end limit $1`,
    values: [limit],
  })
  return rows.map((row) => ({
    workspaceId: row.workspace_id,
    subscriptionId: row.subscription_id,
    deliveryId: row.delivery_id,
    eventDay: row.event_day,
    eventId: row.event_id,
    claimId: row.claim_id,
    epoch: row.epoch,
    attempt: row.attempt,
    startedMs: row.started_ms,
    url: row.url,
  }))
}

/** Puts the end of a lease off by `ms` from now, fenced by the claim id. The lane first: whoever writes a row of `leases` holds its lock. */
export async function postponeLease(pool: Pool, lease: HeldAttempt, ms: number): Promise<void> {
  const { subscriptionId, workspaceId, deliveryId, claimId } = lease
  await withTransaction(pool, { workspaceId: null }, async (tx) => {
    await tx.query('select 1 from lanes where subscription_id = $1 and workspace_id = $2 for update', [
      subscriptionId,
      workspaceId,
    ])
    await tx.query(
      `update leases set lease_end = app_now() + $5::bigint * interval '1 ms'
        where subscription_id = $1 and delivery_id = $3 and workspace_id = $2 and claim_id = $4`,
      [subscriptionId, workspaceId, deliveryId, claimId, ms],
    )
  })
}
