// Reads how long work has waited and why, for metrics. It changes nothing and locks nothing.
import type { Queryable } from '@wds/postgres/pool'

/** What keeps a lane that has a due delivery. */
export const waitReasons = ['ready', 'capped', 'throttled', 'breaker', 'held', 'parked'] as const
export type WaitReason = (typeof waitReasons)[number]

/** Lanes with a due delivery, with the age of the oldest one; a reason without lanes is left out. */
export interface WaitingLanes {
  reason: WaitReason
  lanes: number
  ageSeconds: number
}

/** Index lanes_due: idle lanes cost nothing. `breakerFailures`: failures in a row after which a lane is half open. */
export async function readWaitingLanes(db: Queryable, breakerFailures: number): Promise<WaitingLanes[]> {
  const { rows } = await db.query<{ reason: WaitReason; lanes: number; age: number }>({
    name: 'waiting-lanes',
    text: `with lane as materialized (
             select next_due, case when ready_at = 'infinity' then 'parked'
                                   when held_since is not null then 'held'
                                   when cap = 1 and failures >= $1 then 'breaker'
                                   when ready_at > app_now() then 'throttled'
                                   when in_flight >= least(cap, max_in_flight) then 'capped'
                                   else 'ready' end as reason
               from lanes where next_due <= app_now() and next_due < 'infinity')
           select reason, count(*)::int as lanes, extract(epoch from app_now() - min(next_due))::float8 as age
             from lane group by reason`,
    values: [breakerFailures],
  })
  return rows.map(({ reason, lanes, age }) => ({ reason, lanes, ageSeconds: age }))
}

/** Counts of the engine. The tables of leases and of the fan-out queue are small; lanes are read whole for the breakers. */
export interface EngineCounts {
  leasesRunning: number
  leasesExpired: number
  breakersHalfOpen: number
  /** 0 when nothing waits. */
  fanOutAgeSeconds: number
}

/** One round trip. An event's age is that of its stored row. */
export async function readEngineCounts(db: Queryable, breakerFailures: number): Promise<EngineCounts> {
  const { rows } = await db.query<{ running: number; expired: number; half_open: number; age: number }>({
    name: 'engine-counts',
    text: `select (select count(*) from leases where lease_end >= app_now())::int as running,
                  (select count(*) from leases where lease_end < app_now())::int as expired,
                  (select count(*) from lanes where cap = 1 and failures >= $1 and ready_at < 'infinity')::int as half_open,
                  coalesce((select extract(epoch from app_now() - e.created)
                              from (select event_day, event_id, workspace_id from fan_out_queue order by event_id limit 1) q
                              join events e using (event_day, event_id, workspace_id)), 0)::float8 as age`,
    values: [breakerFailures],
  })
  const [row] = rows
  return {
    leasesRunning: row?.running ?? 0,
    leasesExpired: row?.expired ?? 0,
    breakersHalfOpen: row?.half_open ?? 0,
    fanOutAgeSeconds: Math.max(0, row?.age ?? 0),
  }
}
