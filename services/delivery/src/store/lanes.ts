// Care of lanes beside claim and settle.
import type { Queryable } from '@wds/postgres/pool'

/** Counts in_flight anew from the leases; returns how many lanes were wrong. */
export async function recountInFlight(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ n: number }>('select recount_in_flight() as n')
  return rows[0]?.n ?? 0
}
