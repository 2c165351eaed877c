-- breaking: no
-- The first rejected rows of a run that pulled them, never changed and aged out after 30 days, as those of uploads.
create table run_rejects (
  workspace_id text collate "C" not null,
  run_id text collate "C" not null,
  line integer not null,
  code text collate "C" not null,
  detail text not null,
  stored_at timestamptz not null default app_now(),
  primary key (workspace_id, run_id, line),
  foreign key (workspace_id, run_id) references sync_runs (workspace_id, id)
);
-- The removal of old ones.
create index run_rejects_age on run_rejects (stored_at);
create trigger run_rejects_never_changed before update on run_rejects for each row execute function refuse_change();

alter table run_rejects enable row level security, force row level security;
create policy workspace on run_rejects to ${http_role}, ${worker_role}
  using (workspace_id = current_setting('app.workspace_id', true))
  with check (workspace_id = current_setting('app.workspace_id', true));
create policy swept_select on run_rejects for select to ${worker_role} using (stored_at < app_now() - interval '30 days');
create policy swept on run_rejects for delete to ${worker_role} using (stored_at < app_now() - interval '30 days');
grant select on run_rejects to ${http_role};
grant select, insert, delete on run_rejects to ${worker_role};
