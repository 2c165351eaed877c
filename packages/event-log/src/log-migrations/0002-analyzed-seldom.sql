-- breaking: no
-- Rows of these are found by their keys alone, whatever the statistics say. An analyze of them costs what it reads, and every
-- session plans anew what it asks of them (decision 18).
alter table log.heads set (autovacuum_analyze_scale_factor = 0.5, autovacuum_analyze_threshold = 100000);
alter table log.claims set (autovacuum_analyze_scale_factor = 0.5, autovacuum_analyze_threshold = 100000);

create or replace function log.make_days(days date[]) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  d date;
  t text;
begin
  if cardinality(days) > 100 then
    raise exception 'at most 100 days at a time';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('log.make_days', 0));
  foreach d in array days loop
    if d < date '2020-01-01' or d > date '2199-12-31' then
      raise exception 'no day of an event id: %', d;
    end if;
    t := 'records_' || to_char(d, 'YYYYMMDD');
    if to_regclass('log.' || t) is null then
      execute format('create table log.%I (like log.records including defaults including constraints)
        with (autovacuum_analyze_scale_factor = 0.5, autovacuum_analyze_threshold = 100000)', t);
      execute format('alter table log.records attach partition log.%I for values from (%L) to (%L)', t, d, d + 1);
    end if;
  end loop;
end $$;

do $$
declare t text;
begin
  for t in select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'log.records'::regclass loop
    execute format('alter table log.%I set (autovacuum_analyze_scale_factor = 0.5, autovacuum_analyze_threshold = 100000)', t);
  end loop;
end $$;
