-- breaking: no
-- The log in Postgres (stack.md 6). Runs as the owner of schema log; services reach it as members of wds_log_client only.
grant usage on schema log to wds_log_client;

create table log.settings (
  name text primary key,
  value text not null
);

-- off is the offset of the last record, -1 when there is none. The row stays locked until the commit of whoever appends:
-- offsets are dense and become visible in order.
create table log.heads (
  topic text collate "C" not null,
  partition integer not null check (partition >= 0),
  off bigint not null default -1,
  primary key (topic, partition)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- day is the UTC day of the event id: an id belongs to one day for ever, so (event_id, day) is unique over all days.
create table log.records (
  topic text collate "C" not null,
  partition integer not null,
  off bigint not null,
  key text collate "C" not null,
  event_id text collate "C" not null,
  day date not null,
  headers json not null,
  payload bytea,
  appended_at timestamptz not null default clock_timestamp(),
  primary key (topic, partition, off, day),
  unique (event_id, day)
) partition by range (day);

create table log.compacted (
  topic text collate "C" not null,
  partition integer not null,
  off bigint not null,
  key text collate "C" not null,
  event_id text collate "C" not null unique,
  day date not null,
  headers json not null,
  payload bytea,
  appended_at timestamptz not null default clock_timestamp(),
  primary key (topic, partition, off)
);
create index compacted_key on log.compacted (topic, key, off);

create table log.members (
  group_name text collate "C" not null,
  member_id text collate "C" not null,
  topics text[] not null,
  expires_at timestamptz not null,
  primary key (group_name, member_id)
);

-- One row per group and partition. epoch rises with every claim and fences what a former holder still writes; off is the
-- group's position for display and for the drop of old days, never the truth of a consumer.
create table log.claims (
  group_name text collate "C" not null,
  topic text collate "C" not null,
  partition integer not null,
  member_id text collate "C",
  epoch bigint not null default 0,
  lease_until timestamptz not null default '-infinity',
  off bigint not null default -1,
  primary key (group_name, topic, partition)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

create function log.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'log.% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end $$;
create trigger records_append_only before update or delete on log.records for each row execute function log.refuse_change();
create trigger records_no_truncate before truncate on log.records for each statement execute function log.refuse_change();
create trigger compacted_append_only before update on log.compacted for each row execute function log.refuse_change();
create trigger compacted_no_truncate before truncate on log.compacted for each statement execute function log.refuse_change();

-- Makes the day partitions that are missing. Attaching takes no lock that stops readers or writers; the advisory lock
-- keeps two makers apart.
create function log.make_days(days date[]) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
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
      execute format('create table log.%I (like log.records including defaults including constraints)', t);
      execute format('alter table log.records attach partition log.%I for values from (%L) to (%L)', t, d, d + 1);
    end if;
  end loop;
end $$;

-- Drops the days older than keep_days that every group has passed, and names them.
create function log.drop_days(keep_days integer default 7) returns text[] language plpgsql security definer
  set search_path = pg_catalog, pg_temp set lock_timeout = '2s' as $$
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

-- Removes superseded rows of compacted topics that are older than keep. They stay that long because their event ids
-- recognise a repeated publish.
create function log.compact(keep interval default '7 days') returns bigint language plpgsql security definer
  set search_path = pg_catalog, pg_temp as $$
declare
  removed bigint;
begin
  delete from log.compacted c where c.appended_at < clock_timestamp() - keep
    and exists (select from log.compacted n where n.topic = c.topic and n.key = c.key and n.off > c.off);
  get diagnostics removed = row_count;
  return removed;
end $$;

-- Ends a group that will never come back (a renamed consumer), which else would keep old days for ever. Owner only.
create function log.forget_group(name text) returns void language sql as $$
  delete from log.members where group_name = name;
  delete from log.claims where group_name = name;
$$;

-- Appends records in the order of the arrays and leaves out those whose event id the log holds. The statements after the
-- lock take fresh snapshots, so they see what the last holder of the heads left. Returns how many were appended.
create function log.append(in_compacted boolean, topics text[], partitions integer[], keys text[], ids text[], days date[],
  headers text[], payloads bytea[]) returns bigint language plpgsql as $$
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
  if in_compacted then
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
    )
    insert into log.compacted (topic, partition, off, key, event_id, day, headers, payload)
    select i.topic, i.partition, m.base + i.n, i.key, i.event_id, i.day, i.headers::json, i.payload
    from input i join moved m on m.topic = i.topic and m.partition = i.partition;
  else
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
    )
    insert into log.records (topic, partition, off, key, event_id, day, headers, payload)
    select i.topic, i.partition, m.base + i.n, i.key, i.event_id, i.day, i.headers::json, i.payload
    from input i join moved m on m.topic = i.topic and m.partition = i.partition;
  end if;
  get diagnostics appended = row_count;
  return appended;
end $$;

revoke all on all functions in schema log from public;
grant execute on function log.make_days(date[]), log.drop_days(integer), log.compact(interval),
  log.append(boolean, text[], integer[], text[], text[], date[], text[], bytea[]) to wds_log_client;
grant select, insert on log.settings, log.heads, log.records, log.compacted to wds_log_client;
grant update (off) on log.heads to wds_log_client;
grant select, insert, update on log.claims to wds_log_client;
grant select, insert, update, delete on log.members to wds_log_client;

select log.make_days(array(select (clock_timestamp() at time zone 'UTC')::date + n from generate_series(-1, 3) n));
