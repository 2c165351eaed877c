-- Makes the day partitions that are missing. Attaching takes no lock that stops readers or writers; the advisory lock
-- keeps two makers apart. Days are analyzed seldom, as the tables are (0001-log.sql).
create or replace function log.make_days(days date[])
returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
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
revoke execute on function log.make_days from public;
grant execute on function log.make_days to ${client_role};

-- The days around now exist from the beginning.
select log.make_days(array(select (clock_timestamp() at time zone 'UTC')::date + n from generate_series(-1, 3) n));
