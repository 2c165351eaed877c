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
-- The claim: workspaces with work that is due, and whether an earlier work of the same integration waits.
create index due_work_due on due_work (due);
create index due_work_lane on due_work (workspace_id, integration_id, position);

-- When a workspace was last given a turn in due_work, so that workspaces take turns whatever one of them queues. Only the worker
-- reads and writes it; a workspace without a row has had no turn.
create table work_turns (
  workspace_id text collate "C" primary key,
  last_served timestamptz not null
);

-- due: the next sync. delay_due: when the syncs count as delayed unless one succeeds before (domain.md 3.3); looked at again then, so
-- a success need not move it. Null once the delay was told of, until the next success.
create table schedules (
  workspace_id text collate "C" not null,
  integration_id text collate "C" not null,
  due timestamptz not null,
  delay_due timestamptz,
  primary key (workspace_id, integration_id),
  foreign key (workspace_id, integration_id) references integrations (workspace_id, id)
);
-- What has come due, the oldest first.
create index schedules_due on schedules (due);
create index schedules_delay_due on schedules (delay_due) where delay_due is not null;
