-- The only way in which a row goes; at most `rows_max` of each table, and tells how many. Indexes access_keys_revoked, access_ends_age and
-- access_denials_ends; of signing keys there are a handful.
create or replace function prune_access(rows_max integer)
returns integer
language sql security definer
set search_path = ${schema}, pg_temp
as $$
  with keys as (
    delete from access_keys where digest in (
      select digest from access_keys where revoked_at < app_now() - interval '31 days' order by revoked_at limit rows_max)
      returning 1
  ), ends as (
    delete from access_ends where id in (
      select id from access_ends where ended_at < app_now() - interval '31 days' order by ended_at limit rows_max)
      returning 1
  ), denials as (
    delete from access_denials where (kind, id) in (
      select kind, id from access_denials where ends_at < app_now() order by ends_at limit rows_max)
      returning 1
  ), signing_keys as (
    delete from access_signing_keys where retired_at < app_now() - interval '31 days' returning 1
  )
  select (select count(*) from keys)::integer + (select count(*) from ends)::integer
    + (select count(*) from denials)::integer + (select count(*) from signing_keys)::integer
$$;
revoke execute on function prune_access from public;
grant execute on function prune_access to ${worker_role};
