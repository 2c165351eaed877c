// Lost leases: read to be taken over, or put off when they cannot be settled yet.
import type { Pool, Queryable } from '@wds/postgres/pool'
import type { SessionLock } from '@wds/postgres/session-lock'
import { withTransaction } from '@wds/postgres/transaction'
import type { HeldAttempt, LostLease } from './ports.ts'

/** The lock by which others see that this worker lives. */
export type WorkerSession = Pick<SessionLock, 'key' | 'heldMs'>

/** Longer than a session that the database cut off needs to come back. */
const othersReturnMs = 2_000

/**
 * Attempts whose outcome is lost: their leases ran out, or their worker has ended. `worker`: the session lock of this one, if it has
 * one. After that was lost, those of others may have been, too (a restart of the database): they get a moment to take theirs again.
 */
export async function lostLeases(db: Queryable, worker: WorkerSession | null, limit: number): Promise<LostLease[]> {
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
    was_unknown: boolean
  }>({
    name: 'leases-lost',
    text: `select workspace_id, subscription_id, delivery_id, event_day::text, event_id, claim_id, epoch, attempt,
                  (extract(epoch from started) * 1000)::float8 as started_ms, url, was_unknown
             from lost_leases($1, $2, $3)`,
    values: [worker?.key ?? null, (worker?.heldMs() ?? 0) > othersReturnMs, limit],
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
    wasUnknown: row.was_unknown,
  }))
}

/** Puts the end of a lease off by `ms` from now, also that of a worker that has ended, fenced by the claim id. The lane first: whoever writes a row of `leases` holds its lock. */
export async function postponeLease(pool: Pool, lease: HeldAttempt, ms: number): Promise<void> {
  const { subscriptionId, workspaceId, deliveryId, claimId } = lease
  await withTransaction(pool, { workspaceId: null }, async (tx) => {
    await tx.query('select 1 from lanes where subscription_id = $1 and workspace_id = $2 for update', [
      subscriptionId,
      workspaceId,
    ])
    await tx.query(
      `update leases set lease_end = app_now() + $5::bigint * interval '1 ms', worker = null
        where subscription_id = $1 and delivery_id = $3 and workspace_id = $2 and claim_id = $4`,
      [subscriptionId, workspaceId, deliveryId, claimId, ms],
    )
  })
}
