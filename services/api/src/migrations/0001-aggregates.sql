-- breaking: no
-- Read rows of the event-sourced aggregates and the brands. `state` is the fold of the stream, written in the transaction
-- of its events; the other columns are copies of parts of it that queries need. Each list has an index in its own order, and one
-- for each filter with one value (decision 26): none of the filtered columns but a status changes, and that a few times in the life
-- of a row.
create table brands (
  workspace_id text collate "C" not null,
  slug text collate "C" not null,
  name text not null,
  vertical text collate "C" not null,
  default_currency text collate "C",
  created timestamptz(3) not null default app_now(),
  primary key (workspace_id, slug)
);

-- Analyzed seldom, as announced_events: rows are found by their keys alone, whatever the statistics say, and after an analyze every
-- session plans anew what it asks of them (decision 18).
create table integrations (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  version integer not null,
  status text collate "C" not null,
  provider text collate "C" not null,
  brand_slug text collate "C" not null,
  tags text[] not null,
  state jsonb not null,
  -- Highest run_seq given out (domain.md 3.3); operational, not part of the fold.
  run_seq bigint not null default 0,
  created timestamptz(3) not null,
  updated timestamptz(3) not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, brand_slug) references brands (workspace_id, slug)
) with (autovacuum_analyze_scale_factor = 0.5, autovacuum_analyze_threshold = 100000);
-- Its list, and with a filter each.
create index integrations_list on integrations (workspace_id, created desc, id desc);
create index integrations_by_status on integrations (workspace_id, status, created desc, id desc);
create index integrations_by_provider on integrations (workspace_id, provider, created desc, id desc);
create index integrations_by_brand on integrations (workspace_id, brand_slug, created desc, id desc);

create table imports (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  version integer not null,
  status text collate "C" not null,
  import_type text collate "C" not null,
  integration_id text collate "C" not null,
  state jsonb not null,
  created timestamptz(3) not null,
  updated timestamptz(3) not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, integration_id) references integrations (workspace_id, id)
);
-- Its list, and with a filter each.
create index imports_list on imports (workspace_id, created desc, id desc);
create index imports_by_status on imports (workspace_id, status, created desc, id desc);
create index imports_of_integration on imports (workspace_id, integration_id, created desc, id desc);
-- What waits or runs: of an integration, and how many of a workspace.
create index imports_open on imports (workspace_id, integration_id) where status in ('queued', 'running');

create table sync_runs (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  version integer not null,
  status text collate "C" not null,
  trigger text collate "C" not null,
  integration_id text collate "C" not null,
  import_id text collate "C",
  run_seq bigint not null,
  state jsonb not null,
  created timestamptz(3) not null,
  updated timestamptz(3) not null,
  primary key (workspace_id, id),
  unique (workspace_id, integration_id, run_seq),
  foreign key (workspace_id, integration_id) references integrations (workspace_id, id),
  foreign key (workspace_id, import_id) references imports (workspace_id, id)
);
-- Its list, and with a filter each.
create index sync_runs_list on sync_runs (workspace_id, created desc, id desc);
create index sync_runs_by_status on sync_runs (workspace_id, status, created desc, id desc);
create index sync_runs_by_trigger on sync_runs (workspace_id, trigger, created desc, id desc);
create index sync_runs_of_integration on sync_runs (workspace_id, integration_id, created desc, id desc);
-- At most one run of an integration is open (domain.md 3.3); also finds it.
create unique index sync_runs_one_open on sync_runs (workspace_id, integration_id)
  where status in ('queued', 'running', 'retry_wait');

-- "Once per" of the event catalog (domain.md 5): a second event of one key ends its transaction.
create table announced_events (
  workspace_id text collate "C" not null,
  event_type text collate "C" not null,
  once_key text collate "C" not null,
  event_id text collate "C" not null,
  primary key (workspace_id, event_type, once_key)
) with (autovacuum_analyze_scale_factor = 0.5, autovacuum_analyze_threshold = 100000);
create trigger announced_events_append_only before update or delete on announced_events
  for each row execute function refuse_change();
