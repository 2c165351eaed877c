// Days of events, deliveries and their log: made ahead, dropped after 32 days by the owner's functions (delivery.md 3).
import type { Queryable } from '@wds/postgres/pool'

const dayMs = 86_400_000
/** The log keeps a week: what waits in it must find its day after an outage, too. */
const daysBack = 8
const daysAhead = 3
const retentionDays = 32

/** How long a delivery can be read at most, milliseconds: days are dropped as a whole. Longer only while something waits in its day. */
export const readableMs = (retentionDays + 1) * dayMs

/** Makes the missing days around `nowMs`; returns the days that exist, `YYYY-MM-DD`. */
export async function makeDays(db: Queryable, nowMs: number): Promise<Set<string>> {
  const present = await existingDays(db)
  for (let offset = -daysBack; offset <= daysAhead; offset += 1) {
    const day = new Date(nowMs + offset * dayMs).toISOString().slice(0, 10)
    if (present.has(day)) continue
    await db.query('select make_partitions($1)', [day])
    present.add(day)
  }
  return present
}

/** The days that exist, by the catalog. */
export async function existingDays(db: Queryable): Promise<Set<string>> {
  const { rows } = await db.query<{ day: string }>({
    name: 'days',
    text: 'select d::text as day from partition_days() d',
  })
  return new Set(rows.map((row) => row.day))
}

/** Drops what is older than the retention and that nothing waits in; returns the days dropped. */
export async function dropOldDays(db: Queryable, nowMs: number): Promise<string[]> {
  const before = new Date(nowMs - retentionDays * dayMs).toISOString().slice(0, 10)
  const { rows } = await db.query<{ day: string }>('select d::text as day from drop_partitions($1) d', [before])
  return rows.map((row) => row.day)
}
