-- LOST LEASES: attempts whose outcome nobody will write, oldest first: their lease has ended, or the session of their worker has. That is
-- so when its lock can be had, which it is for the length of this statement only. p_worker: the caller, who is alive. p_judges: whether
-- it may judge others by their sessions. was_unknown: the attempt before was lost as well.
-- `workspace_id || ''`: see 0003-deliveries.sql.
create or replace function lost_leases(p_worker bigint, p_judges boolean, p_limit int)
returns table (
  workspace_id text, subscription_id text, delivery_id text, event_day date, event_id text, claim_id uuid, epoch int, attempt int,
  started timestamptz, url text, was_unknown boolean)
language plpgsql
set search_path = ${schema}, pg_temp
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
#variable_conflict use_column
declare t timestamptz := app_now(); gone bigint[] := '{}';
begin
  if p_judges then
    gone := array(
      select w.worker from (select distinct e.worker from leases e where e.worker <> p_worker) w
       where pg_try_advisory_xact_lock(w.worker));
  end if;
  return query
  select e.workspace_id, e.subscription_id, e.delivery_id, e.event_day, e.event_id, e.claim_id, e.epoch, e.attempt, e.started, s.url,
         coalesce(d.last_outcome = 'attempt_unknown', false)
    from (select * from leases where lease_end < t or worker = any(gone) order by lease_end limit p_limit) e
    join subscriptions s on s.subscription_id = e.subscription_id and s.workspace_id = e.workspace_id
    left join lateral (
      select d.last_outcome from deliveries d
       where d.event_day = e.event_day and d.delivery_id = e.delivery_id and d.workspace_id || '' = e.workspace_id) d on true;
end $$;
revoke execute on function lost_leases from public;
grant execute on function lost_leases to ${worker_role};
