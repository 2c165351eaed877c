-- breaking: no
-- CLAIM locks its lanes by id, as everybody does. It locked them in the order in which they were last served, which is safe only for
-- one that never waits. But `skip locked` can wait: when the transaction that had updated a row ends just while it is looked at,
-- Postgres goes on to the newer version of the row and waits for whoever holds that. So a claim and a settle met in deadlocks.
create or replace function claim(p_claim uuid, p_slots int, p_lanes int, p_lease_ms int, p_busy text[], p_used int[], p_share int, p_slow text[], p_slow_room int)
returns table (delivery_id text, subscription_id text, workspace_id text, event_day date, event_id text, epoch int, attempt int, due_at timestamptz,
               slow boolean, payload bytea, traceparent text, url text, headers jsonb, secrets jsonb) language plpgsql as $$
#variable_conflict use_column
declare t timestamptz := app_now(); width int := greatest(least(p_lanes, p_slots), 1); chosen text[]; locked text[]; quota int; got due[]; day date;
begin
  -- 1. Candidates with room, least recently served first, at most as many of one workspace (and slow ones) as may get a row: lanes
  --    without a chance must not fill the window, since they stay at its head.
  with ready as (
    select l.subscription_id, l.last_served, (l.timed_out or l.subscription_id = any(p_slow)) as timed_out,
           p_share - coalesce(u.used, 0) - row_number() over (partition by l.workspace_id order by l.last_served) as left_over
      from lanes l left join unnest(p_busy, p_used) u(id, used) on u.id = l.workspace_id
     where l.next_due <= t and l.next_due < 'infinity' -- 'infinity' by name: else a generic plan cannot use the partial index
       and l.ready_at <= t and l.in_flight < least(l.cap, l.max_in_flight)),
  chance as (
    select subscription_id, last_served, row_number() over (partition by timed_out order by last_served) as nth, timed_out from ready where left_over >= 0)
  select array(select c.subscription_id from chance c where not c.timed_out or c.nth <= p_slow_room order by c.last_served limit 4 * width) into chosen;
  -- Locked by id, since even this may wait (see the head); so the next of them are looked at only where none of these could be had.
  for nth in 1 .. cardinality(chosen) by width loop
    select array_agg(x.subscription_id) into locked from (
      select l.subscription_id from lanes l where l.subscription_id = any(chosen[nth : nth + width - 1])
       order by l.subscription_id for update skip locked) x;
    exit when locked is not null;
  end loop;
  -- As they are now that nobody else changes them.
  select array_agg(l.subscription_id) into locked from lanes l
   where l.subscription_id = any(locked) and l.next_due <= t and l.next_due < 'infinity' and l.ready_at <= t and l.in_flight < least(l.cap, l.max_in_flight);
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
  -- 4. Each day by itself, which is nearly always one: a join with the parent would open the partition of every day.
  for day in select distinct g.event_day from unnest(got) g loop
    return query
    with sub as materialized ( -- once for each subscription, not for each row
      select s.subscription_id, s.workspace_id, s.url, s.headers, (l.timed_out or l.subscription_id = any(p_slow)) as slow, k.secrets
        from subscriptions s join lanes l on l.subscription_id = s.subscription_id and l.workspace_id = s.workspace_id
        cross join lateral (
          select jsonb_agg(jsonb_build_object('id', x.secret_id, 'ciphertext', x.ciphertext, 'version', x.version) order by x.version desc) as secrets
            from subscription_secrets x
           where x.subscription_id = s.subscription_id and x.workspace_id = s.workspace_id and (x.expires is null or x.expires > t)) k
       where s.subscription_id = any(array(select distinct g.subscription_id from unnest(got) g where g.event_day = day)))
    select g.delivery_id, g.subscription_id, g.workspace_id, g.event_day, g.event_id, g.epoch, g.attempt, g.due_at, s.slow,
           e.payload, e.traceparent, s.url, s.headers, s.secrets
      from unnest(got) g join sub s on s.subscription_id = g.subscription_id and s.workspace_id = g.workspace_id
      join events e on e.event_day = day and e.event_id = g.event_id and e.workspace_id = g.workspace_id
     where g.event_day = day;
  end loop;
end $$;

alter function claim(uuid, int, int, int, text[], int[], int, text[], int) set search_path = ${schema}, pg_temp;
alter function claim(uuid, int, int, int, text[], int[], int, text[], int) set plan_cache_mode = force_generic_plan;
alter function claim(uuid, int, int, int, text[], int[], int, text[], int) set enable_seqscan = off;
