-- breaking: no
-- Read rows of automation rules (domain.md 3.10), each the fold of its stream.
create table automation_rules (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  version integer not null,
  status text collate "C" not null,
  enabled text collate "C" not null,
  state jsonb not null,
  created timestamptz(3) not null,
  updated timestamptz(3) not null,
  primary key (workspace_id, id)
);
-- Its list, and with a filter each.
create index automation_rules_list on automation_rules (workspace_id, created desc, id desc);
create index automation_rules_by_enabled on automation_rules (workspace_id, enabled, created desc, id desc);

alter table automation_rules enable row level security, force row level security;
create policy workspace on automation_rules to ${http_role}, ${worker_role}
  using (workspace_id = current_setting('app.workspace_id', true))
  with check (workspace_id = current_setting('app.workspace_id', true));
grant select, insert, update on automation_rules to ${http_role}, ${worker_role};
