// Removes subscriptions that were deleted so long ago that nothing refers to them. Their streams stay.
import type { Pool, Queryable } from '@wds/postgres/pool'
import { withTransaction } from '@wds/postgres/transaction'
import { readableMs } from '../days/store.ts'
import { lockWorkspace } from '../workspaces/store.ts'

/** Removed in one round. */
const roundMax = 100

// A day in which something still waits is kept for longer than the others. Index deliveries_history; primary keys of due and leases.
const isUnused = `not exists (select 1 from deliveries d where d.workspace_id = s.workspace_id and d.subscription_id = s.subscription_id)
  and not exists (select 1 from due w where w.subscription_id = s.subscription_id)
  and not exists (select 1 from leases e where e.subscription_id = s.subscription_id)`

interface Removable {
  workspaceId: string
  id: string
}

/** Oldest first. Index subscriptions_deleted. */
async function listRemovable(db: Queryable): Promise<Removable[]> {
  const { rows } = await db.query<Removable>(
    `select s.workspace_id as "workspaceId", s.subscription_id as id from subscriptions s
      where s.status = 'deleted' and s.updated < app_now() - $1::bigint * interval '1 ms' and ${isUnused}
      order by s.updated limit $2`,
    [readableMs, roundMax],
  )
  return rows
}

/** Secrets, lane and row, in the lock order: workspace, lane, the rest. Nobody adds to a deleted subscription. */
async function remove(pool: Pool, { workspaceId, id }: Removable): Promise<void> {
  const key = [workspaceId, id]
  await withTransaction(pool, { workspaceId: null }, async (tx) => {
    await lockWorkspace(tx, workspaceId)
    await tx.query('delete from lanes where workspace_id = $1 and subscription_id = $2', key)
    await tx.query('delete from subscription_secrets where workspace_id = $1 and subscription_id = $2', key)
    await tx.query(
      "delete from subscriptions where workspace_id = $1 and subscription_id = $2 and status = 'deleted'",
      key,
    )
  })
}

/** One round; true when there may be more. */
export async function removeDeletedSubscriptions(pool: Pool): Promise<boolean> {
  const removable = await listRemovable(pool)
  for (const one of removable) await remove(pool, one)
  return removable.length === roundMax
}
