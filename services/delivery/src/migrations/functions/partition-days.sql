-- The days that exist, by the catalog.
create or replace function partition_days()
returns setof date
language sql stable
set search_path = ${schema}, pg_temp
as $$
  select to_date(right(c.relname, 8), 'YYYYMMDD') from pg_inherits i join pg_class c on c.oid = i.inhrelid
   where i.inhparent = 'events'::regclass order by 1
$$;
revoke execute on function partition_days from public;
grant execute on function partition_days to ${worker_role};
