-- breaking: no
-- How many requests of a caller were let through in its window (api-conventions.md 8, decision 26). A global table, without a
-- policy by workspace: most of what it counts has none. It holds counts, ids of keys and addresses, and is emptied as windows
-- end. Unlogged: a count is worth no write ahead, and after a crash of the database everybody begins anew.
create unlogged table request_quotas (
  -- Workspace and client, or source address.
  caller text collate "C" primary key,
  window_start timestamptz not null,
  -- What processes took in advance included, and what was asked for beyond the quota.
  used bigint not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
grant select, insert, update on request_quotas to ${http_role};
grant select, delete on request_quotas to ${worker_role};
