// Reads what a bulk replay goes through: pages of one source by ascending key, each bounded by the rows looked at, however few of them
// are selected. It changes nothing.

import { edgeId, idDay } from '@wds/contracts/ids'
import type { Transaction } from '@wds/postgres/transaction'
import { typeIsOneOf } from '../events/store-patterns.ts'
import type { PeriodStatus, Selection, Source } from './domain/selection.ts'

/** A stored delivery that is selected. `key`: what its source is walked by. */
export interface StoredDelivery {
  key: string
  deliveryId: string
  eventId: string
  type: string
  status: Exclude<PeriodStatus, 'missing'>
  subscriptionId: string
  /** Of its subscription. */
  subscription: 'enabled' | 'disabled' | 'deleted'
}

/** An event of a type that the subscription asks for. `payload`: of types that may speak of a subscription, or of all. */
export interface Candidate {
  key: string
  eventId: string
  type: string
  payload: string | null
}

/** One look. `last`: the key of the last row looked at, null where there was none. `isCut`: more rows behind the last one given back. */
export interface Look<Row> {
  rows: Row[]
  looked: number
  last: string | null
  isCut?: boolean
}

/** What one look may cost: rows looked at, and rows given back. */
export interface LookSize {
  look: number
  rows: number
}

export interface WalkAt {
  webhookId: string | null
  selection: Selection
  /** Keys behind this one; '' for the first look. */
  after: string
  size: LookSize
}

/**
 * Rows of the walked table, day by day: each look has the day, the workspace and the last key as conditions of one index of one
 * partition. A dependent join keeps the order of the days, so the keys ascend.
 */
const eachDay = (rowsOfDay: string) =>
  `select w.* from (select $2::date + n as day from generate_series(0, $3::date - $2::date) n) g cross join lateral (${rowsOfDay} limit $4) w limit $4`

const resultOf = (found: string) =>
  `select (select count(*)::int from walked) as looked, (select max(key) from walked) as last,
          coalesce((select json_agg(f) from (${found}) f), '[]') as rows`

/** Of rows of `deliveries`, by whatever name they come. */
const shownOf = (from: string, key: string) =>
  `select ${key} as key, d.delivery_id as "deliveryId", d.event_id as "eventId", d.event_type as type, d.status, d.subscription_id as "subscriptionId",
          s.status as subscription
     from ${from} cross join lateral (
       select s.status from subscriptions s where s.subscription_id = d.subscription_id and s.workspace_id = d.workspace_id limit 1) s`

/** One delivery by its key. `limit` keeps it a lookup for each row, whatever a session believes about a day that was empty when it planned. */
const deliveryOf = (day: string, id: string) =>
  `(select * from deliveries d where d.event_day = ${day} and d.delivery_id = ${id} and d.workspace_id || '' = $1 limit 1) d`

async function look<Row>(
  tx: Transaction,
  query: { name: string; text: string; values: unknown[] },
): Promise<Look<Row>> {
  const { rows } = await tx.query<{ rows: Row[]; looked: number; last: string | null }>(query)
  return rows[0] ?? { rows: [], looked: 0, last: null }
}

/** The instants of a selection that has them, and where its days begin and end for this look. */
function boundsOf(selection: Exclude<Selection, { scope: 'deliveries' }>, prefix: 'evt' | 'dlv', after: string) {
  const [sinceMs, untilMs] = [Date.parse(selection.since), Date.parse(selection.until)]
  const start = after === '' ? edgeId(prefix, sinceMs, 'first') : after
  const [from, to] = [edgeId('evt', sinceMs, 'first'), edgeId('evt', untilMs, 'last')]
  return { start, fromDay: idDay(start), toDay: idDay(to), from, to, untilMs }
}

/** The deliveries that were named. Primary key. */
function lookAtNamed(tx: Transaction, o: WalkAt): Promise<Look<StoredDelivery>> {
  const ids = o.selection.scope === 'deliveries' ? o.selection.delivery_ids.filter((id) => id > o.after) : []
  return look(tx, {
    name: 'replay-named',
    text: `with walked as materialized (select i.day, i.key from unnest($2::date[], $3::text[]) i(day, key) order by i.key limit $4)
      ${resultOf(`${shownOf(`walked w cross join lateral ${deliveryOf('w.day', 'w.key')}`, 'w.key')}
        where d.status in ('dead', 'retry', 'delivered') and ($6::text is null or d.subscription_id = $6) order by d.delivery_id limit $5`)}`,
    values: [tx.workspaceId, ids.map(idDay), ids, o.size.look, o.size.rows, o.webhookId],
  })
}

/** The dead of a workspace, or of one subscription, by what stands beside them. Primary keys of dead_deliveries and deliveries. */
function lookAtDead(tx: Transaction, o: WalkAt): Promise<Look<StoredDelivery>> {
  const { selection } = o
  if (selection.scope === 'deliveries') throw new Error('what was named is not walked to')
  const { start, fromDay, toDay, untilMs } = boundsOf(selection, 'dlv', o.after)
  const isPeriod = selection.scope === 'period'
  const types = isPeriod ? selection.types : selection.type === null ? null : [selection.type]
  const { reason, error_code, status_class } = isPeriod ? noFilter : selection
  return look(tx, {
    name: 'replay-dead',
    text: `with walked as materialized (${eachDay(`
        select y.event_day, y.delivery_id as key, y.subscription_id, y.event_type, y.dead_reason, y.last_status, y.last_error_code
          from dead_deliveries y
         where y.event_day = g.day and y.workspace_id = $1 and y.delivery_id > $5 order by y.delivery_id`)})
      ${resultOf(
        `${shownOf(
          `(
        select * from walked w
         where w.key <= $6 and ($8::text is null or w.subscription_id = $8) and ${typeIsOneOf('w.event_type', '$9')}
           and ($10::text is null or w.dead_reason = $10) and ($11::text is null or coalesce(w.last_error_code, 'none') = $11)
           and ($12::int is null or w.last_status / 100 = $12)
         order by w.key limit $7) w cross join lateral ${deliveryOf('w.event_day', 'w.key')}`,
          'w.key',
        )} order by w.key`,
      )}`,
    values: [
      ...[tx.workspaceId, fromDay, toDay, o.size.look, start, edgeId('dlv', untilMs, 'last'), o.size.rows],
      ...[o.webhookId, types, reason, error_code, status_class === null ? null : Number(status_class[0])],
    ],
  })
}

const noFilter = { reason: null, error_code: null, status_class: null }

/** The history of a subscription, over all days as its list is: no other index than deliveries_history can serve it. */
function lookAtHistory(tx: Transaction, o: WalkAt): Promise<Look<StoredDelivery>> {
  const { selection } = o
  if (selection.scope !== 'period') throw new Error('a history is walked for a period')
  const { start, from, to } = boundsOf(selection, 'evt', o.after)
  return look(tx, {
    name: 'replay-history',
    text: `with walked as materialized (
        select d.event_id as key, d.delivery_id, d.event_id, d.event_type, d.status, d.subscription_id, d.workspace_id from deliveries d
         where d.workspace_id = $1 and d.subscription_id = $2 and d.event_id > $3 and d.event_id between $4 and $5
         order by d.event_id limit $6)
      ${resultOf(`${shownOf('walked d', 'd.key')} where d.status = any($8) and ${typeIsOneOf('d.event_type', '$9')} order by d.event_id limit $7`)}`,
    values: [
      ...[tx.workspaceId, o.webhookId, start, from, to, o.size.look, o.size.rows],
      ...[selection.status.filter((status) => status !== 'missing'), selection.types],
    ],
  })
}

/** Stored deliveries of a source that has them. */
export const lookAtStored: Record<
  Exclude<Source, 'events'>,
  (tx: Transaction, o: WalkAt) => Promise<Look<StoredDelivery>>
> = { named: lookAtNamed, dead: lookAtDead, history: lookAtHistory }

/**
 * Events of a workspace in the period, of the types asked for by the selection and by the subscription: those of the event log, which
 * holds no tests, and none that still waits for its fan-out. They are walked day by day in the order in which they came, so that none
 * is passed that becomes visible late. The page ends with the payload that fills `bytes`: lengths are known without reading the bodies.
 * Index events_log; primary key of fan_out_queue.
 */
export function lookAtEvents(
  tx: Transaction,
  o: WalkAt & { patterns: readonly string[]; withPayload: boolean; bytes: number },
): Promise<Look<Candidate>> {
  const { selection } = o
  if (selection.scope !== 'period') throw new Error('events are walked for a period')
  const { fromDay, toDay, from, to } = boundsOf(selection, 'evt', '')
  const [startDay = fromDay, position = '0'] = o.after === '' ? [] : o.after.split(' ')
  return look(tx, {
    name: 'replay-events',
    text: `with walked as materialized (${eachDay(`
        select to_char(e.event_day, 'YYYY-MM-DD ') || lpad(e.log_position::text, 19, '0') collate "C" as key, e.event_id, e.type,
               case when $11 or starts_with(e.type, 'webhook.') then e.payload end as payload from events e
         where e.event_day = g.day and e.workspace_id = $1 and e.log_position > case when g.day = $2 then $5::bigint else 0 end
         order by e.log_position`)})
      , wanted as materialized (
        select w.*, coalesce(sum(octet_length(w.payload)) over (order by w.key rows between unbounded preceding and 1 preceding), 0) as bytes_before
          from walked w
         where w.event_id between $6 and $7 and ${typeIsOneOf('w.type', '$9')} and ${typeIsOneOf('w.type', '$10')}
           and not exists (select from fan_out_queue q where q.workspace_id = $1 and q.event_id = w.event_id)
         order by w.key limit $8),
      cut as (select min(key) as key from wanted where bytes_before >= $12),
      found as (
        select w.key, w.event_id as "eventId", w.type, convert_from(w.payload, 'utf8') as payload from wanted w
         where w.bytes_before < $12 order by w.key)
      select (select count(*)::int from walked w where w.key < coalesce(c.key, w.key || '~')) as looked,
             (select max(w.key) from walked w) as last, c.key is not null as "isCut",
             coalesce((select json_agg(f) from found f), '[]') as rows
        from cut c`,
    values: [
      ...[tx.workspaceId, startDay, toDay, o.size.look, position, from, to, o.size.rows],
      ...[selection.types, o.patterns, o.withPayload, o.bytes],
    ],
  })
}

/** The subscription of each of the deliveries that is stored. Primary key. */
export async function subscriptionsOf(tx: Transaction, ids: string[]): Promise<Map<string, string>> {
  const { rows } = await tx.query<{ id: string; subscription: string }>({
    name: 'replay-existing',
    text: `select d.delivery_id as id, d.subscription_id as subscription from unnest($2::date[], $3::text[]) i(day, id)
            cross join lateral ${deliveryOf('i.day', 'i.id')}`,
    values: [tx.workspaceId, ids.map(idDay), ids],
  })
  return new Map(rows.map(({ id, subscription }) => [id, subscription]))
}
