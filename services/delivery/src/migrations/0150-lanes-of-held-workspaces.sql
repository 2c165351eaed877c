-- breaking: no
-- TAKE IN, FAN OUT and CLAIM in one locks only the lanes of workspaces whose row it could lock: a change of a subscription holds its
-- lane besides its workspace's row, and kept all others of the batch from it as long. Nothing else is new.
create or replace function make_as_taken_in(p_day date[], p_id text[], p_workspace text[], p_type text[], p_about text[], p_payload bytea[], p_trace text[],
                                 p_created timestamptz[], p_of text[], p_version bigint[], p_pair_event text[], p_pair_subscription text[],
                                 p_pair_delivery text[], p_pair_place int[], p_claim uuid, p_lease_ms int)
returns table (stale text, subscription_id text, deliveries text[], wakes boolean, url text, headers jsonb, secrets jsonb) language plpgsql as $$
#variable_conflict use_column
declare t timestamptz; current text[]; lane_ids text[]; lane_workspaces text[]; lane_rooms int[]; lane_opens boolean[];
begin
  if not p_workspace <@ p_of then
    insert into workspaces (workspace_id)
      select i.id from (select distinct unnest(p_workspace) as id) i
       where not exists (select 1 from workspaces w where w.workspace_id = i.id) order by i.id
      on conflict do nothing;
  end if;
  select array_agg(w.id) filter (where w.is_current) into current from (
    select w.workspace_id as id, w.subscriptions_version = i.version as is_current
      from unnest(p_of, p_version) i(id, version) join workspaces w on w.workspace_id = i.id order by w.workspace_id for no key update of w skip locked) w;
  select array_agg(l.subscription_id), array_agg(l.workspace_id), array_agg(l.room), array_agg(l.opens)
    into lane_ids, lane_workspaces, lane_rooms, lane_opens from (
    select l.subscription_id, l.workspace_id, least(l.cap, l.max_in_flight) - l.in_flight as room,
           l.next_due = 'infinity' and l.ready_at <= app_now() and l.rate is null and not l.timed_out as opens
      from lanes l where l.subscription_id = any(p_pair_subscription) and l.workspace_id = any(current) order by l.subscription_id for update) l;
  t := app_now();
  return query
  with input as (
    select * from unnest(p_day, p_id, p_workspace, p_type, p_about, p_payload, p_trace, p_created) as i(day, id, workspace, type, about, payload, trace, created)),
  stored as (
    insert into events (event_day, workspace_id, event_id, type, payload, traceparent, created)
    select day, workspace, id, type, payload, trace, created from input
    on conflict do nothing returning event_day, event_id, workspace_id, events.type),
  queued as (
    insert into fan_out_queue (event_day, event_id, workspace_id, type, about)
    select s.event_day, s.event_id, s.workspace_id, s.type, i.about
      from stored s join (select distinct on (id, workspace) id, workspace, about from input) i on i.id = s.event_id and i.workspace = s.workspace_id
     where s.workspace_id = any(current) is not true
    on conflict do nothing),
  made as (
    insert into deliveries (event_day, workspace_id, delivery_id, event_id, event_type, subscription_id, status, next_attempt)
    select s.event_day, s.workspace_id, p.delivery, s.event_id, s.type, p.subscription, 'pending', t
      from stored s join unnest(p_pair_event, p_pair_subscription, p_pair_delivery) p(event, subscription, delivery) on p.event = s.event_id
      join unnest(lane_ids, lane_workspaces) l(id, workspace) on l.id = p.subscription and l.workspace = s.workspace_id -- no pair crosses workspaces
     where s.workspace_id = any(current)
    on conflict do nothing returning event_day, workspace_id, delivery_id, event_id, subscription_id),
  logged as (
    insert into delivery_log (event_day, workspace_id, delivery_id, seq, kind, epoch, attempt, at, next_attempt)
    select event_day, workspace_id, delivery_id, 1, 'scheduled', 1, 0, t, t from made),
  placed as (
    select m.*, l.opens and coalesce(p.place <= l.room, false) as begins, l.room > 0 and (p.place is null or not l.opens) as wakes
      from made m join unnest(p_pair_delivery, p_pair_place) p(delivery, place) on p.delivery = m.delivery_id
      join unnest(lane_ids, lane_rooms, lane_opens) l(id, room, opens) on l.id = m.subscription_id),
  leased as (
    insert into leases (workspace_id, subscription_id, delivery_id, claim_id, lease_end, started, priority, due_at, event_day, event_id, epoch, attempt)
    select workspace_id, subscription_id, delivery_id, p_claim, t + p_lease_ms * interval '1 ms', t, 0, t, event_day, event_id, 1, 1 from placed where begins),
  waits as (
    insert into due (workspace_id, subscription_id, priority, due_at, delivery_id, event_day, event_id, epoch, attempt)
    select workspace_id, subscription_id, 0, t, delivery_id, event_day, event_id, 1, 1 from placed where not begins),
  of_lane as (
    select subscription_id, workspace_id, array_agg(delivery_id) filter (where begins) as deliveries, count(*) filter (where begins)::int as begun,
           bool_or(not begins) as has_more, bool_or(wakes) as wakes
      from placed group by 1, 2),
  -- `least` on the locked row, as in fan_out.
  lane as (
    update lanes l set in_flight = l.in_flight + n.begun, last_served = case when n.begun > 0 then t else l.last_served end,
           next_due = case when n.has_more then least(l.next_due, t) else l.next_due end
      from of_lane n where l.subscription_id = n.subscription_id and l.workspace_id = n.workspace_id)
  select null::text, n.subscription_id, coalesce(n.deliveries, '{}'), n.wakes, s.url, s.headers, k.secrets
    from of_lane n join subscriptions s on s.subscription_id = n.subscription_id and s.workspace_id = n.workspace_id
    cross join lateral (
      select jsonb_agg(jsonb_build_object('id', x.secret_id, 'ciphertext', x.ciphertext, 'version', x.version) order by x.version desc) as secrets
        from subscription_secrets x
       where x.subscription_id = s.subscription_id and x.workspace_id = s.workspace_id and (x.expires is null or x.expires > t)) k
   where n.begun > 0 or n.wakes
  union all
  select i.id, null, null, null, null, null, null from unnest(p_of) i(id) where i.id = any(current) is not true;
end $$;

alter function make_as_taken_in(date[], text[], text[], text[], text[], bytea[], text[], timestamptz[], text[], bigint[], text[], text[], text[], int[], uuid, int)
  set search_path = ${schema}, pg_temp;
alter function make_as_taken_in(date[], text[], text[], text[], text[], bytea[], text[], timestamptz[], text[], bigint[], text[], text[], text[], int[], uuid, int)
  set plan_cache_mode = force_generic_plan;
alter function make_as_taken_in(date[], text[], text[], text[], text[], bytea[], text[], timestamptz[], text[], bigint[], text[], text[], text[], int[], uuid, int)
  set enable_seqscan = off;
