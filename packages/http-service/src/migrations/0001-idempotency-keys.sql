-- breaking: no
-- Answers of POSTs with an Idempotency-Key, written in the transaction of their effect (api-conventions.md 5).
-- key_hash: SHA-256 over client, method, path and key. body: the answer's exact text, an envelope where secret is true.
create table idempotency_keys (
  workspace_id text collate "C" not null,
  key_hash text collate "C" not null,
  fingerprint text collate "C" not null,
  status smallint not null check (status between 200 and 299),
  headers jsonb not null,
  body text,
  secret boolean not null,
  created timestamptz not null default app_now(),
  primary key (workspace_id, key_hash)
);

-- The removal of what has ended.
create index idempotency_keys_created on idempotency_keys (created);

alter table idempotency_keys enable row level security, force row level security;

create policy workspace on idempotency_keys to ${http_role}
  using (workspace_id = current_setting('app.workspace_id', true));

-- The worker sees and removes nothing but what has ended.
create policy ended on idempotency_keys for select to ${worker_role} using (created <= app_now() - interval '24 hours');
create policy purge on idempotency_keys for delete to ${worker_role} using (created <= app_now() - interval '24 hours');

grant select, insert, update, delete on idempotency_keys to ${http_role};
grant select, delete on idempotency_keys to ${worker_role};
