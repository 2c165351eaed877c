-- breaking: no
-- TAKE IN: exact bytes and queue row in one statement; a repeated record is ignored. The caller first sends records outside
-- the existing days to the dead letters: one of them would fail the whole batch. Each function is one round trip whose
-- statements take a fresh snapshot each (READ COMMITTED).
create function take_in(p_day date[], p_id text[], p_workspace text[], p_type text[], p_about text[], p_payload bytea[], p_trace text[], p_created timestamptz[])
returns int language plpgsql as $$
declare n int;
begin
  insert into workspaces (workspace_id)
    select i.id from (select distinct unnest(p_workspace) as id) i
     where not exists (select 1 from workspaces w where w.workspace_id = i.id) order by i.id
    on conflict do nothing;
  with input as (
    select * from unnest(p_day, p_id, p_workspace, p_type, p_about, p_payload, p_trace, p_created) as i(day, id, workspace, type, about, payload, trace, created)),
  stored as (
    insert into events (event_day, workspace_id, event_id, type, payload, traceparent, created)
    select day, workspace, id, type, payload, trace, created from input
    on conflict do nothing returning event_day, event_id, workspace_id, events.type)
  insert into fan_out_queue (event_day, event_id, workspace_id, type, about)
    select s.event_day, s.event_id, s.workspace_id, s.type, i.about
      from stored s join (select distinct on (id, workspace) id, workspace, about from input) i on i.id = s.event_id and i.workspace = s.workspace_id
    on conflict do nothing;
  get diagnostics n = row_count;
  return n;
end $$;

-- PEEK: the next workspaces after the cursor, by id, each with at most p_each events. No locks: fan_out checks.
create function peek(p_after text, p_workspaces int, p_each int)
returns table (event_day date, event_id text, workspace_id text, type text, about text, version bigint) language sql stable as $$
  with recursive w (id) as (
    (select q.workspace_id from fan_out_queue q where q.workspace_id > p_after order by 1 limit 1) union all
    select (select q.workspace_id from fan_out_queue q where q.workspace_id > w.id order by 1 limit 1) from w where w.id is not null)
  select e.event_day, e.event_id, w.id, e.type, e.about, s.subscriptions_version
  from (select id from w where id is not null limit p_workspaces) w join workspaces s on s.workspace_id = w.id
  cross join lateral (select * from fan_out_queue q where q.workspace_id = w.id order by q.event_id limit p_each) e
  order by w.id, e.event_id
$$;

-- FAN OUT one turn. p_workspace/p_version: the version at which the index used for the matching was loaded (version and
-- subscriptions read in ONE statement), never the one that peek returned. p_event*: all events looked at, also those that
-- match nothing. The pairs: one delivery each. Returns the workspaces whose subscriptions changed meanwhile: reload, match again.
create function fan_out(p_workspace text[], p_version bigint[], p_event_workspace text[], p_event text[], p_day date[],
                        p_pair_event text[], p_pair_subscription text[], p_pair_delivery text[])
returns text[] language plpgsql as $$
declare t timestamptz; current text[]; stale text[];
begin
  -- Exclusive, not shared: also keeps two fan outs of one workspace from deleting the same queue rows in different orders.
  perform 1 from workspaces where workspace_id = any(p_workspace) order by workspace_id for no key update;
  select coalesce(array_agg(w.workspace_id) filter (where w.subscriptions_version = i.version), '{}'),
         coalesce(array_agg(w.workspace_id) filter (where w.subscriptions_version <> i.version), '{}')
    into current, stale from unnest(p_workspace, p_version) i(id, version) join workspaces w on w.workspace_id = i.id;
  perform 1 from lanes where subscription_id = any(p_pair_subscription) order by subscription_id for update;
  t := app_now();
  with taken as (
    delete from fan_out_queue q using unnest(p_event_workspace, p_event, p_day) i(workspace, event, day)
     where q.workspace_id = i.workspace and q.event_id = i.event and i.workspace = any(current)
    returning q.event_id, q.event_day, q.workspace_id, q.type),
  made as (
    insert into deliveries (event_day, workspace_id, delivery_id, event_id, event_type, subscription_id, status, next_attempt)
    select k.event_day, k.workspace_id, p.delivery, k.event_id, k.type, p.subscription, 'pending', t
      from taken k join unnest(p_pair_event, p_pair_subscription, p_pair_delivery) p(event, subscription, delivery) on p.event = k.event_id
      join lanes l on l.subscription_id = p.subscription and l.workspace_id = k.workspace_id -- no pair crosses workspaces
    on conflict do nothing returning event_day, workspace_id, delivery_id, event_id, subscription_id),
  logged as (
    insert into delivery_log (event_day, workspace_id, delivery_id, seq, kind, epoch, attempt, at, next_attempt)
    select event_day, workspace_id, delivery_id, 1, 'scheduled', 1, 0, t, t from made),
  queued as (
    insert into due (workspace_id, subscription_id, priority, due_at, delivery_id, event_day, event_id, epoch, attempt)
    select workspace_id, subscription_id, 0, t, delivery_id, event_day, event_id, 1, 1 from made)
  -- `least` on the locked row. A condition instead (`where next_due > t`) would be judged on an old version: a lost wake-up.
  update lanes l set next_due = least(l.next_due, t)
    from (select distinct subscription_id, workspace_id from made) m
   where l.subscription_id = m.subscription_id and l.workspace_id = m.workspace_id;
  return stale;
end $$;

alter function take_in(date[], text[], text[], text[], text[], bytea[], text[], timestamptz[]) set search_path = ${schema}, pg_temp;
alter function peek(text, int, int) set search_path = ${schema}, pg_temp;
alter function fan_out(text[], bigint[], text[], text[], date[], text[], text[], text[]) set search_path = ${schema}, pg_temp;
alter function take_in(date[], text[], text[], text[], text[], bytea[], text[], timestamptz[]) set plan_cache_mode = force_generic_plan;
alter function fan_out(text[], bigint[], text[], text[], date[], text[], text[], text[]) set plan_cache_mode = force_generic_plan;
revoke execute on function take_in(date[], text[], text[], text[], text[], bytea[], text[], timestamptz[]), peek(text, int, int),
  fan_out(text[], bigint[], text[], text[], date[], text[], text[], text[]) from public;
grant execute on function take_in(date[], text[], text[], text[], text[], bytea[], text[], timestamptz[]), peek(text, int, int),
  fan_out(text[], bigint[], text[], text[], date[], text[], text[], text[]) to ${worker_role};
