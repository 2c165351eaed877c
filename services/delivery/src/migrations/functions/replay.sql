-- REPLAY. Returns what was opened; the rest is refused (under way, open, parked lane). The caller judges
-- whether an event is too old.
-- `workspace_id || ''`: see 0003-deliveries.sql.
create or replace function replay(p_workspace text, p_day date[], p_delivery text[], p_priority smallint, p_by text)
returns setof text
language plpgsql
set search_path = ${schema}, pg_temp
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare t timestamptz; mine text[];
begin
  select array_agg(distinct d.subscription_id) into mine
    from unnest(p_day, p_delivery) i(day, id)
    join deliveries d on d.event_day = i.day and d.delivery_id = i.id and d.workspace_id || '' = p_workspace;
  perform 1 from lanes where subscription_id = any(mine) and workspace_id = p_workspace order by subscription_id for update;
  t := app_now();
  return query
  with old as (
    select d.* from (select distinct day, id from unnest(p_day, p_delivery) u(day, id)) i
      join deliveries d on d.event_day = i.day and d.delivery_id = i.id and d.workspace_id || '' = p_workspace
      join lanes l on l.subscription_id = d.subscription_id and l.workspace_id = d.workspace_id and l.ready_at < 'infinity'
     where d.status in ('dead', 'delivered', 'retry')
       and not exists (
         select 1 from leases e
          where e.subscription_id = d.subscription_id and e.delivery_id = d.delivery_id and e.workspace_id = d.workspace_id)),
  removed_from_due as (
    delete from due w using old o
     where w.subscription_id = o.subscription_id and w.priority = o.priority and w.due_at = o.next_attempt and w.delivery_id = o.delivery_id
       and w.workspace_id = o.workspace_id),
  removed_from_dead as (
    delete from dead_deliveries x using old o
     where x.event_day = o.event_day and x.workspace_id = o.workspace_id and x.delivery_id = o.delivery_id),
  opened as (
    update deliveries d set
           status = 'replay', epoch = d.epoch + 1, attempt = 0, next_attempt = t, priority = p_priority, dead = null, dead_reason = null,
           delivered = null, last_outcome = null, last_status = null, last_error_code = null, seq = d.seq + 1
      from old o where d.event_day = o.event_day and d.delivery_id = o.delivery_id and d.workspace_id || '' = o.workspace_id
    returning d.*),
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
revoke execute on function replay from public;
grant execute on function replay to ${http_role}, ${worker_role};
