-- breaking: no
-- The rows that reads need of workspaces and keys: folds of their streams (architecture.md 3).
create table workspaces (
  workspace_id text collate "C" primary key,
  -- Each aggregate has an id in its workspace; a workspace's own is the same one.
  id text collate "C" not null check (id = workspace_id),
  status text not null,
  state jsonb not null check ((state ->> 'plan' in ('free', 'pro', 'business', 'enterprise')) is true),
  version int not null,
  created timestamptz not null,
  updated timestamptz not null
);

-- Without the digests of its texts: they stand in api_key_digests, and access_keys has them from the events.
create table api_keys (
  workspace_id text collate "C" not null references workspaces (workspace_id),
  key_id text collate "C" not null,
  status text not null,
  expires timestamptz,
  state jsonb not null,
  version int not null,
  created timestamptz not null,
  -- A revoked key changes no more: then it is the instant of its end.
  updated timestamptz not null,
  primary key (workspace_id, key_id)
);
-- The removal of revoked keys.
create index api_keys_revoked on api_keys (updated) where status = 'revoked';

alter table workspaces enable row level security, force row level security;
create policy by_workspace on workspaces to ${http_role}, ${worker_role}
  using (workspace_id = current_setting('app.workspace_id', true))
  with check (workspace_id = current_setting('app.workspace_id', true));

alter table api_keys enable row level security, force row level security;
create policy by_workspace on api_keys to ${http_role}, ${worker_role}
  using (workspace_id = current_setting('app.workspace_id', true))
  with check (workspace_id = current_setting('app.workspace_id', true));
-- The row of a revoked key goes after 31 days, as it does in the services' projections; its stream keeps what happened. Until then
-- nobody may remove it.
create policy revoked_read on api_keys for select to ${worker_role} using (status = 'revoked' and updated < app_now() - interval '31 days');
create policy revoked_removed on api_keys for delete to ${worker_role} using (status = 'revoked' and updated < app_now() - interval '31 days');
create policy revoked_kept on api_keys as restrictive for delete to ${worker_role}
  using (status = 'revoked' and updated < app_now() - interval '31 days');

grant select, insert, update on workspaces, api_keys to ${http_role};
grant select on workspaces to ${worker_role};
grant select, delete on api_keys to ${worker_role};
