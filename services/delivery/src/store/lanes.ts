// Care of lanes beside claim and settle, and what is told of them.
import type { Pool, Queryable } from '@wds/postgres/pool'
import { withTransaction } from '@wds/postgres/transaction'

/** Counts in_flight anew from the leases; returns how many lanes were wrong. */
export async function recountInFlight(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ n: number }>('select recount_in_flight() as n')
  return rows[0]?.n ?? 0
}

/** Lanes that wait for a key that opens their signing secret, and since when the first one does. Index lanes_held. */
export async function readHeldLanes(db: Queryable): Promise<{ lanes: number; since: Date | null }> {
  const { rows } = await db.query<{ lanes: number; since: Date | null }>(
    'select count(*)::int as lanes, min(held_since) as since from lanes where held_since is not null',
  )
  return rows[0] ?? { lanes: 0, since: null }
}

/** Lets lanes rest for `ms`, then one attempt through at a time until one succeeds. A parked lane stays parked. Primary key. */
export async function restLanes(pool: Pool, subscriptionIds: string[], ms: number): Promise<void> {
  await withTransaction(pool, { workspaceId: null }, async (tx) => {
    await tx.query('select 1 from lanes where subscription_id = any($1) order by subscription_id for update', [
      subscriptionIds,
    ])
    await tx.query(
      `update lanes set cap = 1, ready_at = greatest(ready_at, app_now() + $2::bigint * interval '1 ms') where subscription_id = any($1)`,
      [subscriptionIds, ms],
    )
  })
}
