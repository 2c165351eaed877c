-- FAN OUT: makes the deliveries of events of the queue and takes these events out of it, also of those that match nothing.
-- p_version: the version of the workspace's subscriptions that the matching used, read in one statement with them. p_pair_*: one
-- delivery each. Returns how many deliveries were made, and the workspaces whose events stay in the queue: `stale`, whose
-- subscriptions changed (reload, match again), and `held`, which wait for somebody else:
-- * their row is locked, or one of their lanes is. A lane is waited for p_lane_wait_ms, then it fails; 0: locked ones are skipped;
-- * an older event of theirs is in the queue, which must not be overtaken.
-- The workspace's lock is exclusive: it also keeps two fan-outs of one workspace from deleting the same rows in different orders.
create or replace function fan_out(
  p_workspace text[], p_version bigint[],
  p_event_workspace text[], p_event text[], p_day date[],
  p_pair_event text[], p_pair_subscription text[], p_pair_delivery text[],
  p_lane_wait_ms int, out made int, out stale text[], out held text[])
language plpgsql
set search_path = ${schema}, pg_temp
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
-- Longer than days that are made or dropped keep others waiting (make_partitions).
set lock_timeout = '750ms'
as $$
declare t timestamptz; current text[]; unlocked text[]; blocked text[];
begin
  select coalesce(array_agg(w.id) filter (where w.is_current), '{}'), coalesce(array_agg(w.id) filter (where not w.is_current), '{}')
    into current, stale from (
    select w.workspace_id as id, w.subscriptions_version = i.version as is_current
      from unnest(p_workspace, p_version) i(id, version) join workspaces w on w.workspace_id = i.id
     order by w.workspace_id for no key update of w skip locked) w;
  held := array(select i.id from unnest(p_workspace) i(id) where i.id <> all(current || stale));

  blocked := array(
    select e.workspace
      from (select workspace, min(event) as first from unnest(p_event_workspace, p_event) i(workspace, event) group by 1) e
     where e.workspace = any(current)
       and exists (select from fan_out_queue q where q.workspace_id = e.workspace and q.event_id < e.first));
  current := array(select id from unnest(current) i(id) where i.id <> all(blocked));
  held := held || blocked;
  -- Whoever holds a workspace may hold its lanes, too: only those of workspaces that could be locked are asked for.
  if p_lane_wait_ms = 0 then
    unlocked := array(
      select subscription_id from lanes where subscription_id = any(p_pair_subscription) and workspace_id = any(current)
       order by subscription_id for update skip locked);
    blocked := array(
      select distinct workspace_id from lanes
       where subscription_id = any(p_pair_subscription) and workspace_id = any(current) and subscription_id <> all(unlocked));
    current := array(select id from unnest(current) i(id) where i.id <> all(blocked));
    held := held || blocked;
  else
    perform set_config('lock_timeout', p_lane_wait_ms::text, true); -- until the function ends
    perform from lanes where subscription_id = any(p_pair_subscription) and workspace_id = any(current)
      order by subscription_id for update;
  end if;

  t := app_now();
  with dequeued as (
    delete from fan_out_queue q using unnest(p_event_workspace, p_event, p_day) i(workspace, event, day)
     where q.workspace_id = i.workspace and q.event_id = i.event and i.workspace = any(current)
    returning q.event_id, q.event_day, q.workspace_id, q.type),
  new_deliveries as (
    insert into deliveries (event_day, workspace_id, delivery_id, event_id, event_type, subscription_id, status, next_attempt)
    select e.event_day, e.workspace_id, p.delivery, e.event_id, e.type, p.subscription, 'pending', t
      from dequeued e
      join unnest(p_pair_event, p_pair_subscription, p_pair_delivery) p(event, subscription, delivery) on p.event = e.event_id
      join lanes l on l.subscription_id = p.subscription and l.workspace_id = e.workspace_id -- no pair crosses workspaces
    on conflict do nothing returning event_day, workspace_id, delivery_id, event_id, subscription_id),
  logged as (
    insert into delivery_log (event_day, workspace_id, delivery_id, seq, kind, epoch, attempt, at, next_attempt)
    select event_day, workspace_id, delivery_id, 1, 'scheduled', 1, 0, t, t from new_deliveries),
  queued as (
    insert into due (workspace_id, subscription_id, priority, due_at, delivery_id, event_day, event_id, epoch, attempt)
    select workspace_id, subscription_id, 0, t, delivery_id, event_day, event_id, 1, 1 from new_deliveries),
  -- `least` on the locked row. A condition instead (`where next_due > t`) would be judged on an old version: a lost wake-up.
  lane as (
    update lanes l set next_due = least(l.next_due, t)
      from (select distinct subscription_id, workspace_id from new_deliveries) n
     where l.subscription_id = n.subscription_id and l.workspace_id = n.workspace_id)
  select count(*)::int into made from new_deliveries;
end $$;
revoke execute on function fan_out from public;
grant execute on function fan_out to ${worker_role};
