-- Appends one event with its announcement, which is what most commands do: plain inserts cost half of what the statement for many
-- costs, which reads arrays. The stream ends at p_after, 0 for a new one, or nothing is written. Primary key of stream_events.
create or replace function append_event(
  p_workspace text, p_stream_type text, p_stream text, p_after integer, p_event text, p_type text, p_data json,
  p_created timestamptz, p_actor text, p_correlation text, p_causation text, p_traceparent text, p_tracestate text,
  p_topic text, p_key text, p_headers json, p_payload bytea)
returns void
language plpgsql
set search_path = ${schema}, pg_temp
as $$
begin
  if p_after <> 0 and not exists (
    select from stream_events
     where workspace_id = p_workspace and stream_type = p_stream_type and stream_id = p_stream and version = p_after
  ) then
    perform expect_version(false);
  end if;
  -- An event behind p_after, of somebody who was quicker, meets the primary key.
  insert into stream_events (workspace_id, stream_type, stream_id, version, event_id, event_type, data, created,
    actor, correlation, causation, traceparent, tracestate)
  values (p_workspace, p_stream_type, p_stream, p_after + 1, p_event, p_type, p_data, p_created,
    p_actor, p_correlation, p_causation, p_traceparent, p_tracestate);
  if p_topic is not null then
    insert into outbox (workspace_id, topic, key, event_id, headers, payload)
    values (p_workspace, p_topic, p_key, p_event, p_headers, p_payload);
  end if;
end $$;
revoke execute on function append_event from public;
grant execute on function append_event to ${http_role}, ${worker_role};
