-- breaking: no
-- Read rows of the event-sourced aggregates and the brands. `state` is the fold of the stream, written in the transaction
-- of its events; the other columns are copies of parts of it that queries need.
create table brands (
  workspace_id text collate "C" not null,
  slug text collate "C" not null,
  name text not null,
  vertical text collate "C" not null,
  default_currency text collate "C",
  created timestamptz(3) not null default app_now(),
  primary key (workspace_id, slug)
);

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
);
create index integrations_list on integrations (workspace_id, created desc, id desc);

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
create index imports_list on imports (workspace_id, created desc, id desc);
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
create index sync_runs_list on sync_runs (workspace_id, created desc, id desc);
create index sync_runs_of_integration on sync_runs (workspace_id, integration_id, created desc, id desc);
-- At most one run of an integration is open (domain.md 3.3).
create unique index sync_runs_one_open on sync_runs (workspace_id, integration_id)
  where status in ('queued', 'running', 'retry_wait');

-- "Once per" of the event catalog (domain.md 5): a second event of one key ends its transaction.
create table announced_events (
  workspace_id text collate "C" not null,
  event_type text collate "C" not null,
  once_key text collate "C" not null,
  event_id text collate "C" not null,
  primary key (workspace_id, event_type, once_key)
);
