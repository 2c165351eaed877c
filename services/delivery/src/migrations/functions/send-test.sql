-- SEND TEST: an event that was made for one subscription, and its delivery, due at once. It never goes through the fan-out and has no
-- position in the event log, so nobody else gets it. The caller holds the workspace's row.
create or replace function send_test(
  p_workspace text, p_subscription text, p_delivery text, p_day date, p_event text, p_type text, p_payload bytea, p_trace text,
  p_created timestamptz)
returns void
language plpgsql
set search_path = ${schema}, pg_temp
set enable_seqscan = off
as $$
declare t timestamptz;
begin
  perform 1 from lanes where subscription_id = p_subscription and workspace_id = p_workspace and ready_at < 'infinity' for update;
  if not found then raise exception 'a test needs a lane that is open'; end if;
  t := app_now();
  insert into events (event_day, workspace_id, event_id, type, payload, traceparent, created)
  values (p_day, p_workspace, p_event, p_type, p_payload, p_trace, p_created);
  insert into deliveries (event_day, workspace_id, delivery_id, event_id, event_type, subscription_id, status, next_attempt)
  values (p_day, p_workspace, p_delivery, p_event, p_type, p_subscription, 'pending', t);
  insert into delivery_log (event_day, workspace_id, delivery_id, seq, kind, epoch, attempt, at, next_attempt)
  values (p_day, p_workspace, p_delivery, 1, 'scheduled', 1, 0, t, t);
  insert into due (workspace_id, subscription_id, priority, due_at, delivery_id, event_day, event_id, epoch, attempt)
  values (p_workspace, p_subscription, 0, t, p_delivery, p_day, p_event, 1, 1);
  update lanes set next_due = least(next_due, t) where subscription_id = p_subscription and workspace_id = p_workspace;
end $$;
revoke execute on function send_test from public;
grant execute on function send_test to ${http_role};
