-- breaking: no
-- The log in Postgres (stack.md 6). Runs as the owner of schema log; services reach it as members of wds_log_client only.
-- Most of it is analyzed seldom: rows are found by their keys alone, whatever the statistics say, and after an analyze every session
-- plans anew what it asks of them (decision 18).
grant usage on schema log to ${client_role};

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
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0.5, autovacuum_analyze_threshold = 100000);

-- day is the UTC day of the event id: an id belongs to one day for ever, so (event_id, day) is unique over all days. The days are
-- made by functions/make-days.sql.
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
create trigger records_append_only before update or delete on log.records for each row execute function log.refuse_change();
create trigger records_no_truncate before truncate on log.records for each statement execute function log.refuse_change();

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
-- Whether a newer row of the key exists (functions/compact.sql).
create index compacted_key on log.compacted (topic, key, off);
create trigger compacted_append_only before update on log.compacted for each row execute function log.refuse_change();
create trigger compacted_no_truncate before truncate on log.compacted for each statement execute function log.refuse_change();

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
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0.5, autovacuum_analyze_threshold = 100000);

grant select, insert on log.settings, log.heads, log.records, log.compacted to ${client_role};
grant update (off) on log.heads to ${client_role};
grant select, insert, update on log.claims to ${client_role};
grant select, insert, update, delete on log.members to ${client_role};
-- A start compares the history with what its code brings, so that no service speaks through a log that it does not know.
grant select on log.migrations, log.applied_functions to ${client_role};
