-- breaking: no
-- Credentials of sources, encrypted with the workspace, the table and the integration as their place (security.md 3). The integration's row is
-- written with the commit, so the key is looked at then.
create table integration_credentials (
  workspace_id text collate "C" not null,
  integration_id text collate "C" not null,
  ciphertext text not null,
  primary key (workspace_id, integration_id),
  foreign key (workspace_id, integration_id) references integrations (workspace_id, id) deferrable initially deferred
);
alter table integration_credentials enable row level security, force row level security;
create policy workspace on integration_credentials to ${http_role}, ${worker_role}
  using (workspace_id = current_setting('app.workspace_id', true))
  with check (workspace_id = current_setting('app.workspace_id', true));
grant select, insert, update, delete on integration_credentials to ${http_role};
grant select, delete on integration_credentials to ${worker_role};

-- When the end of an integration's credentials is told (domain.md 3.2).
alter table schedules add column expiry_due timestamptz;
create index schedules_expiry_due on schedules (expiry_due) where expiry_due is not null;
