-- CLAIM: moves due deliveries into `leases` and returns them with all that their attempts need.
-- p_claim: a new uuid for every call. p_slots: free slots; an attempt older than 1 s no longer counts as one but against the slow
-- share. p_lanes: lanes looked at (16 to 32). p_busy, p_used: this worker's own attempts by workspace; p_share: its limit for one
-- workspace. p_slow: lanes with an attempt older than 1 s; p_slow_room: what the slow share still holds. While no slot is free they are
-- what spare slots leave (sending/domain/fair-share.ts): p_slow every lane with an attempt, p_slow_room 0. p_used leaves out attempts older
-- than 1 s. While there are any, or of slow lanes, p_share and p_used are those of the slow share, or p_slow_room is 0. The worker counts its own:
-- no shared counter, no further lock. p_worker: key of the lock that the worker's session holds while it lives (lost-leases.sql).
--
-- Lanes are locked by id, as everybody does. `skip locked` can wait: when the transaction that had updated a row ends just while it
-- is looked at, Postgres goes on to the newer version of the row and waits for whoever holds that. Locked in another order, a
-- claim and a settle would meet in deadlocks. Index lanes_due; primary keys of due and events.
drop function if exists claim(uuid, int, int, int, text[], int[], int, text[], int);
create or replace function claim(
  p_claim uuid, p_slots int, p_lanes int, p_lease_ms int, p_busy text[], p_used int[], p_share int, p_slow text[], p_slow_room int,
  p_worker bigint default null)
returns table (
  delivery_id text, subscription_id text, workspace_id text, event_day date, event_id text, epoch int, attempt int,
  due_at timestamptz, slow boolean, payload bytea, traceparent text, url text, headers jsonb, secrets jsonb)
language plpgsql
set search_path = ${schema}, pg_temp
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  t timestamptz := app_now();
  window_size int := greatest(least(p_lanes, p_slots), 1);
  candidates text[];
  locked text[];
  rows_per_lane int;
  claimed due[];
  day date;
begin
  -- 1. Lanes with room, least recently served first, at most as many of one workspace (and slow ones) as may get a row: lanes
  --    without a chance must not fill the window, since they stay at its head. Slow ones are counted apart: while the slow share
  --    holds nothing more, they must not use up the share of their workspace.
  with with_room as (
    select l.subscription_id, l.last_served, s.is_slow,
           p_share - coalesce(u.used, 0) - row_number() over (partition by l.workspace_id, s.is_slow order by l.last_served) as share_left
      from lanes l cross join lateral (select l.timed_out or l.subscription_id in (select unnest(p_slow))) s(is_slow)
      left join unnest(p_busy, p_used) u(id, used) on u.id = l.workspace_id
     where l.next_due <= t and l.next_due < 'infinity' -- 'infinity' by name: else a generic plan cannot use the partial index
       and l.ready_at <= t and l.in_flight < least(l.cap, l.max_in_flight)),
  within_share as (
    select subscription_id, last_served, is_slow, row_number() over (partition by is_slow order by last_served) as nth
      from with_room where share_left >= 0)
  select array(
    select c.subscription_id from within_share c where not c.is_slow or c.nth <= p_slow_room order by c.last_served limit 4 * window_size)
    into candidates;

  -- 2. Lock a window of them, and the next one only where none of these could be had, since even this may wait (see the head). Then
  --    look again, now that nobody else changes them.
  for nth in 1 .. cardinality(candidates) by window_size loop
    select array_agg(l.subscription_id) into locked from (
      select l.subscription_id from lanes l where l.subscription_id = any(candidates[nth : nth + window_size - 1])
       order by l.subscription_id for update skip locked) l;
    exit when locked is not null;
  end loop;
  select array_agg(l.subscription_id) into locked from lanes l
   where l.subscription_id = any(locked) and l.next_due <= t and l.next_due < 'infinity'
     and l.ready_at <= t and l.in_flight < least(l.cap, l.max_in_flight);
  if locked is null then return; end if;

  -- 3. Take rows, with a fresh snapshot under the locks, so nobody else can take them. One look per priority, each bounded by the
  --    index: over both at once it would read every later row of the lane. From next_due on: what lies before it is dead, and an old
  --    snapshot elsewhere keeps dead entries in the index. Breadth first: each lane gets its first row before any gets its second.
  rows_per_lane := 2 * p_slots / cardinality(locked) + 1; -- so that a claim reads at most some 2 * p_slots rows, however wide the lanes are
  with lane as (
    select l.subscription_id, l.workspace_id, l.last_served, l.next_due, (l.timed_out or l.subscription_id = any(p_slow)) as is_slow,
           least(
             rows_per_lane,
             least(l.max_in_flight, l.cap) - l.in_flight,
             case when l.rate is null then p_slots
                  else floor(extract(epoch from t - greatest(l.ready_at, t - interval '1 s')) * l.rate)::int + 1 end) as room
      from lanes l where l.subscription_id = any(locked)),
  due_rows as (
    select l.workspace_id, l.is_slow, l.last_served, d.place,
           row_number() over (partition by l.subscription_id order by d.priority, d.due_at) as nth
      from lane l cross join lateral (
        (select w.ctid as place, w.priority, w.due_at from due w
          where w.subscription_id = l.subscription_id and w.priority = 0 and w.due_at between l.next_due and t
          order by w.due_at limit l.room)
        union all
        (select w.ctid, w.priority, w.due_at from due w
          where w.subscription_id = l.subscription_id and w.priority = 1 and w.due_at between l.next_due and t
          order by w.due_at limit l.room)
        order by priority, due_at limit l.room) d),
  shared as (
    select d.*, p_share - coalesce(u.used, 0) - row_number() over (partition by d.workspace_id order by d.nth, d.last_served) as share_left
      from due_rows d left join unnest(p_busy, p_used) u(id, used) on u.id = d.workspace_id),
  fair as (
    select s.*, row_number() over (partition by s.is_slow order by s.nth, s.last_served) as nth_of_speed
      from shared s where s.share_left >= 0),
  taken as (
    delete from due w where w.ctid = any(array(
      select f.place from fair f where not f.is_slow or f.nth_of_speed <= p_slow_room order by f.nth, f.last_served limit p_slots))
    returning w)
  select array_agg(w) into claimed from taken;
  insert into leases (
         workspace_id, subscription_id, delivery_id, claim_id, lease_end, started,
         priority, due_at, event_day, event_id, epoch, attempt, worker)
  select c.workspace_id, c.subscription_id, c.delivery_id, p_claim, t + p_lease_ms * interval '1 ms', t,
         c.priority, c.due_at, c.event_day, c.event_id, c.epoch, c.attempt, p_worker
    from unnest(claimed) c;

  -- 4. What the lanes look like now, again with a fresh snapshot; in_flight from the rows taken. last_served and ready_at move only
  --    for lanes that got rows.
  update lanes l set
         in_flight = l.in_flight + n.got,
         last_served = case when n.got > 0 then t else l.last_served end,
         ready_at = case when l.rate is null or n.got = 0 then l.ready_at
                         else greatest(l.ready_at, t - interval '1 s') + n.got / l.rate * interval '1 s' end,
         next_due = least(
           (select min(d.due_at) from due d where d.subscription_id = n.id and d.priority = 0 and d.due_at >= l.next_due),
           (select min(d.due_at) from due d where d.subscription_id = n.id and d.priority = 1 and d.due_at >= l.next_due),
           'infinity')
    from (select i.id, count(c.delivery_id)::int as got
            from unnest(locked) i(id) left join unnest(claimed) c on c.subscription_id = i.id group by 1) n
   where l.subscription_id = n.id;

  -- 5. Each day by itself, which is nearly always one: a join with the parent would open the partition of every day.
  for day in select distinct c.event_day from unnest(claimed) c loop
    return query
    with target as materialized ( -- once for each subscription, not for each row
      select s.subscription_id, s.workspace_id, s.url, s.headers, (l.timed_out or l.subscription_id = any(p_slow)) as slow, live.secrets
        from subscriptions s
        join lanes l on l.subscription_id = s.subscription_id and l.workspace_id = s.workspace_id
        cross join lateral (
          select jsonb_agg(jsonb_build_object('id', x.secret_id, 'ciphertext', x.ciphertext, 'version', x.version)
                           order by x.version desc) as secrets
            from subscription_secrets x
           where x.subscription_id = s.subscription_id and x.workspace_id = s.workspace_id
             and (x.expires is null or x.expires > t)) live
       where s.subscription_id = any(array(select distinct c.subscription_id from unnest(claimed) c where c.event_day = day)))
    select c.delivery_id, c.subscription_id, c.workspace_id, c.event_day, c.event_id, c.epoch, c.attempt, c.due_at, s.slow,
           e.payload, e.traceparent, s.url, s.headers, s.secrets
      from unnest(claimed) c
      join target s on s.subscription_id = c.subscription_id and s.workspace_id = c.workspace_id
      join events e on e.event_day = day and e.event_id = c.event_id and e.workspace_id = c.workspace_id
     where c.event_day = day;
  end loop;
end $$;
revoke execute on function claim from public;
grant execute on function claim to ${worker_role};
