-- breaking: no
-- What of auth's events decides about access tokens (auth.md 5). Global tables, as access_keys is one.

-- Which tokens are refused before their time. A row stays for 1 h 1 min after the event: as long as a token of before it lives, and the
-- tolerance of clocks.
create table access_denials (
  kind text collate "C" not null check (kind in ('token', 'grant', 'client', 'scopes', 'member', 'user', 'workspace')),
  -- jti; grant or session; client id, for 'scopes' too; '<workspace> <user>'; user; workspace.
  id text collate "C" not null,
  -- Tokens pass again. The row stays, so that an older event that comes again denies nothing.
  lifted boolean not null,
  -- 'member': the lowest member_rev that passes.
  rev_min integer check ((rev_min is not null) = (kind = 'member')),
  -- 'scopes': a token that was issued before passes with these alone.
  issued_before timestamptz check ((issued_before is not null) = (kind = 'scopes')),
  scopes text[] check ((scopes is not null) = (kind = 'scopes')),
  -- Event that last denied or lifted; ids of one stream rise.
  changed_by text collate "C" not null,
  ends_at timestamptz not null,
  seq bigint not null default nextval('access_seq'),
  primary key (kind, id)
);
-- What changed since a process last looked.
create unique index access_denials_seq_idx on access_denials (seq);
-- The removal of what is over (functions/prune-access.sql).
create index access_denials_ends on access_denials (ends_at);

-- The public keys of access tokens, so that none is asked for on the way of a request.
create table access_signing_keys (
  kid text collate "C" primary key,
  jwk jsonb not null,
  retired_at timestamptz,
  seq bigint not null default nextval('access_seq')
);
-- What changed since a process last looked.
create unique index access_signing_keys_seq_idx on access_signing_keys (seq);

grant select on access_denials, access_signing_keys to ${http_role};
grant select, insert, update on access_denials, access_signing_keys to ${worker_role};
