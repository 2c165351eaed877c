-- breaking: no
-- The settings of a workspace, the fold of their stream; no row where nothing was changed yet. Found by its key alone.
create table workspace_settings (
  workspace_id text collate "C" not null,
  id text collate "C" not null check (id = workspace_id),
  version integer not null,
  status text collate "C" not null,
  state jsonb not null,
  created timestamptz(3) not null,
  updated timestamptz(3) not null,
  primary key (workspace_id, id)
);
alter table workspace_settings enable row level security, force row level security;
create policy workspace on workspace_settings to ${http_role}, ${worker_role}
  using (workspace_id = current_setting('app.workspace_id', true))
  with check (workspace_id = current_setting('app.workspace_id', true));
grant select, insert, update on workspace_settings to ${http_role}, ${worker_role};
