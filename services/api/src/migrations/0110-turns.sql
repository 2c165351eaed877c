-- breaking: no
-- When a workspace was last given a turn in due_work, so that workspaces take turns whatever one of them queues. Only the worker
-- reads and writes it; a workspace without a row has had no turn.
create table work_turns (
  workspace_id text collate "C" primary key,
  last_served timestamptz not null
);
alter table work_turns enable row level security;
alter table work_turns force row level security;
create policy engine on work_turns to ${worker_role} using (true) with check (true);
grant select, insert, update on work_turns to ${worker_role};
