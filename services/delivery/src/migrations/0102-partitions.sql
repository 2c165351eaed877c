-- breaking: no
-- Days are made ahead and dropped by the owner's functions (delivery.md, The log). Partitions inherit no row-level security
-- and nobody gets rights on them: every access goes through the parent.
create function make_partitions(p_day date) returns void language plpgsql security definer set search_path = ${schema}, pg_temp as $$
declare t text; name text;
begin
  foreach t in array array['events', 'deliveries', 'dead_deliveries', 'delivery_log'] loop
    name := t || to_char(p_day, '_YYYYMMDD');
    if to_regclass(format('%I.%I', '${schema}', name)) is not null then continue; end if;
    execute format('create table if not exists %I partition of %I for values from (%L) to (%L) with (fillfactor = %s)',
      name, t, p_day, p_day + 1, case t when 'deliveries' then 80 else 100 end); -- room to update a delivery in place
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
  end loop;
end $$;

-- The days that exist, by the catalog.
create function partition_days() returns setof date language sql stable set search_path = ${schema}, pg_temp as $$
  select to_date(right(c.relname, 8), 'YYYYMMDD') from pg_inherits i join pg_class c on c.oid = i.inhrelid
   where i.inhparent = 'events'::regclass order by 1
$$;

-- Drops the days before p_before that no row of the queues points into; returns what was dropped. Refuses anything younger
-- than the retention of 32 days.
create function drop_partitions(p_before date) returns setof date language plpgsql security definer set search_path = ${schema}, pg_temp as $$
declare d date; t text;
begin
  if p_before > (app_now() at time zone 'utc')::date - 32 then raise exception 'retention is 32 days'; end if;
  for d in select * from partition_days() loop
    exit when d >= p_before;
    -- Whoever writes into the day holds a lock on its partition until it commits: after this lock the queues are judged for good.
    foreach t in array array['events', 'deliveries', 'dead_deliveries', 'delivery_log'] loop
      execute format('lock table %I in access exclusive mode', t || to_char(d, '_YYYYMMDD'));
    end loop;
    if exists (select 1 from due where event_day = d) or exists (select 1 from leases where event_day = d)
       or exists (select 1 from fan_out_queue where event_day = d) then continue; end if;
    foreach t in array array['events', 'deliveries', 'dead_deliveries', 'delivery_log'] loop
      execute format('drop table %I', t || to_char(d, '_YYYYMMDD'));
    end loop;
    return next d;
  end loop;
end $$;
revoke execute on function make_partitions(date), drop_partitions(date), partition_days() from public;
grant execute on function make_partitions(date), drop_partitions(date), partition_days() to ${worker_role};
