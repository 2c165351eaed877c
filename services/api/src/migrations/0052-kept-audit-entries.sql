-- breaking: no
-- What the audit log was told, of which no stream tells from where it was done: for `republish` after the log lost records (decision 116). It
-- holds addresses of people, so it goes after 8 days, and who answers requests adds to it and cannot read it.
create table kept_announcements (
  event_id text collate "C" not null,
  workspace_id text collate "C" not null,
  topic text collate "C" not null,
  key text collate "C" not null,
  headers json not null,
  payload bytea not null,
  primary key (event_id, workspace_id)
);
alter table kept_announcements enable row level security, force row level security;
create policy workspace on kept_announcements for insert to ${http_role}
  with check (workspace_id = current_setting('app.workspace_id', true));
create policy engine on kept_announcements to ${worker_role} using (true) with check (true);
grant insert on kept_announcements to ${http_role};
grant select, insert, delete on kept_announcements to ${worker_role};
