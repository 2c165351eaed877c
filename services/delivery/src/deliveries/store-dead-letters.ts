// Dead letters of a workspace, newest first, and their causes. What they are filtered by stands in dead_deliveries itself, so that
// only what is shown is looked up. What a parked lane still has to end is not among them yet.
import { idDay } from '@wds/contracts/ids'
import { type Walk, walkRowsMax } from '@wds/http-service/cursor'
import type { Queryable } from '@wds/postgres/pool'
import { type DeliveryRow, shown } from './store.ts'

/** What is asked for; null: all. */
export interface DeadLetterFilter {
  workspaceId: string
  subscriptionId: string | null
  type: string | null
  reason: string | null
  /** Of the last attempt; `none` where it had none. */
  errorCode: string | null
  /** First digit of the last answer's status. */
  statusClass: number | null
  /** Least and greatest delivery id, which carry the instant of the event. */
  from: string | null
  to: string | null
}

// Of one workspace, newest first. Primary key of dead_deliveries.
const deadLetters = `from dead_deliveries y
            where y.workspace_id = $1 and y.event_day between $2 and $3
              and ($4::date is null or (y.event_day, y.delivery_id) < ($4::date, $5))
            order by y.event_day desc, y.delivery_id desc`

function placeOf(f: DeadLetterFilter, after: string | null): unknown[] {
  const [from, to] = [f.from === null ? '-infinity' : idDay(f.from), f.to === null ? 'infinity' : idDay(f.to)]
  return [f.workspaceId, from, to, after === null ? null : idDay(after), after ?? '']
}

// Numbers of the parameters follow those of the place and of the rows looked at.
const matches = `($7::text is null or y.subscription_id = $7) and ($8::text is null or y.event_type = $8)
  and ($9::text is null or y.dead_reason = $9) and ($10::text is null or coalesce(y.last_error_code, 'none') = $10)
  and ($11::int is null or y.last_status / 100 = $11)
  and ($12::text is null or y.delivery_id >= $12) and ($13::text is null or y.delivery_id <= $13)`

const filterValues = (f: DeadLetterFilter) => [
  ...[f.subscriptionId, f.type, f.reason, f.errorCode],
  ...[f.statusClass, f.from, f.to],
]

/** At most `walkRowsMax` are looked at, and what is shown is looked up by its key (`limit 1`, as in store-history.ts). `after`: the last delivery of the page before. */
export async function listDeadLetters(
  tx: Queryable,
  f: DeadLetterFilter & { after: string | null; limit: number },
): Promise<Walk<DeliveryRow, Pick<DeliveryRow, 'delivery_id'>>> {
  const place = placeOf(f, f.after)
  const { rows } = await tx.query<DeliveryRow>({
    name: 'dead-letters',
    text: `select v.* from (
             select y.event_day, y.delivery_id from (select y.* ${deadLetters} limit $6) y where ${matches}
              order by y.event_day desc, y.delivery_id desc limit $14) f
            cross join lateral (${shown}
              where d.event_day = f.event_day and d.delivery_id = f.delivery_id and d.workspace_id = $1 limit 1) v
            order by f.event_day desc, f.delivery_id desc`,
    values: [...place, walkRowsMax, ...filterValues(f), f.limit],
  })
  if (rows.length === f.limit) return { rows, walkedTo: null }
  const { rows: last } = await tx.query<{ delivery_id: string }>({
    name: 'dead-letters-walked',
    text: `select y.delivery_id ${deadLetters} offset $6 limit 1`,
    values: [...place, walkRowsMax - 1],
  })
  return { rows, walkedTo: last[0] ?? null }
}

/** Dead letters of one cause and subscription. */
export interface CauseRow {
  reason: string
  error_code: string | null
  /** First digit of the status, where the answer was the fault. */
  status_class: number | null
  subscription_id: string
  count: number
  /** Delivery ids. */
  oldest: string
  newest: string
}

/** Dead letters that are looked at to count them, newest first. */
export const countedMax = 100_000

/** `lookedTo`: the oldest delivery looked at, where there were more than `most`; else null. */
export async function countCauses(
  tx: Queryable,
  f: DeadLetterFilter,
  most: number,
): Promise<{ causes: CauseRow[]; lookedTo: string | null }> {
  const { rows } = await tx.query<
    Omit<CauseRow, 'oldest' | 'newest'> & {
      oldest: string | null
      newest: string | null
      looked: number
      looked_to: string
    }
  >({
    name: 'dead-letter-causes',
    text: `select dead_reason as reason, last_error_code as error_code, status_class, subscription_id,
                  count(*) filter (where matches)::int as count,
                  min(delivery_id) filter (where matches) as oldest, max(delivery_id) filter (where matches) as newest,
                  (sum(count(*)) over ())::int as looked, min(min(delivery_id)) over () as looked_to
             from (select y.*, case when y.last_error_code = 'http_status' then y.last_status / 100 end as status_class,
                          (${matches}) as matches
                     from (select y.* ${deadLetters} limit $6) y) y
            group by 1, 2, 3, 4`,
    values: [...placeOf(f, null), most, ...filterValues(f)],
  })
  const causes = rows.filter((row): row is typeof row & CauseRow => row.oldest !== null)
  return { causes, lookedTo: (rows[0]?.looked ?? 0) < most ? null : (rows[0]?.looked_to ?? null) }
}
