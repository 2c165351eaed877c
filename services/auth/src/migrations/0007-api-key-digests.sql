-- breaking: no
-- Which key a text belongs to, from the moment of its making: a service asks for a key that the log has not told it of yet (auth.md 5.4). A
-- global table, without a policy by workspace: the digest is looked up before any workspace is known. It holds digests of random keys.
create table api_key_digests (
  -- SHA-256 of the key.
  digest bytea primary key check (octet_length(digest) = 32),
  workspace_id text collate "C" not null,
  key_id text collate "C" not null,
  -- End of the overlap of a rotation.
  ends_at timestamptz,
  foreign key (workspace_id, key_id) references api_keys (workspace_id, key_id) on delete cascade
);
-- The texts of a key that is rotated or removed.
create index api_key_digests_key on api_key_digests (workspace_id, key_id);

grant select, insert, update on api_key_digests to ${http_role};
