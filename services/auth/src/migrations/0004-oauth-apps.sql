-- breaking: no
-- OAuth apps (auth.md 4): the rows that reads need, folds of their streams, and what stands beside them.
create table oauth_apps (
  workspace_id text collate "C" not null references workspaces (workspace_id),
  id text collate "C" not null,
  version integer not null,
  status text collate "C" not null,
  state jsonb not null,
  created timestamptz(3) not null,
  updated timestamptz(3) not null,
  primary key (workspace_id, id)
);
create index oauth_apps_list on oauth_apps (workspace_id, created desc, id desc);

-- A global table, without a policy by workspace: a request names a client before any workspace is known. It holds ids alone.
create table oauth_clients (
  client_id text collate "C" primary key,
  workspace_id text collate "C" not null,
  app_id text collate "C" not null
);

-- Digests of the secrets that the app's row names with their ends.
create table client_secrets (
  workspace_id text collate "C" not null,
  app_id text collate "C" not null,
  secret_id text collate "C" not null,
  -- SHA-256 of the secret.
  digest bytea not null check (octet_length(digest) = 32),
  created timestamptz(3) not null default app_now(),
  last_used timestamptz(3),
  primary key (workspace_id, app_id, secret_id),
  -- Deferred here and below: the row of a new app is written with the commit.
  foreign key (workspace_id, app_id) references oauth_apps (workspace_id, id) deferrable initially deferred
);

-- Logos as they were written anew, one of each app. Strangers see them on the consent page, so everybody may read one by its digest.
create table oauth_app_logos (
  workspace_id text collate "C" not null,
  app_id text collate "C" not null,
  -- SHA-256 of the PNG.
  digest bytea not null check (octet_length(digest) = 32),
  png bytea not null,
  primary key (workspace_id, app_id),
  foreign key (workspace_id, app_id) references oauth_apps (workspace_id, id) deferrable initially deferred
);
create index oauth_app_logos_digest on oauth_app_logos (digest);

-- The last 100 errors of each app, for its developers (W27).
create table oauth_errors (
  workspace_id text collate "C" not null,
  app_id text collate "C" not null,
  id bigint generated always as identity,
  created timestamptz(3) not null default app_now(),
  request_id text collate "C" not null,
  endpoint text collate "C" not null,
  -- What the client was answered.
  error text collate "C" not null,
  -- The true reason, which the client is not told.
  reason text not null,
  primary key (workspace_id, app_id, id),
  foreign key (workspace_id, app_id) references oauth_apps (workspace_id, id)
);

alter table oauth_apps enable row level security, force row level security;
alter table client_secrets enable row level security, force row level security;
alter table oauth_app_logos enable row level security, force row level security;
alter table oauth_errors enable row level security, force row level security;
create policy by_workspace on oauth_apps to ${http_role}
  using (workspace_id = current_setting('app.workspace_id', true))
  with check (workspace_id = current_setting('app.workspace_id', true));
create policy by_workspace on client_secrets to ${http_role}
  using (workspace_id = current_setting('app.workspace_id', true))
  with check (workspace_id = current_setting('app.workspace_id', true));
create policy by_workspace on oauth_app_logos to ${http_role}
  using (workspace_id = current_setting('app.workspace_id', true))
  with check (workspace_id = current_setting('app.workspace_id', true));
create policy shown_to_all on oauth_app_logos for select to ${http_role} using (true);
create policy by_workspace on oauth_errors to ${http_role}
  using (workspace_id = current_setting('app.workspace_id', true))
  with check (workspace_id = current_setting('app.workspace_id', true));

grant select, insert, update on oauth_apps to ${http_role};
grant select, insert, delete on oauth_clients to ${http_role};
grant select, insert, update, delete on client_secrets, oauth_app_logos to ${http_role};
grant select, insert, delete on oauth_errors to ${http_role};
