-- INGEST: stores the exact bytes of events and puts the events into the queue of the fan-out. A repeated event is ignored. The caller
-- keeps events out whose day has no partition: one of them would fail the whole batch. Returns how many were new.
-- Each event gets its position in the log of its workspace under the lock of its head (0007-event-log.sql), taken by workspace as
-- everybody does who takes several. A repeated event uses up a position that nobody sees.
create or replace function ingest(
  p_day date[], p_id text[], p_workspace text[], p_type text[], p_about text[], p_payload bytea[], p_trace text[], p_created timestamptz[])
returns int
language plpgsql
set search_path = ${schema}, pg_temp
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare n int;
begin
  insert into workspaces (workspace_id)
    select i.id from (select distinct unnest(p_workspace) as id) i
     where not exists (select 1 from workspaces w where w.workspace_id = i.id) order by i.id
    on conflict do nothing;
  with input as (
    select i.*, count(*) over later as from_last
      from unnest(p_day, p_id, p_workspace, p_type, p_about, p_payload, p_trace, p_created)
        with ordinality as i(day, id, workspace, type, about, payload, trace, created, nth)
    window later as (partition by workspace order by nth desc)),
  heads as (
    insert into event_log_heads as h (workspace_id, log_position)
    select workspace, count(*) from input group by workspace order by workspace
    on conflict (workspace_id) do update set log_position = h.log_position + excluded.log_position
    returning h.workspace_id, h.log_position),
  stored as (
    insert into events (event_day, workspace_id, event_id, type, payload, traceparent, created, log_position)
    select day, workspace, id, type, payload, trace, created, h.log_position - from_last + 1
      from input join heads h on h.workspace_id = workspace
    on conflict do nothing returning event_day, event_id, workspace_id, events.type)
  insert into fan_out_queue (event_day, event_id, workspace_id, type, about)
    select s.event_day, s.event_id, s.workspace_id, s.type, i.about
      from stored s
      join (select distinct on (id, workspace) id, workspace, about from input) i on i.id = s.event_id and i.workspace = s.workspace_id
    on conflict do nothing;
  get diagnostics n = row_count;
  return n;
end $$;
revoke execute on function ingest from public;
grant execute on function ingest to ${worker_role};
