// Reads of deliveries for lists and for the single answer. What waits in a parked lane is shown as it will end: dead, with the reason
// (delivery.md, Changes under way). It changes nothing.
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
  /** Of its last log row. */
  updated: Date
}

/** Filters of the history of a subscription. Instants bound the event's `created`. */
export interface HistoryFilter {
  workspaceId: string
  subscriptionId: string
  statuses: string[] | null
  type: string | null
  eventId: string | null
  /** Event ids below or at these bounds; made of `since` and `until`. */
  fromEventId: string | null
  toEventId: string | null
  afterEventId: string | null
  limit: number
}

// `ended`: waits in a parked lane without an attempt under way, so it is dead already for whoever reads.
const shown = `
  select d.delivery_id, d.subscription_id, d.event_id, d.event_day::text as event_day, d.event_type, d.epoch, d.attempt, d.attempts_total, d.delivered, d.seq,
         d.last_status, d.last_error_code, e.delivery_id is not null as attempt_under_way,
         (select g.at from delivery_log g
           where g.event_day = d.event_day and g.delivery_id = d.delivery_id and g.seq = d.seq and g.workspace_id = d.workspace_id) as updated,
         case when x.ended then 'dead' else d.status end as status,
         case when x.ended or e.delivery_id is not null then null else d.next_attempt end as next_attempt,
         case when x.ended then s.updated else d.dead end as dead,
         case when x.ended then case s.status when 'deleted' then 'subscription_deleted' else 'subscription_disabled' end else d.dead_reason end as dead_reason
    from deliveries d
    join subscriptions s on s.subscription_id = d.subscription_id and s.workspace_id = d.workspace_id
    left join leases e on e.subscription_id = d.subscription_id and e.delivery_id = d.delivery_id and e.workspace_id = d.workspace_id
   cross join lateral (select d.status in ('pending', 'retry', 'replay') and s.status <> 'enabled' and e.delivery_id is null as ended) x`

/** Newest event first. Index deliveries_history; the days outside the bounds are left out. */
export async function listHistory(tx: Queryable, f: HistoryFilter): Promise<DeliveryRow[]> {
  const { rows } = await tx.query<DeliveryRow>({
    name: 'delivery-history',
    text: `select * from (${shown}
             where d.workspace_id = $1 and d.subscription_id = $2
               and ($3::text is null or d.event_type = $3) and ($4::text is null or d.event_id = $4)
               and ($5::text is null or d.event_id >= $5) and ($6::text is null or d.event_id <= $6)
               and ($7::text is null or d.event_id < $7)) v
            where ($8::text[] is null or v.status = any($8))
            order by v.event_id desc limit $9`,
    values: [
      f.workspaceId,
      f.subscriptionId,
      f.type,
      f.eventId,
      f.fromEventId,
      f.toEventId,
      f.afterEventId,
      f.statuses,
      f.limit,
    ],
  })
  return rows
}

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

/** Filters of the dead letters of a workspace. */
export interface DeadLetterFilter {
  workspaceId: string
  subscriptionId: string | null
  type: string | null
  reason: string | null
  errorCode: string | null
  fromDay: string | null
  toDay: string | null
  sinceMs: number | null
  untilMs: number | null
  after: { day: string; id: string } | null
  limit: number
}

/** Newest first. Primary key of dead_deliveries; what a parked lane still has to end is not in it yet. */
export async function listDeadLetters(tx: Queryable, f: DeadLetterFilter): Promise<DeliveryRow[]> {
  const { rows } = await tx.query<DeliveryRow>({
    name: 'dead-letters',
    text: `select v.* from dead_deliveries y cross join lateral (${shown}
             where d.event_day = y.event_day and d.delivery_id = y.delivery_id and d.workspace_id = y.workspace_id) v
            where y.workspace_id = $1 and v.status = 'dead'
              and ($2::text is null or v.subscription_id = $2) and ($3::text is null or v.event_type = $3)
              and ($4::text is null or v.dead_reason = $4) and ($5::text is null or v.last_error_code = $5)
              and ($6::date is null or y.event_day >= $6) and ($7::date is null or y.event_day <= $7)
              and ($8::text is null or v.event_id >= $8) and ($9::text is null or v.event_id <= $9)
              and ($10::date is null or (y.event_day, y.delivery_id) < ($10::date, $11))
            order by y.event_day desc, y.delivery_id desc limit $12`,
    values: [
      f.workspaceId,
      f.subscriptionId,
      f.type,
      f.reason,
      f.errorCode,
      f.fromDay,
      f.toDay,
      f.sinceMs === null ? null : boundOf(f.sinceMs, '0'),
      f.untilMs === null ? null : boundOf(f.untilMs, 'Z'),
      f.after?.day ?? null,
      f.after?.id ?? '',
      f.limit,
    ],
  })
  return rows
}

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** The least ('0') or greatest ('Z') event id of a millisecond. */
export function boundOf(ms: number, fill: '0' | 'Z'): string {
  let rest = Math.max(0, Math.floor(ms))
  let text = ''
  for (let i = 0; i < 10; i += 1) {
    text = alphabet.charAt(rest % 32) + text
    rest = Math.floor(rest / 32)
  }
  return `evt_${text}${fill.repeat(16)}`
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
