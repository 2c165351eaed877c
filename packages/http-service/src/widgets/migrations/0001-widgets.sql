-- breaking: no
create table widgets (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  name text not null,
  note text,
  metadata jsonb not null,
  version integer not null,
  primary key (workspace_id, id)
);
alter table widgets enable row level security;
alter table widgets force row level security;
create policy workspace on widgets to ${http_role} using (workspace_id = current_setting('app.workspace_id', true));
grant select, insert, update, delete on widgets to ${http_role};
