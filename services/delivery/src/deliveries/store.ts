// Reads of deliveries, as they are shown. What waits in a parked lane is shown as it will end: dead, with the reason
// (delivery.md 2.9). It changes nothing.
import type { Queryable } from '@wds/postgres/pool'

/** A delivery as it is shown. */
export interface DeliveryRow {
  delivery_id: string
  subscription_id: string
  event_id: string
  event_day: string
  event_type: string
  status: 'pending' | 'retry' | 'replay' | 'delivered' | 'dead'
  epoch: number
  attempt: number
  attempts_total: number
  next_attempt: Date | null
  attempt_under_way: boolean
  delivered: Date | null
  dead: Date | null
  dead_reason: string | null
  last_status: number | null
  last_error_code: string | null
  seq: number
  /** Of its last log row; null where there is none. */
  updated: Date | null
}

/** `ended`: waits in a parked lane without an attempt under way, so it is dead already for whoever reads. */
const joined = `
    join subscriptions s on s.subscription_id = d.subscription_id and s.workspace_id = d.workspace_id
    left join leases e on e.subscription_id = d.subscription_id and e.delivery_id = d.delivery_id and e.workspace_id = d.workspace_id
   cross join lateral (select d.status in ('pending', 'retry', 'replay') and s.status <> 'enabled' and e.delivery_id is null as ended) x`

/**
 * `u`: the last log row. `b`: the attempt that was settled with it; what bears the instant of that settle is shown at the end of the
 * attempt's rounded duration instead, since the exact one tells how long an address took to answer (security.md 1).
 */
export const shown = `
  select d.delivery_id, d.subscription_id, d.event_id, d.event_day::text as event_day, d.event_type, d.epoch, d.attempt, d.attempts_total, d.seq,
         d.last_status, d.last_error_code, e.delivery_id is not null as attempt_under_way,
         case when u.at = b.at then b.shown else u.at end as updated,
         case when d.delivered = b.at then b.shown else d.delivered end as delivered,
         case when x.ended then 'dead' else d.status end as status,
         case when x.ended or e.delivery_id is not null then null
              when u.at = b.at then d.next_attempt + (b.shown - b.at) else d.next_attempt end as next_attempt,
         case when x.ended then s.updated when d.dead = b.at then b.shown else d.dead end as dead,
         case when x.ended then case s.status when 'deleted' then 'subscription_deleted' else 'subscription_disabled' end else d.dead_reason end as dead_reason
    from deliveries d ${joined}
    left join lateral (
      select g.at from delivery_log g
       where g.event_day = d.event_day and g.delivery_id = d.delivery_id and g.seq = d.seq and g.workspace_id = d.workspace_id) u on true
    left join lateral (
      select g.at, g.started + g.duration_ms * interval '1 ms' as shown from delivery_log g
       where g.event_day = d.event_day and g.delivery_id = d.delivery_id and g.seq between d.seq - 1 and d.seq and g.workspace_id = d.workspace_id
         and g.kind in ('attempt_succeeded', 'attempt_failed') and g.duration_ms is not null
       order by g.seq desc limit 1) b on true`

/** One delivery by the day inside its id. Primary key, one partition. */
export async function readDelivery(
  tx: Queryable,
  o: { workspaceId: string; day: string; id: string },
): Promise<DeliveryRow | null> {
  const { rows } = await tx.query<DeliveryRow>({
    name: 'delivery-read',
    text: `${shown} where d.event_day = $2 and d.delivery_id = $3 and d.workspace_id = $1`,
    values: [o.workspaceId, o.day, o.id],
  })
  return rows[0] ?? null
}

/** The exact bytes of the event of a delivery. Primary key of events. */
export async function readEventPayload(
  tx: Queryable,
  o: { workspaceId: string; day: string; eventId: string },
): Promise<Buffer | null> {
  const { rows } = await tx.query<{ payload: Buffer }>({
    name: 'event-payload',
    text: 'select payload from events where event_day = $2 and event_id = $3 and workspace_id = $1',
    values: [o.workspaceId, o.day, o.eventId],
  })
  return rows[0]?.payload ?? null
}
