-- END what waits, in batches until it returns 0. Enabling calls it too, first: a row left from before must not come alive again.
-- `workspace_id || ''`: see 0003-deliveries.sql.
create or replace function end_open(p_workspace text, p_subscription text, p_reason text, p_limit int)
returns int
language plpgsql
set search_path = ${schema}, pg_temp
set enable_seqscan = off
as $$
declare t timestamptz; n int;
begin
  perform 1 from lanes where subscription_id = p_subscription and workspace_id = p_workspace and ready_at = 'infinity' for update;
  if not found then return 0; end if;
  t := app_now();
  with ended as (
    delete from due where ctid = any(array(
      select ctid from due where subscription_id = p_subscription and workspace_id = p_workspace limit p_limit)) returning *),
  updated as (
    update deliveries d set status = 'dead', dead_reason = p_reason, dead = t, next_attempt = null, seq = d.seq + 1
      from ended e where d.event_day = e.event_day and d.delivery_id = e.delivery_id and d.workspace_id || '' = e.workspace_id
    returning d.seq, d.attempt, d.event_type, d.last_status, d.last_error_code, e.event_day, e.workspace_id, e.delivery_id, e.epoch),
  dead_listed as (
    insert into dead_deliveries (event_day, workspace_id, delivery_id, subscription_id, event_type, dead_reason, last_status, last_error_code)
    select event_day, workspace_id, delivery_id, p_subscription, event_type, p_reason, last_status, last_error_code
      from updated on conflict do nothing)
  insert into delivery_log (event_day, workspace_id, delivery_id, seq, kind, epoch, attempt, at, dead_reason)
  select event_day, workspace_id, delivery_id, seq, 'ended', epoch, attempt, t, p_reason from updated;
  get diagnostics n = row_count;
  update lanes set next_due = coalesce(
         (select min(due_at) from due where subscription_id = p_subscription and workspace_id = p_workspace), 'infinity')
   where subscription_id = p_subscription and workspace_id = p_workspace;
  return n;
end $$;
revoke execute on function end_open from public;
grant execute on function end_open to ${http_role}, ${worker_role};
