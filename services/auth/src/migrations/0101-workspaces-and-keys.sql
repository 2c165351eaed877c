-- breaking: no
-- The rows that reads need of workspaces and keys: folds of their streams (architecture.md rule 3).
create table workspaces (
  workspace_id text collate "C" primary key,
  name text not null,
  slug text not null,
  plan text not null check (plan in ('free', 'pro', 'business', 'enterprise')),
  strict_event_scopes boolean not null default false,
  version int not null,
  created timestamptz not null,
  updated timestamptz not null
);
alter table workspaces enable row level security, force row level security;
create policy by_workspace on workspaces to ${http_role}, ${worker_role}
  using (workspace_id = current_setting('app.workspace_id', true))
  with check (workspace_id = current_setting('app.workspace_id', true));
grant select, insert, update on workspaces to ${http_role};
grant select on workspaces to ${worker_role};

-- The digest is no credential: a key has 190 random bits (auth.md 5). It is unique by chance of 2^-190, the workspace stays in the key.
create table api_keys (
  workspace_id text collate "C" not null references workspaces (workspace_id),
  key_id text collate "C" not null,
  digest bytea not null,
  prefix text not null,
  last4 text not null,
  name text not null,
  scopes text[] not null,
  cidrs text[] not null,
  expires timestamptz,
  revoked timestamptz,
  version int not null,
  created timestamptz not null,
  updated timestamptz not null,
  primary key (workspace_id, key_id),
  unique (workspace_id, digest)
);
alter table api_keys enable row level security, force row level security;
create policy by_workspace on api_keys to ${http_role}, ${worker_role}
  using (workspace_id = current_setting('app.workspace_id', true))
  with check (workspace_id = current_setting('app.workspace_id', true));
grant select, insert, update on api_keys to ${http_role};
grant select on api_keys to ${worker_role};
