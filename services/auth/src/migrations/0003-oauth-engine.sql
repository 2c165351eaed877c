-- breaking: no
-- What the OAuth engine stores, the grants as folds of their streams, and the keys that sign access tokens (auth.md 2.2).

-- Rows of the engine. A global table: a code or token is looked up by its digest before anybody knows whose it is.
create table engine_records (
  kind text collate "C" not null check (kind in ('Grant', 'Interaction', 'AuthorizationCode', 'RefreshToken')),
  -- SHA-256 of the engine's id, so that nothing a client could present is stored.
  id bytea not null check (octet_length(id) = 32),
  -- The family; a Grant carries its own id.
  grant_id text collate "C",
  payload jsonb not null,
  expires_at timestamptz not null,
  consumed_at timestamptz,
  -- Of a Grant: whose it is, and the version of the membership that it was last brought in line with.
  workspace_id text collate "C",
  user_id text collate "C",
  app_id text collate "C",
  member_rev integer,
  primary key (kind, id),
  check ((kind = 'Grant') = (workspace_id is not null and user_id is not null and app_id is not null and member_rev is not null)),
  check ((kind in ('Grant', 'AuthorizationCode', 'RefreshToken')) = (grant_id is not null))
);
-- A family, when it ends or is cut.
create index engine_records_family on engine_records (grant_id) where grant_id is not null;
-- The purge.
create index engine_records_expired on engine_records (expires_at);
-- The grants of a person, of a person in a workspace, and of an app.
create index engine_records_person on engine_records (user_id, workspace_id) where kind = 'Grant';
create index engine_records_app on engine_records (app_id) where kind = 'Grant';
create index engine_records_workspace on engine_records (workspace_id) where kind = 'Grant';

create table grants (
  workspace_id text collate "C" not null references workspaces (workspace_id),
  id text collate "C" not null,
  version integer not null,
  status text collate "C" not null,
  user_id text collate "C" not null,
  app_id text collate "C" not null,
  state jsonb not null,
  created timestamptz(3) not null,
  updated timestamptz(3) not null,
  primary key (workspace_id, id)
);
-- The grants of a workspace, and of a person in it, newest first.
create index grants_list on grants (workspace_id, created desc, id desc) where status = 'live';

-- Access tokens that were revoked one by one, until they are over.
create table token_denials (
  workspace_id text collate "C" not null references workspaces (workspace_id),
  jti text collate "C" not null,
  expires_at timestamptz not null,
  primary key (workspace_id, jti)
);

-- Keys that sign access tokens. A global table: they sign for every workspace.
create table signing_keys (
  kid text collate "C" primary key,
  state text collate "C" not null check (state in ('next', 'current', 'retired')),
  public_jwk jsonb not null,
  -- The private key in envelope encryption; a retired one signs no more.
  private_jwk text,
  -- Since when it is in this state.
  since timestamptz not null default app_now(),
  check ((state = 'retired') = (private_jwk is null))
);
create unique index signing_keys_one on signing_keys (state) where state <> 'retired';

-- Failed client authentications of a minute (auth.md T31). A global table: most are of nobody.
create table client_failures (
  -- SHA-256 of an address, or of a client and an address.
  caller bytea not null check (octet_length(caller) = 32),
  minute timestamptz not null,
  failures integer not null,
  primary key (caller, minute)
);

alter table grants enable row level security, force row level security;
create policy by_workspace on grants to ${http_role}, ${worker_role}
  using (workspace_id = current_setting('app.workspace_id', true))
  with check (workspace_id = current_setting('app.workspace_id', true));
alter table token_denials enable row level security, force row level security;
create policy by_workspace on token_denials to ${http_role}
  using (workspace_id = current_setting('app.workspace_id', true))
  with check (workspace_id = current_setting('app.workspace_id', true));
create policy over_read on token_denials for select to ${worker_role} using (expires_at < app_now());
create policy over_removed on token_denials for delete to ${worker_role} using (expires_at < app_now());

-- The end of a grant that nobody can use any more is an entry as every other end is.
create policy worker_writes on audit_log for insert to ${worker_role}
  with check (workspace_id = current_setting('app.workspace_id', true));
grant insert on audit_log to ${worker_role};
grant select, insert, update, delete on engine_records to ${http_role}, ${worker_role};
grant select, insert, update on grants to ${http_role}, ${worker_role};
grant select, insert on token_denials to ${http_role};
grant select, delete on token_denials to ${worker_role};
grant select, insert, update, delete on signing_keys to ${http_role};
grant select (kid, state, since), delete on signing_keys to ${worker_role};
grant select, insert, update on client_failures to ${http_role};
grant select, delete on client_failures to ${worker_role};
