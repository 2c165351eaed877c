/** A history made in SQL, as a month of deliveries leaves it: what it costs to have one can be measured within minutes. */
import type pg from 'pg'

/** How many deliveries, of which workspaces. Their subscriptions are those that are there. */
export interface HistoryOptions {
  admin: pg.Pool
  workspaceIds: string[]
  deliveries: number
  /** One in so many is dead; 100 unless told. */
  deadOneIn?: number
  /** Told after each day. */
  say(line: string): void
}

/** Days before today that hold it: all of them are shown. */
const days = 29
const dayMs = 86_400_000

/** The ten characters of an id that tell its instant. */
const idTime = `create function pg_temp.id_time(ms bigint) returns text language sql immutable as $$
  select string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', ((ms >> (45 - 5 * i)) & 31)::int + 1, 1), '' order by i)
    from generate_series(0, 9) i $$`

// $1: day, $2: its start in ms, $3: events, $4: workspaces, $5: positions that were given before
const events = `insert into delivery.events (event_day, workspace_id, event_id, type, payload, created, log_position)
  select $1::date, ($4::text[])[1 + g % cardinality($4::text[])],
         'evt_' || pg_temp.id_time(ms) || lpad(upper(to_hex(g + 1)), 16, '0'), 'sync.failed',
         convert_to(json_build_object('id', 'evt_' || pg_temp.id_time(ms) || lpad(upper(to_hex(g + 1)), 16, '0'), 'type', 'sync.failed',
                                      'created', to_timestamp(ms / 1000.0), 'data', json_build_object('error_message', repeat('x', 850)))::text, 'utf8'),
         to_timestamp(ms / 1000.0), $5 + g / cardinality($4::text[]) + 1
    from generate_series(0, $3::int - 1) g cross join lateral (select $2::bigint + g::bigint * ${dayMs} / $3 as ms) t`

// $1: day, $2: one in so many is dead, $3: workspaces
const deliveries = `insert into delivery.deliveries (
         event_day, workspace_id, delivery_id, event_id, event_type, subscription_id,
         status, epoch, attempt, attempts_total, seq, delivered, dead, dead_reason, last_outcome, last_status, last_error_code)
  select e.event_day, e.workspace_id, 'dlv_' || substr(e.event_id, 5, 10) || right(e.event_id, 15) || upper(to_hex(s.nth)), e.event_id, e.type, s.subscription_id,
         case when is_dead then 'dead' else 'delivered' end, 1, 1, 1, case when is_dead then 3 else 2 end,
         case when not is_dead then at end, case when is_dead then at end, case when is_dead then 'attempts_exhausted' end,
         case when is_dead then 'attempt_failed' else 'attempt_succeeded' end, case when is_dead then 500 else 200 end,
         case when is_dead then 'http_status' end
    from delivery.events e
    join (select workspace_id, subscription_id, row_number() over (partition by workspace_id order by subscription_id) - 1 as nth
            from delivery.subscriptions where status = 'enabled' and workspace_id = any($3)) s on s.workspace_id = e.workspace_id
   cross join lateral (select (e.log_position * 7 + s.nth) % $2::int = 0 as is_dead, e.created + interval '20 ms' as at) d
   where e.event_day = $1`

const deadLetters = `insert into delivery.dead_deliveries
         (event_day, workspace_id, delivery_id, subscription_id, event_type, dead_reason, last_status, last_error_code)
  select event_day, workspace_id, delivery_id, subscription_id, event_type, dead_reason, last_status, last_error_code
    from delivery.deliveries where event_day = $1 and status = 'dead'`

const log = `insert into delivery.delivery_log (
         event_day, workspace_id, delivery_id, seq, kind, epoch, attempt, at, next_attempt, dead_reason,
         attempt_id, started, duration_ms, url, signature_timestamp, response_status, error_code, trace_id)
  select d.event_day, d.workspace_id, d.delivery_id, 1, 'scheduled', 1, 0, at - interval '20 ms', at - interval '20 ms', null,
         null, null, null, null, null, null, null, null
    from delivery.deliveries d cross join lateral (select coalesce(d.delivered, d.dead) as at) t where d.event_day = $1
  union all
  select d.event_day, d.workspace_id, d.delivery_id, 2, d.last_outcome, 1, 1, at, null, null,
         'att' || substr(d.delivery_id, 4), at - interval '10 ms', 50, 'http://receiver.test/hook', extract(epoch from at), d.last_status, d.last_error_code, md5(d.delivery_id)
    from delivery.deliveries d cross join lateral (select coalesce(d.delivered, d.dead) as at) t where d.event_day = $1
  union all
  select d.event_day, d.workspace_id, d.delivery_id, 3, 'exhausted', 1, 1, d.dead, null, d.dead_reason,
         null, null, null, null, null, null, null, null
    from delivery.deliveries d where d.event_day = $1 and d.status = 'dead'`

const counts = `insert into delivery.attempt_counts (workspace_id, subscription_id, hour, result, within_ms, attempts)
  select workspace_id, subscription_id, date_trunc('hour', at, 'UTC'), result, within_ms, count(*)
    from (select d.workspace_id, d.subscription_id, coalesce(d.delivered, d.dead) as at, coalesce(d.last_error_code, 'succeeded') as result,
                 50 + 50 * (ascii(right(d.event_id, 1)) % 3) as within_ms
            from delivery.deliveries d where d.event_day = $1) d
   group by 1, 2, 3, 4, 5
  on conflict do nothing`

/** The first instant of a history that is made now, which is the oldest that a replay may ask for. */
export const historyStart = () => new Date((Math.floor(Date.now() / dayMs) - days) * dayMs)

/** Makes it on one connection, day by day, and leaves the tables vacuumed. */
export async function makeHistory(o: HistoryOptions): Promise<void> {
  const client = await o.admin.connect()
  try {
    await client.query('set synchronous_commit = off')
    await client.query(idTime)
    const { rows } = await client.query<{ n: number }>(
      "select count(*)::int as n from delivery.subscriptions where status = 'enabled' and workspace_id = any($1)",
      [o.workspaceIds],
    )
    const fanOut = (rows[0]?.n ?? 0) / o.workspaceIds.length
    const eventsOfDay = Math.ceil(o.deliveries / fanOut / days)
    const firstMs = historyStart().getTime()
    for (let ago = days; ago >= 1; ago -= 1) {
      const startMs = firstMs + (days - ago) * dayMs
      const day = new Date(startMs).toISOString().slice(0, 10)
      const given = (days - ago) * Math.ceil(eventsOfDay / o.workspaceIds.length)
      await client.query('select delivery.make_partitions($1)', [day])
      await client.query(events, [day, startMs, eventsOfDay, o.workspaceIds, given])
      await client.query(deliveries, [day, o.deadOneIn ?? 100, o.workspaceIds])
      for (const statement of [deadLetters, log, counts]) await client.query(statement, [day])
      o.say(`history: ${((days - ago + 1) * eventsOfDay * fanOut).toLocaleString('en')} deliveries made`)
    }
    await client.query(
      `insert into delivery.event_log_heads select workspace_id, max(log_position) from delivery.events where log_position is not null group by 1
       on conflict (workspace_id) do update set log_position = excluded.log_position`,
    )
    await client.query('reset synchronous_commit')
    await client.query(
      'vacuum (analyze) delivery.events, delivery.deliveries, delivery.delivery_log, delivery.dead_deliveries, delivery.attempt_counts',
    )
    await client.query('checkpoint')
  } finally {
    client.release()
  }
}
