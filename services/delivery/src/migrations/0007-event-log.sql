-- breaking: no
-- The event log that clients read (decision 48): the events of a workspace in the order in which they become visible.

-- Null: not in the log, as what was stored before this migration, and tests, which go to one subscription alone.
alter table events add column log_position bigint;
-- The log of a workspace, oldest first.
create index events_log on events (workspace_id, log_position);

-- The newest position of each workspace. An ingest raises it before it stores events, and holds the row until it commits: whoever sees
-- a position sees all before it.
create table event_log_heads (
  workspace_id text collate "C" primary key,
  log_position bigint not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0.5, autovacuum_analyze_threshold = 100000);

alter table event_log_heads enable row level security, force row level security;
create policy engine on event_log_heads to ${worker_role} using (true) with check (true);
create policy by_workspace on event_log_heads to ${http_role} using (workspace_id = current_setting('app.workspace_id', true));
grant select on event_log_heads to ${http_role};
grant select, insert, update on event_log_heads to ${worker_role};
