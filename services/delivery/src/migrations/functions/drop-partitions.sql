-- Drops the days before p_before that no row of the queues points into; returns what was dropped. Refuses anything younger
-- than the retention of 32 days. It gives way as make_partitions does.
create or replace function drop_partitions(p_before date)
returns setof date
language plpgsql security definer
set search_path = ${schema}, pg_temp
set lock_timeout = '500ms'
as $$
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
revoke execute on function drop_partitions from public;
grant execute on function drop_partitions to ${worker_role};
