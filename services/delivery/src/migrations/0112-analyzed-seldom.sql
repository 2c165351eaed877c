-- breaking: no
-- Rows of these are found by their keys alone, whatever the statistics say. An analyze of them costs what it reads, and every
-- session plans anew what it asks of them (decision 18).
alter table lanes set (autovacuum_analyze_scale_factor = 0.5, autovacuum_analyze_threshold = 100000);
alter table fan_out_queue set (autovacuum_analyze_scale_factor = 0.5, autovacuum_analyze_threshold = 100000);
alter table due set (autovacuum_analyze_scale_factor = 0.5, autovacuum_analyze_threshold = 100000);
alter table leases set (autovacuum_analyze_scale_factor = 0.5, autovacuum_analyze_threshold = 100000);

create or replace function make_partitions(p_day date) returns void language plpgsql security definer as $$
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
alter function make_partitions(date) set search_path = ${schema}, pg_temp;

do $$
declare t text;
begin
  for t in select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
            where i.inhparent in ('events'::regclass, 'deliveries'::regclass, 'dead_deliveries'::regclass, 'delivery_log'::regclass) loop
    execute format('alter table %I set (autovacuum_analyze_scale_factor = 0.5, autovacuum_analyze_threshold = 100000)', t);
  end loop;
end $$;
