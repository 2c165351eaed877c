-- breaking: no
-- Tables of the engine: the worker reads them across workspaces. position orders the work of one integration.
create table due_work (
  workspace_id text collate "C" not null,
  work_id text collate "C" not null,
  kind text collate "C" not null check (kind in ('import', 'run')),
  integration_id text collate "C" not null,
  -- The open run, once there is one.
  run_id text collate "C",
  position bigint generated always as identity,
  due timestamptz not null default app_now(),
  -- Of the request that asked for the work.
  correlation text not null,
  traceparent text not null,
  lease_token text collate "C",
  lease_until timestamptz,
  primary key (workspace_id, work_id),
  unique (workspace_id, run_id),
  foreign key (workspace_id, integration_id) references integrations (workspace_id, id)
);
create index due_work_due on due_work (due);
create index due_work_lane on due_work (workspace_id, integration_id, position);

create table schedules (
  workspace_id text collate "C" not null,
  integration_id text collate "C" not null,
  due timestamptz not null,
  primary key (workspace_id, integration_id),
  foreign key (workspace_id, integration_id) references integrations (workspace_id, id)
);
create index schedules_due on schedules (due);
