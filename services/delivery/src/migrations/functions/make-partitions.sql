-- Makes the partitions of a day, which is done ahead. A partition inherits no row-level security and nobody gets rights on it:
-- every access goes through the parent. It locks four tables against everybody, one after another, while settles and reads take
-- the same ones in other orders. So it gives way, well before anybody's deadlock_timeout (1 s): it fails, nobody else does, and
-- it is tried again.
create or replace function make_partitions(p_day date)
returns void
language plpgsql security definer
set search_path = ${schema}, pg_temp
set lock_timeout = '500ms'
as $$
declare t text; name text;
begin
  foreach t in array array['events', 'deliveries', 'dead_deliveries', 'delivery_log'] loop
    name := t || to_char(p_day, '_YYYYMMDD');
    if to_regclass(format('%I.%I', '${schema}', name)) is not null then continue; end if;
    execute format('create table if not exists %I partition of %I for values from (%L) to (%L) with (fillfactor = %s, '
                   'autovacuum_analyze_scale_factor = 0.5, autovacuum_analyze_threshold = 100000)',
      name, t, p_day, p_day + 1, case t when 'deliveries' then 80 else 100 end); -- room to update a delivery in place
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
  end loop;
end $$;
revoke execute on function make_partitions from public;
grant execute on function make_partitions to ${worker_role};
