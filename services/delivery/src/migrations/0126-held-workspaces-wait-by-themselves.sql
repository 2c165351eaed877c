-- breaking: no
-- FAN OUT one turn, as fan_out does it, where one workspace does not keep the others from it: one whose row somebody holds at this
-- moment is left alone and returned as `held`, its events stay in the queue. fan_out stays for workers of the version before.
create function fan_out_free(p_workspace text[], p_version bigint[], p_event_workspace text[], p_event text[], p_day date[],
                             p_pair_event text[], p_pair_subscription text[], p_pair_delivery text[], out stale text[], out held text[])
language plpgsql as $$
declare t timestamptz; current text[];
begin
  select coalesce(array_agg(w.id) filter (where w.is_current), '{}'), coalesce(array_agg(w.id) filter (where not w.is_current), '{}')
    into current, stale from (
    select w.workspace_id as id, w.subscriptions_version = i.version as is_current
      from unnest(p_workspace, p_version) i(id, version) join workspaces w on w.workspace_id = i.id order by w.workspace_id for no key update of w skip locked) w;
  held := array(select i.id from unnest(p_workspace) i(id) where i.id <> all(current || stale));
  -- Whoever holds a workspace may hold its lanes, too.
  perform 1 from lanes where subscription_id = any(p_pair_subscription) and workspace_id = any(current) order by subscription_id for update;
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
end $$;

alter function fan_out_free(text[], bigint[], text[], text[], date[], text[], text[], text[]) set search_path = ${schema}, pg_temp;
alter function fan_out_free(text[], bigint[], text[], text[], date[], text[], text[], text[]) set plan_cache_mode = force_generic_plan;
alter function fan_out_free(text[], bigint[], text[], text[], date[], text[], text[], text[]) set enable_seqscan = off;
revoke execute on function fan_out_free(text[], bigint[], text[], text[], date[], text[], text[], text[]) from public;
grant execute on function fan_out_free(text[], bigint[], text[], text[], date[], text[], text[], text[]) to ${worker_role};
