-- Drops the days older than keep_days that every group has passed, and names them.
create or replace function log.drop_days(keep_days integer default 7)
returns text[]
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set lock_timeout = '2s'
as $$
declare
  t record;
  unread boolean;
  dropped text[] := '{}';
begin
  if keep_days < 7 then
    raise exception 'days are kept for at least 7 days';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('log.make_days', 0));
  for t in
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'log.records'::regclass
      and c.relname < 'records_' || to_char((clock_timestamp() at time zone 'UTC')::date - keep_days, 'YYYYMMDD')
    order by c.relname
  loop
    execute format('select exists (select from log.claims c where exists (select from log.%I r
      where r.topic = c.topic and r.partition = c.partition and r.off > c.off))', t.name) into unread;
    if not unread then
      execute format('drop table log.%I', t.name);
      dropped := dropped || t.name::text;
    end if;
  end loop;
  return dropped;
end $$;
revoke execute on function log.drop_days from public;
grant execute on function log.drop_days to ${client_role};
