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
const joined = `
    join subscriptions s on s.subscription_id = d.subscription_id and s.workspace_id = d.workspace_id
    left join leases e on e.subscription_id = d.subscription_id and e.delivery_id = d.delivery_id and e.workspace_id = d.workspace_id
   cross join lateral (select d.status in ('pending', 'retry', 'replay') and s.status <> 'enabled' and e.delivery_id is null as ended) x`

// `u`: the last log row. `b`: the attempt that was settled with it; what bears the instant of that settle is shown at the end of the
// attempt's rounded duration instead, since the exact one tells how long an address took to answer (security.md 1).
const shown = `
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

/** Most rows that a list reads for one page (decision 26). */
export const walkRowsMax = 10_000

/** Rows of a page; `walkedTo`: the last row read where the walk ended before the page was full and before the list's end, else null. */
export interface Walked {
  rows: DeliveryRow[]
  walkedTo: string | null
}

// Of one subscription, newest event first. Index deliveries_history.
const history = `from deliveries d
           where d.workspace_id = $1 and d.subscription_id = $2
             and ($3::text is null or d.event_id >= $3) and ($4::text is null or d.event_id <= $4)
             and ($5::text is null or d.event_id < $5)
           order by d.event_id desc`

const later = (bound: string | null, id: string) => (bound !== null && bound > id ? bound : id)
const earlier = (bound: string | null, id: string) => (bound !== null && bound < id ? bound : id)

/** Newest event first. Index deliveries_history, in its order; at most `walkRowsMax` rows are looked at. */
export async function listHistory(tx: Queryable, f: HistoryFilter): Promise<Walked> {
  const { eventId, fromEventId: from, toEventId: to } = f
  // One event alone, unless it lies outside the bounds.
  const [least, most] = eventId === null ? [from, to] : [later(from, eventId), earlier(to, eventId)]
  const place = [f.workspaceId, f.subscriptionId, least, most, f.afterEventId]
  const { rows } = await tx.query<DeliveryRow>({
    name: 'delivery-history',
    text: `select v.* from (
             select d.event_day, d.delivery_id, d.event_id from (select d.* ${history} limit $6) d ${joined}
              where ($7::text is null or d.event_type = $7)
                and ($8::text[] is null or case when x.ended then 'dead' else d.status end = any($8))
              order by d.event_id desc limit $9) f
            cross join lateral (${shown}
              where d.event_day = f.event_day and d.delivery_id = f.delivery_id and d.workspace_id = $1) v
            order by f.event_id desc`,
    values: [...place, walkRowsMax, f.type, f.statuses, f.limit],
  })
  if (rows.length === f.limit || (f.type === null && f.statuses === null)) return { rows, walkedTo: null }
  const { rows: last } = await tx.query<{ event_id: string }>({
    name: 'delivery-history-walked',
    text: `select d.event_id ${history} offset $6 limit 1`,
    values: [...place, walkRowsMax - 1],
  })
  return { rows, walkedTo: last[0]?.event_id ?? null }
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

// Of one workspace, newest first. Primary key of dead_deliveries.
const deadLetters = `from dead_deliveries y
            where y.workspace_id = $1 and ($2::date is null or y.event_day >= $2) and ($3::date is null or y.event_day <= $3)
              and ($4::date is null or (y.event_day, y.delivery_id) < ($4::date, $5))
            order by y.event_day desc, y.delivery_id desc`

/** Newest first; at most `walkRowsMax` are looked at. What a parked lane still has to end is not among them yet. */
export async function listDeadLetters(tx: Queryable, f: DeadLetterFilter): Promise<Walked> {
  const place = [f.workspaceId, f.fromDay, f.toDay, f.after?.day ?? null, f.after?.id ?? '']
  const { rows } = await tx.query<DeliveryRow>({
    name: 'dead-letters',
    text: `select v.* from (
             select y.event_day, y.delivery_id from (select y.event_day, y.delivery_id ${deadLetters} limit $6) y
               join deliveries d on d.event_day = y.event_day and d.delivery_id = y.delivery_id and d.workspace_id = $1
              where d.status = 'dead'
                and ($7::text is null or d.subscription_id = $7) and ($8::text is null or d.event_type = $8)
                and ($9::text is null or d.dead_reason = $9) and ($10::text is null or d.last_error_code = $10)
                and ($11::text is null or d.event_id >= $11) and ($12::text is null or d.event_id <= $12)
              order by y.event_day desc, y.delivery_id desc limit $13) f
            cross join lateral (${shown}
              where d.event_day = f.event_day and d.delivery_id = f.delivery_id and d.workspace_id = $1) v
            order by f.event_day desc, f.delivery_id desc`,
    values: [
      ...[...place, walkRowsMax],
      ...[f.subscriptionId, f.type, f.reason, f.errorCode],
      ...[f.sinceMs === null ? null : boundOf(f.sinceMs, '0'), f.untilMs === null ? null : boundOf(f.untilMs, 'Z')],
      f.limit,
    ],
  })
  if (rows.length === f.limit) return { rows, walkedTo: null }
  const { rows: last } = await tx.query<{ delivery_id: string }>({
    name: 'dead-letters-walked',
    text: `select y.delivery_id ${deadLetters} offset $6 limit 1`,
    values: [...place, walkRowsMax - 1],
  })
  return { rows, walkedTo: last[0]?.delivery_id ?? null }
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
