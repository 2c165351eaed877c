-- DELIVER MISSING: makes the deliveries of stored events that a subscription has none of (replay of a period), as fan_out does. It holds
-- the lane, which every change of the subscription locks, so that p_version is judged for good. Returns the ids of those made, without
-- any that came into being meanwhile; null when the subscriptions changed since p_version was read, or the lane is parked: match again.
-- The caller judges whether an event is too old.
create or replace function deliver_missing(
  p_workspace text, p_subscription text, p_version bigint, p_day date[], p_event text[], p_type text[], p_delivery text[],
  p_priority smallint, p_by text)
returns text[]
language plpgsql
set search_path = ${schema}, pg_temp
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare t timestamptz; made text[];
begin
  perform from lanes where subscription_id = p_subscription and workspace_id = p_workspace and ready_at < 'infinity' for update;
  if not found then return null; end if;
  perform from workspaces where workspace_id = p_workspace and subscriptions_version = p_version;
  if not found then return null; end if;
  t := app_now();
  with new_deliveries as (
    insert into deliveries (event_day, workspace_id, delivery_id, event_id, event_type, subscription_id, status, next_attempt, priority)
    select i.day, p_workspace, i.delivery, i.event, i.type, p_subscription, 'pending', t, p_priority
      from unnest(p_day, p_event, p_type, p_delivery) i(day, event, type, delivery)
    on conflict do nothing returning event_day, delivery_id, event_id),
  logged as (
    insert into delivery_log (event_day, workspace_id, delivery_id, seq, kind, epoch, attempt, at, next_attempt, requested_by)
    select event_day, p_workspace, delivery_id, 1, 'scheduled', 1, 0, t, t, p_by from new_deliveries),
  queued as (
    insert into due (workspace_id, subscription_id, priority, due_at, delivery_id, event_day, event_id, epoch, attempt)
    select p_workspace, p_subscription, p_priority, t, delivery_id, event_day, event_id, 1, 1 from new_deliveries)
  select coalesce(array_agg(delivery_id), '{}') into made from new_deliveries;
  update lanes set next_due = least(next_due, t)
   where subscription_id = p_subscription and workspace_id = p_workspace and made <> '{}';
  return made;
end $$;
revoke execute on function deliver_missing from public;
grant execute on function deliver_missing to ${worker_role};
