// Care of lanes beside claim and settle, and what is told of them.
import type { Queryable } from '@wds/postgres/pool'

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
