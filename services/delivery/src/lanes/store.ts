// Care of lanes beside claim and settle, and what is told of them.
import type { Queryable } from '@wds/postgres/pool'
import type { Transaction } from '@wds/postgres/transaction'

/** What a lane takes over from its subscription. */
export interface LaneLimits {
  /** 1 to 64. */
  max_in_flight: number
  /** Attempts per second, null: no limit. */
  rate_limit: number | null
}

/** A lane for a new subscription. The caller holds the workspace's row. */
export async function addLane(tx: Transaction, id: string, o: LaneLimits): Promise<void> {
  await tx.query({
    name: 'lane-add',
    text: `insert into lanes (workspace_id, subscription_id, max_in_flight, cap, rate) values ($1, $2, $3::int, least(2, $3::int), $4::int)`,
    values: [tx.workspaceId, id, o.max_in_flight, o.rate_limit],
  })
}

/** The caller holds the workspace's row. Primary key. */
export async function limitLane(tx: Transaction, id: string, o: LaneLimits): Promise<void> {
  await tx.query({
    name: 'lane-limit',
    text: `update lanes set max_in_flight = $3, rate = $4::int, cap = least(cap, $3) where subscription_id = $2 and workspace_id = $1`,
    values: [tx.workspaceId, id, o.max_in_flight, o.rate_limit],
  })
}

/** Counts in_flight anew from the leases; returns how many lanes were wrong. */
export async function recountInFlight(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ n: number }>('select recount_in_flight() as n')
  return rows[0]?.n ?? 0
}

/** Lanes whose attempts cannot be made here, and since when the first one waits. In a parked one nothing waits. Index lanes_held. */
export async function readHeldLanes(db: Queryable): Promise<{ lanes: number; since: Date | null }> {
  const { rows } = await db.query<{ lanes: number; since: Date | null }>(
    "select count(*)::int as lanes, min(held_since) as since from lanes where held_since is not null and ready_at < 'infinity'",
  )
  return rows[0] ?? { lanes: 0, since: null }
}
