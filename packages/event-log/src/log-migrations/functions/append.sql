-- Appends records in the order of the arrays and leaves out those whose event id the log holds. The statements after the
-- lock take fresh snapshots, so they see what the last holder of the heads left. Returns how many were appended.
-- The tables fill and are emptied all the time: the plan goes by their keys, whatever they held when it was made; for arrays of few
-- rows a plan of its own looks cheaper, and making it cost a third of the call.
create or replace function log.append(in_compacted boolean, topics text[], partitions integer[], keys text[], ids text[], days date[],
  headers text[], payloads bytea[])
returns bigint
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  missing date[];
  seen text[];
  appended bigint;
begin
  if not in_compacted then
    select array_agg(d) into missing from (select distinct unnest(append.days) as d) x
      where to_regclass('log.records_' || to_char(d, 'YYYYMMDD')) is null;
    if missing is not null then
      perform log.make_days(missing);
    end if;
  end if;
  perform from log.heads h
    where (h.topic, h.partition) in (select t, p from unnest(append.topics, append.partitions) as u(t, p))
    order by h.topic, h.partition for update;
  if in_compacted then
    select coalesce(array_agg(r.event_id), '{}') into seen from log.compacted r where r.event_id = any(append.ids);
  else
    select coalesce(array_agg(r.event_id), '{}') into seen from log.records r
      where r.event_id = any(append.ids) and r.day = any(append.days);
  end if;
  with input as (
    select u.*, row_number() over (partition by u.topic, u.partition order by u.ord) as n
    from unnest(append.topics, append.partitions, append.keys, append.ids, append.days, append.headers, append.payloads)
      with ordinality as u(topic, partition, key, event_id, day, headers, payload, ord)
    where u.event_id <> all(seen)
  ), moved as (
    update log.heads h set off = h.off + c.n
    from (select i.topic, i.partition, count(*) as n from input i group by 1, 2) c
    where h.topic = c.topic and h.partition = c.partition
    returning h.topic, h.partition, h.off - c.n as base
  ), placed as (
    select i.topic, i.partition, m.base + i.n as off, i.key, i.event_id, i.day, i.headers::json as headers, i.payload
    from input i join moved m on m.topic = i.topic and m.partition = i.partition
  ), to_compacted as (
    insert into log.compacted (topic, partition, off, key, event_id, day, headers, payload)
    select * from placed where in_compacted
  ), to_records as (
    insert into log.records (topic, partition, off, key, event_id, day, headers, payload)
    select * from placed where not in_compacted
  )
  select count(*) into appended from placed;
  return appended;
end $$;
revoke execute on function log.append from public;
grant execute on function log.append to ${client_role};
