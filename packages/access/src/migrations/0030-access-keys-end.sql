-- breaking: no
-- Keys and workspaces that have ended, by their ids, so that a key whose making is told late (a dead letter that is replayed) never
-- lives. They and the rows of revoked keys go after 31 days: by then the log (7 days) and the dead letters (30 days) hold nothing
-- that was written before the end, and auth announces no ended key again.
create table access_ends (
  id text collate "C" primary key,
  ended_at timestamptz not null default app_now()
);
insert into access_ends (id, ended_at)
  select key_id, max(revoked_at) from access_keys where revoked_at is not null group by key_id;
create index access_ends_age on access_ends (ended_at);
create index access_keys_revoked on access_keys (revoked_at) where revoked_at is not null;
grant select, insert on access_ends to ${worker_role};

-- The only way in which a row goes; at most `rows_max` of each table, and tells how many.
create function prune_access_keys(rows_max integer) returns integer language sql security definer
  set search_path = ${schema}, pg_temp as $$
  with keys as (
    delete from access_keys where digest in (
      select digest from access_keys where revoked_at < app_now() - interval '31 days' order by revoked_at limit rows_max)
      returning 1
  ), ends as (
    delete from access_ends where id in (
      select id from access_ends where ended_at < app_now() - interval '31 days' order by ended_at limit rows_max)
      returning 1
  )
  select (select count(*) from keys)::integer + (select count(*) from ends)::integer
$$;
revoke all on function prune_access_keys(integer) from public;
grant execute on function prune_access_keys(integer) to ${worker_role};
