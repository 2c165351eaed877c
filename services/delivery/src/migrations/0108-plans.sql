-- breaking: no
-- Plans that do not depend on when they were made. Each day begins with empty partitions, and a plan that was made over empty tables
-- is kept by the session while they fill: settles read every delivery of the workspace through the history's index, 1,500 µs of CPU
-- for each delivery instead of 50. So there is one index only that a lookup by (event_day, delivery_id) can use:
-- * the workspace of a row found by its key is compared as `workspace_id || ''`, which no index serves;
-- * the id of a delivery is made from event and subscription, so the primary key alone keeps a pair from being delivered twice;
-- * these functions read tables that fill and empty all the time, and never whole.
alter table deliveries drop constraint deliveries_event_day_event_id_subscription_id_workspace_id_key;

create or replace function claim(p_claim uuid, p_slots int, p_lanes int, p_lease_ms int, p_busy text[], p_used int[], p_share int, p_slow text[], p_slow_room int)
returns table (delivery_id text, subscription_id text, workspace_id text, event_day date, event_id text, epoch int, attempt int, due_at timestamptz,
               slow boolean, payload bytea, traceparent text, url text, headers jsonb, secrets jsonb) language plpgsql as $$
#variable_conflict use_column
declare t timestamptz := app_now(); locked text[]; quota int; got due[];
begin
  -- 1. Candidates with room, least recently served first, at most as many of one workspace (and slow ones) as may get a row: lanes
  --    without a chance must not fill the window, since they stay at its head. Then lock, which judges each row's newest version again.
  with ready as (
    select l.subscription_id, l.last_served, (l.timed_out or l.subscription_id = any(p_slow)) as timed_out,
           p_share - coalesce(u.used, 0) - row_number() over (partition by l.workspace_id order by l.last_served) as left_over
      from lanes l left join unnest(p_busy, p_used) u(id, used) on u.id = l.workspace_id
     where l.next_due <= t and l.next_due < 'infinity' -- 'infinity' by name: else a generic plan cannot use the partial index
       and l.ready_at <= t and l.in_flight < least(l.cap, l.max_in_flight)),
  chance as (
    select subscription_id, row_number() over (partition by timed_out order by last_served) as nth, timed_out from ready where left_over >= 0)
  select array_agg(x.subscription_id) into locked from (select l.subscription_id from lanes l
     where l.subscription_id = any(array(select c.subscription_id from chance c where not c.timed_out or c.nth <= p_slow_room))
       and l.next_due <= t and l.next_due < 'infinity' and l.ready_at <= t and l.in_flight < least(l.cap, l.max_in_flight)
     order by l.last_served limit least(p_lanes, p_slots) for update skip locked) x;
  if locked is null then return; end if;
  quota := 2 * p_slots / cardinality(locked) + 1; -- so that a claim reads at most some 2 * p_slots rows, however wide the lanes are
  -- 2. Take rows. Fresh snapshot under the locks, so nobody else can take them. One look per priority, each bounded by the index: over
  --    both at once it would read every later row of the lane. From next_due on: what lies before it is dead, and an old snapshot elsewhere
  --    keeps dead entries in the index. Breadth first: each lane gets its first row before any gets its second.
  with lane as (
    select l.subscription_id, l.workspace_id, l.last_served, l.next_due, (l.timed_out or l.subscription_id = any(p_slow)) as timed_out,
           least(l.max_in_flight, l.cap) - l.in_flight as room,
           case when l.rate is null then p_slots else floor(extract(epoch from t - greatest(l.ready_at, t - interval '1 s')) * l.rate)::int + 1 end as turns
      from lanes l where l.subscription_id = any(locked)),
  seen as (
    select l.workspace_id, l.timed_out, l.last_served, d.place, row_number() over (partition by l.subscription_id order by d.priority, d.due_at) as nth
      from lane l cross join lateral (
        (select w.ctid as place, w.priority, w.due_at from due w
          where w.subscription_id = l.subscription_id and w.priority = 0 and w.due_at between l.next_due and t
          order by w.due_at limit least(l.room, l.turns, quota))
        union all
        (select w.ctid, w.priority, w.due_at from due w
          where w.subscription_id = l.subscription_id and w.priority = 1 and w.due_at between l.next_due and t
          order by w.due_at limit least(l.room, l.turns, quota))
        order by priority, due_at limit least(l.room, l.turns, quota)) d),
  shared as (
    select s.*, p_share - coalesce(u.used, 0) - row_number() over (partition by s.workspace_id order by s.nth, s.last_served) as left_over
      from seen s left join unnest(p_busy, p_used) u(id, used) on u.id = s.workspace_id),
  slowed as (select s.*, row_number() over (partition by s.timed_out order by s.nth, s.last_served) as nth_slow from shared s where s.left_over >= 0),
  taken as (
    delete from due w where w.ctid = any(array(
      select s.place from slowed s where not s.timed_out or s.nth_slow <= p_slow_room order by s.nth, s.last_served limit p_slots)) returning w)
  select array_agg(w) into got from taken;
  insert into leases (workspace_id, subscription_id, delivery_id, claim_id, lease_end, started, priority, due_at, event_day, event_id, epoch, attempt)
  select g.workspace_id, g.subscription_id, g.delivery_id, p_claim, t + p_lease_ms * interval '1 ms', t, g.priority, g.due_at, g.event_day, g.event_id,
         g.epoch, g.attempt from unnest(got) g;
  -- 3. What the lanes look like now, again with a fresh snapshot; in_flight from the rows taken. last_served moves only for lanes that got rows.
  update lanes l set in_flight = l.in_flight + n.got, last_served = case when n.got > 0 then t else l.last_served end,
         ready_at = case when l.rate is null or n.got = 0 then l.ready_at else greatest(l.ready_at, t - interval '1 s') + n.got / l.rate * interval '1 s' end,
         next_due = least((select min(d.due_at) from due d where d.subscription_id = n.id and d.priority = 0 and d.due_at >= l.next_due),
                          (select min(d.due_at) from due d where d.subscription_id = n.id and d.priority = 1 and d.due_at >= l.next_due), 'infinity')
    from (select x.id, count(g.delivery_id)::int as got from unnest(locked) x(id) left join unnest(got) g on g.subscription_id = x.id group by 1) n
   where l.subscription_id = n.id;
  return query
  with sub as materialized ( -- once for each subscription, not for each row
    select s.subscription_id, s.workspace_id, s.url, s.headers, (l.timed_out or l.subscription_id = any(p_slow)) as slow, k.secrets
      from subscriptions s join lanes l on l.subscription_id = s.subscription_id and l.workspace_id = s.workspace_id
      cross join lateral (
        select jsonb_agg(jsonb_build_object('id', x.secret_id, 'ciphertext', x.ciphertext, 'version', x.version) order by x.version desc) as secrets
          from subscription_secrets x
         where x.subscription_id = s.subscription_id and x.workspace_id = s.workspace_id and (x.expires is null or x.expires > t)) k
     where s.subscription_id = any(array(select distinct g.subscription_id from unnest(got) g)))
  select g.delivery_id, g.subscription_id, g.workspace_id, g.event_day, g.event_id, g.epoch, g.attempt, g.due_at, s.slow,
         e.payload, e.traceparent, s.url, s.headers, s.secrets
    from unnest(got) g join sub s on s.subscription_id = g.subscription_id and s.workspace_id = g.workspace_id
    join events e on e.event_day = g.event_day and e.event_id = g.event_id and e.workspace_id = g.workspace_id;
end $$;

create or replace function settle(p_workspace text[], p_subscription text[], p_delivery text[], p_claim uuid[], p_attempt text[], p_kind text[], p_status int[],
                       p_error text[], p_ms int[], p_trace text[], p_url text[], p_signed bigint[], p_excerpt text[], p_delay_ms int[],
                       p_started_ms double precision[], p_breaker int, p_repeated boolean[] default null)
returns table (delivery_id text, workspace_id text, subscription_id text, event_id text, event_type text, epoch int, attempt int, last_status int, dead_reason text)
language plpgsql as $$
#variable_conflict use_column
declare t timestamptz;
begin
  perform 1 from lanes where subscription_id = any(p_subscription) order by subscription_id for update;
  t := app_now();
  return query
  with input as (
    select * from unnest(p_workspace, p_subscription, p_delivery, p_claim, p_attempt, p_kind, p_status, p_error, p_ms, p_trace, p_url, p_signed, p_excerpt,
                         p_delay_ms, p_started_ms, p_repeated)
      with ordinality as i(workspace, subscription, delivery, claim, attempt_id, kind, status, error, ms, trace, url, signed, excerpt, delay, start, repeated, nth)),
  gone as ( /* the fence */
    delete from leases e using input i
     where e.subscription_id = i.subscription and e.delivery_id = i.delivery and e.workspace_id = i.workspace and e.claim_id = i.claim
    returning e.*, i.attempt_id, i.kind, i.status, i.error, i.ms, i.trace, i.url, i.signed, i.excerpt, coalesce(i.repeated, false) as repeated, i.nth,
              coalesce(to_timestamp(i.start / 1000), e.started) as began,
              case when e.ending is null and i.kind <> 'attempt_succeeded' then t + i.delay * interval '1 ms' end as next),
  folded as (
    update deliveries d set
           seq = d.seq + case when g.kind <> 'attempt_succeeded' and g.next is null then 2 else 1 end,
           status = case when g.kind = 'attempt_succeeded' then 'delivered' when g.next is null then 'dead'
                         when g.kind = 'attempt_released' then d.status else 'retry' end,
           attempt = case when g.kind = 'attempt_released' then g.attempt - 1 else g.attempt end,
           attempts_total = d.attempts_total + case when g.kind = 'attempt_released' then 0 else 1 end,
           next_attempt = g.next,
           delivered = case when g.kind = 'attempt_succeeded' then t else d.delivered end,
           dead = case when g.kind <> 'attempt_succeeded' and g.next is null then t end,
           dead_reason = case when g.kind <> 'attempt_succeeded' and g.next is null then coalesce(g.ending, 'attempts_exhausted') end,
           failed_from = case when g.kind not in ('attempt_failed', 'attempt_unknown') or d.failed_from >= l.failing_since then d.failed_from else t end,
           last_outcome = case when g.kind = 'attempt_released' then d.last_outcome else g.kind end,
           last_status = case when g.kind = 'attempt_released' then d.last_status else g.status end,
           last_error_code = case when g.kind = 'attempt_released' then d.last_error_code else g.error end
      from gone g join lanes l on l.subscription_id = g.subscription_id and l.workspace_id = g.workspace_id
     where d.event_day = g.event_day and d.delivery_id = g.delivery_id and d.workspace_id || '' = g.workspace_id -- see the head
    returning d.seq, d.dead_reason, d.event_type, d.failed_from, g.*),
  logged as (
    insert into delivery_log (event_day, workspace_id, delivery_id, seq, kind, epoch, attempt, at, next_attempt, dead_reason, attempt_id, started,
                              duration_ms, url, signature_timestamp, response_status, response_excerpt, error_code, trace_id, repeated)
    select event_day, workspace_id, delivery_id, seq - case when dead_reason is null then 0 else 1 end, kind, epoch, attempt, t, next, null, attempt_id,
           began, ms, url, signed, status, excerpt, error, trace, repeated from folded
    union all
    select event_day, workspace_id, delivery_id, seq, case when ending is null then 'exhausted' else 'ended' end, epoch,
           attempt - case when kind = 'attempt_released' then 1 else 0 end, t, null, dead_reason, null, null, null, null, null, null, null, null, null, false
      from folded where dead_reason is not null),
  listed as (
    insert into dead_deliveries (event_day, workspace_id, delivery_id)
    select event_day, workspace_id, delivery_id from folded where dead_reason is not null on conflict do nothing),
  again as (
    insert into due (workspace_id, subscription_id, priority, due_at, delivery_id, event_day, event_id, epoch, attempt)
    select workspace_id, subscription_id, priority, next, delivery_id, event_day, event_id, epoch,
           attempt + case when kind = 'attempt_released' then 0 else 1 end
      from gone where next is not null),
  lane as (
    update lanes l set in_flight = l.in_flight - n.settled, next_due = least(l.next_due, n.next), timed_out = coalesce(n.timed_out, l.timed_out),
           failures = case when n.answered > 0 then 0 else l.failures + n.bad end, -- any answer, a 500 too, shows that somebody is there
           cap = case when n.good > 0 then least(l.max_in_flight, l.cap + n.good)
                      when n.answered = 0 and l.failures + n.bad >= p_breaker then 1 else l.cap end,
           failing_since = case when n.good > 0 then null when n.failed > 0 then coalesce(l.failing_since, t) else l.failing_since end,
           failed_deliveries = case when n.good > 0 then 0 else l.failed_deliveries + n.newly_failed end,
           held_since = case when n.signed > 0 then null else l.held_since end,
           last_delivered = case when n.good > 0 then t else l.last_delivered end
      from (select subscription_id, workspace_id, count(*) filter (where not newly)::int as settled, min(next) as next,
                   count(*) filter (where kind = 'attempt_succeeded')::int as good,
                   count(*) filter (where kind in ('attempt_failed', 'attempt_unknown'))::int as failed,
                   count(*) filter (where newly)::int as newly_failed, -- an instant of this settle: it was not counted before
                   count(*) filter (where signed is not null)::int as signed,
                   count(*) filter (where status is not null)::int as answered,
                   count(*) filter (where error in ('timeout', 'connection_refused', 'connection_reset', 'connection_failed'))::int as bad,
                   (array_agg(error is not distinct from 'timeout' order by nth desc) filter (where kind <> 'attempt_released'))[1] as timed_out
              from (select subscription_id, workspace_id, next, kind, signed, status, error, nth, false as newly from gone
                    union all -- beside them, not joined: that would compare each with each
                    select subscription_id, workspace_id, null, null, null, null, null, null, true from folded where failed_from = t) one group by 1, 2) n
     where l.subscription_id = n.subscription_id and l.workspace_id = n.workspace_id)
  select delivery_id, workspace_id, subscription_id, event_id, event_type, epoch, attempt, status, dead_reason from folded;
end $$;

create or replace function end_open(p_workspace text, p_subscription text, p_reason text, p_limit int) returns int language plpgsql as $$
declare t timestamptz; n int;
begin
  perform 1 from lanes where subscription_id = p_subscription and workspace_id = p_workspace and ready_at = 'infinity' for update;
  if not found then return 0; end if;
  t := app_now();
  with gone as (
    delete from due where ctid = any(array(
      select ctid from due where subscription_id = p_subscription and workspace_id = p_workspace limit p_limit)) returning *),
  folded as (
    update deliveries d set status = 'dead', dead_reason = p_reason, dead = t, next_attempt = null, seq = d.seq + 1
      from gone g where d.event_day = g.event_day and d.delivery_id = g.delivery_id and d.workspace_id || '' = g.workspace_id
    returning d.seq, d.attempt, g.event_day, g.workspace_id, g.delivery_id, g.epoch),
  listed as (
    insert into dead_deliveries (event_day, workspace_id, delivery_id)
    select event_day, workspace_id, delivery_id from folded on conflict do nothing)
  insert into delivery_log (event_day, workspace_id, delivery_id, seq, kind, epoch, attempt, at, dead_reason)
  select event_day, workspace_id, delivery_id, seq, 'ended', epoch, attempt, t, p_reason from folded;
  get diagnostics n = row_count;
  update lanes set next_due = coalesce((select min(due_at) from due where subscription_id = p_subscription and workspace_id = p_workspace), 'infinity')
   where subscription_id = p_subscription and workspace_id = p_workspace;
  return n;
end $$;

create or replace function replay(p_workspace text, p_day date[], p_delivery text[], p_priority smallint, p_by text) returns setof text language plpgsql as $$
declare t timestamptz; mine text[];
begin
  select array_agg(distinct d.subscription_id) into mine
    from unnest(p_day, p_delivery) i(day, id) join deliveries d on d.event_day = i.day and d.delivery_id = i.id and d.workspace_id || '' = p_workspace;
  perform 1 from lanes where subscription_id = any(mine) and workspace_id = p_workspace order by subscription_id for update;
  t := app_now();
  return query
  with old as (
    select d.* from (select distinct day, id from unnest(p_day, p_delivery) u(day, id)) i
      join deliveries d on d.event_day = i.day and d.delivery_id = i.id and d.workspace_id || '' = p_workspace
      join lanes l on l.subscription_id = d.subscription_id and l.workspace_id = d.workspace_id and l.ready_at < 'infinity'
     where d.status in ('dead', 'delivered', 'retry') and d.event_day > (t at time zone 'utc')::date - 30
       and not exists (select 1 from leases e where e.subscription_id = d.subscription_id and e.delivery_id = d.delivery_id and e.workspace_id = d.workspace_id)),
  dropped as (
    delete from due w using old o
     where w.subscription_id = o.subscription_id and w.priority = o.priority and w.due_at = o.next_attempt and w.delivery_id = o.delivery_id
       and w.workspace_id = o.workspace_id),
  unlisted as (
    delete from dead_deliveries x using old o where x.event_day = o.event_day and x.workspace_id = o.workspace_id and x.delivery_id = o.delivery_id),
  opened as (
    update deliveries d set status = 'replay', epoch = d.epoch + 1, attempt = 0, next_attempt = t, priority = p_priority, dead = null, dead_reason = null,
           delivered = null, last_outcome = null, last_status = null, last_error_code = null, seq = d.seq + 1
      from old o where d.event_day = o.event_day and d.delivery_id = o.delivery_id and d.workspace_id || '' = o.workspace_id returning d.*),
  logged as (
    insert into delivery_log (event_day, workspace_id, delivery_id, seq, kind, epoch, attempt, at, next_attempt, requested_by)
    select event_day, workspace_id, delivery_id, seq, 'replay_requested', epoch, 0, t, t, p_by from opened),
  queued as (
    insert into due (workspace_id, subscription_id, priority, due_at, delivery_id, event_day, event_id, epoch, attempt)
    select workspace_id, subscription_id, priority, t, delivery_id, event_day, event_id, epoch, 1 from opened),
  lane as (
    update lanes l set next_due = least(l.next_due, t) from (select distinct subscription_id, workspace_id from opened) o
     where l.subscription_id = o.subscription_id and l.workspace_id = o.workspace_id)
  select delivery_id from opened;
end $$;

alter function claim(uuid, int, int, int, text[], int[], int, text[], int) set search_path = ${schema}, pg_temp;
alter function claim(uuid, int, int, int, text[], int[], int, text[], int) set plan_cache_mode = force_generic_plan;
alter function settle(text[], text[], text[], uuid[], text[], text[], int[], text[], int[], text[], text[], bigint[], text[], int[], double precision[], int, boolean[]) set search_path = ${schema}, pg_temp;
alter function end_open(text, text, text, int) set search_path = ${schema}, pg_temp;
alter function replay(text, date[], text[], smallint, text) set search_path = ${schema}, pg_temp;
alter function settle(text[], text[], text[], uuid[], text[], text[], int[], text[], int[], text[], text[], bigint[], text[], int[], double precision[], int, boolean[]) set plan_cache_mode = force_generic_plan;
alter function replay(text, date[], text[], smallint, text) set plan_cache_mode = force_generic_plan;
alter function claim(uuid, int, int, int, text[], int[], int, text[], int) set enable_seqscan = off;
alter function settle(text[], text[], text[], uuid[], text[], text[], int[], text[], int[], text[], text[], bigint[], text[], int[], double precision[], int, boolean[]) set enable_seqscan = off;
alter function take_in(date[], text[], text[], text[], text[], bytea[], text[], timestamptz[]) set enable_seqscan = off;
alter function fan_out(text[], bigint[], text[], text[], date[], text[], text[], text[]) set enable_seqscan = off;
alter function hold(text[], text[], text[], uuid[], int) set enable_seqscan = off;
alter function end_open(text, text, text, int) set enable_seqscan = off;
alter function replay(text, date[], text[], smallint, text) set enable_seqscan = off;
