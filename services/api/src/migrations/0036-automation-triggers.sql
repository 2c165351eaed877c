-- breaking: no
-- Which events an enabled rule waits for (domain.md 9.1).
create table automation_watches (
  workspace_id text collate "C" not null,
  rule_id text collate "C" not null,
  event_type text collate "C" not null,
  -- What happened before is not looked at.
  since timestamptz(3) not null,
  primary key (workspace_id, rule_id)
);
-- Those that an event triggers.
create index automation_watches_by_type on automation_watches (workspace_id, event_type);

alter table automation_watches enable row level security, force row level security;
create policy workspace on automation_watches to ${http_role}
  using (workspace_id = current_setting('app.workspace_id', true))
  with check (workspace_id = current_setting('app.workspace_id', true));
create policy engine on automation_watches to ${worker_role} using (true) with check (true);
grant select, insert, update, delete on automation_watches to ${http_role}, ${worker_role};

-- How many rules what triggered the evaluation came through (domain.md 9.5).
alter table automation_work add column depth smallint not null default 0;
