-- breaking: no
-- When a key was last let in, as the services that are called tell (topic access.used). Beside api_keys, which is a fold of its streams.
create table api_key_uses (
  workspace_id text collate "C" not null,
  key_id text collate "C" not null,
  -- To the minute.
  last_used timestamptz not null,
  primary key (workspace_id, key_id)
);
-- The removal of those whose key is gone.
create index api_key_uses_old on api_key_uses (last_used);

alter table api_key_uses enable row level security, force row level security;
create policy by_workspace on api_key_uses for select to ${http_role}
  using (workspace_id = current_setting('app.workspace_id', true));
create policy told_of_all on api_key_uses to ${worker_role} using (true) with check (true);
grant select on api_key_uses to ${http_role};
grant select, insert, update, delete on api_key_uses to ${worker_role};

-- A key that nobody used for 365 days is revoked by the worker.
create policy idle_read on api_keys for select to ${worker_role}
  using (status = 'live' and updated < app_now() - interval '365 days');
grant update on api_keys to ${worker_role};
