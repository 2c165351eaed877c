// The history of a subscription: walks one index in its order, at most `walkRowsMax` rows for a page (decision 26).
import { type Walk, walkRowsMax } from '@wds/http-service/cursor'
import type { Queryable } from '@wds/postgres/pool'
import { type DeliveryRow, shown } from './store.ts'

/** Filters of the history of a subscription. Instants bound the event's `created`. */
export interface HistoryFilter {
  workspaceId: string
  subscriptionId: string
  statuses: string[] | null
  type: string | null
  eventId: string | null
  /** Least and greatest event id, made of `since` and `until`. */
  from: string | null
  to: string | null
  /** The event of the last row of the page before. */
  after: string | null
  limit: number
}

// Of one subscription, newest event first. Index deliveries_history.
const history = `from deliveries d
           where d.workspace_id = $1 and d.subscription_id = $2
             and ($3::text is null or d.event_id >= $3) and ($4::text is null or d.event_id <= $4)
             and ($5::text is null or d.event_id < $5)
           order by d.event_id desc`

/** As `shown` has it. Most rows are judged by themselves: `leases` is asked for what waits in a parked lane alone. */
const shownStatus = `case
  when d.status in ('pending', 'retry', 'replay')
   and (select s.status <> 'enabled' from subscriptions s where s.subscription_id = $2 and s.workspace_id = $1)
   and not exists (select from leases e where e.subscription_id = $2 and e.delivery_id = d.delivery_id and e.workspace_id = $1)
  then 'dead' else d.status end`

const later = (bound: string | null, id: string) => (bound !== null && bound > id ? bound : id)
const earlier = (bound: string | null, id: string) => (bound !== null && bound < id ? bound : id)

/**
 * Newest event first. Index deliveries_history, in its order; at most `walkRowsMax` rows are looked at. What is shown is looked up by
 * its key: `limit 1` keeps the planner from reading all deliveries of the workspace for it.
 */
export async function listHistory(
  tx: Queryable,
  f: HistoryFilter,
): Promise<Walk<DeliveryRow, Pick<DeliveryRow, 'event_id'>>> {
  const { eventId, from, to } = f
  // One event alone, unless it lies outside the bounds.
  const [least, most] = eventId === null ? [from, to] : [later(from, eventId), earlier(to, eventId)]
  const place = [f.workspaceId, f.subscriptionId, least, most, f.after]
  const { rows } = await tx.query<DeliveryRow>({
    name: 'delivery-history',
    text: `select v.* from (
             select d.event_day, d.delivery_id, d.event_id from (select d.* ${history} limit $6) d
              where ($7::text is null or d.event_type = $7) and ($8::text[] is null or ${shownStatus} = any($8))
              order by d.event_id desc limit $9) f
            cross join lateral (${shown}
              where d.event_day = f.event_day and d.delivery_id = f.delivery_id and d.workspace_id = $1 limit 1) v
            order by f.event_id desc`,
    values: [...place, walkRowsMax, f.type, f.statuses, f.limit],
  })
  if (rows.length === f.limit || (f.type === null && f.statuses === null)) return { rows, walkedTo: null }
  const { rows: last } = await tx.query<{ event_id: string }>({
    name: 'delivery-history-walked',
    text: `select d.event_id ${history} offset $6 limit 1`,
    values: [...place, walkRowsMax - 1],
  })
  return { rows, walkedTo: last[0] ?? null }
}
