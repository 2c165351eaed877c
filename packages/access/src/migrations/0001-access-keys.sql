-- breaking: no
-- Which API keys exist, as auth's events tell (auth.md 5). A global table, without a policy by workspace: it maps the digest
-- of a key to its workspace before any workspace is known. It holds digests of random keys, no credential and no tenant data.
create sequence access_seq;

create table access_keys (
  -- SHA-256 of the key. During a rotation a key has two rows.
  digest bytea primary key check (octet_length(digest) = 32),
  key_id text collate "C" not null,
  workspace_id text collate "C" not null,
  scopes text[] not null,
  -- Empty: from anywhere.
  cidrs text[] not null,
  expires_at timestamptz,
  -- End of the overlap of a rotation.
  ends_at timestamptz,
  revoked_at timestamptz,
  -- Event that last set scopes, CIDRs or end; ids of one stream rise, so an older event that comes again changes nothing.
  changed_by text collate "C" not null,
  -- Rises with each change, in the order of commits: writers take turns. Every process polls by it.
  seq bigint not null default nextval('access_seq')
);
-- What changed since a process last looked.
create unique index access_keys_seq_idx on access_keys (seq);
-- A key that is rotated, changed or revoked.
create index access_keys_key_idx on access_keys (key_id);
-- All keys of a workspace that has ended.
create index access_keys_workspace_idx on access_keys (workspace_id);
-- The removal of revoked keys (functions/prune-access.sql).
create index access_keys_revoked on access_keys (revoked_at) where revoked_at is not null;

-- Keys and workspaces that have ended, by their ids, so that a key whose making is told late (a dead letter that is replayed) never
-- lives. They and the rows of revoked keys go after 31 days: by then the log (7 days) and the dead letters (30 days) hold nothing
-- that was written before the end, and auth announces no ended key again.
create table access_ends (
  id text collate "C" primary key,
  ended_at timestamptz not null default app_now()
);
-- The removal of old ones.
create index access_ends_age on access_ends (ended_at);

grant select on access_keys to ${http_role};
grant select, insert, update on access_keys to ${worker_role};
grant usage on sequence access_seq to ${worker_role};
grant select, insert on access_ends to ${worker_role};
