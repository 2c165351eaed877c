-- breaking: no
-- Streams of events and the outbox of a service (stack.md 6, architecture.md 3 to 5). Both are analyzed seldom: their rows are
-- found by their keys alone, whatever the statistics say, and after an analyze every session plans anew what it asks of them
-- (decision 18).
create table stream_events (
  workspace_id text collate "C" not null,
  stream_type text collate "C" not null,
  stream_id text collate "C" not null,
  version integer not null check (version > 0),
  event_id text collate "C" not null,
  event_type text collate "C" not null,
  data json not null,
  created timestamptz(3) not null,
  actor text collate "C" not null,
  correlation text not null,
  causation text,
  traceparent text not null,
  tracestate text,
  primary key (workspace_id, stream_type, stream_id, version),
  unique (workspace_id, event_id)
) with (autovacuum_analyze_scale_factor = 0.5, autovacuum_analyze_threshold = 100000);
create trigger stream_events_append_only before update or delete on stream_events
  for each row execute function refuse_change();
create trigger stream_events_no_truncate before truncate on stream_events
  for each statement execute function refuse_change();

-- A queue of committed rows, emptied by one relay. A row is removed when it was published, so one that commits late is
-- taken by a later pass. The identity has a cache of 1: within a stream the order of the ids is that of the versions.
create table outbox (
  id bigint generated always as identity (cache 1) primary key,
  workspace_id text collate "C" not null,
  topic text collate "C" not null,
  key text collate "C" not null,
  event_id text collate "C" not null unique,
  headers json not null,
  payload bytea,
  put_at timestamptz not null default app_now()
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 1000,
  autovacuum_analyze_scale_factor = 0.5, autovacuum_analyze_threshold = 100000);
-- The relay's pass over a backlog: the first rows of each key, however many one key has.
create index outbox_key on outbox (key, id);
create trigger outbox_never_changed before update on outbox for each row execute function refuse_change();

alter table stream_events enable row level security, force row level security;
create policy stream_events_workspace on stream_events to ${http_role}, ${worker_role}
  using (workspace_id = current_setting('app.workspace_id', true))
  with check (workspace_id = current_setting('app.workspace_id', true));
-- The worker role, which may act in every workspace, reads events over all of them where its transaction says so: for
-- `republish` after the log lost records (republish.ts).
create policy stream_events_republish on stream_events for select to ${worker_role}
  using (current_setting('app.republish', true) = 'on');

alter table outbox enable row level security, force row level security;
create policy outbox_put on outbox for insert to ${http_role}
  with check (workspace_id = current_setting('app.workspace_id', true));
create policy outbox_relay on outbox to ${worker_role} using (true) with check (true);

grant select, insert on stream_events to ${http_role}, ${worker_role};
grant insert on outbox to ${http_role};
grant select, insert, delete on outbox to ${worker_role};
