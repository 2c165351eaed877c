-- breaking: no
-- What auth changed of a workspace, until it is announced as `workspace.updated` (domain.md 3.1). What is announced stays with `due` null:
-- by it a record that the log repeats is known, however late.
create table auth_changes (
  workspace_id text collate "C" not null,
  -- Of auth's event.
  event_id text collate "C" not null,
  changed text[] not null,
  actor text not null,
  correlation text not null,
  due timestamptz default app_now(),
  primary key (workspace_id, event_id)
);
-- What is to be announced, the oldest first.
create index auth_changes_due on auth_changes (due, event_id) where due is not null;
alter table auth_changes enable row level security, force row level security;
create policy engine on auth_changes to ${worker_role} using (true) with check (true);
grant select, insert, update on auth_changes to ${worker_role};
