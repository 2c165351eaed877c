-- breaking: no
-- Up to when the tables are known to hold everything that auth told (auth.md 5.7). One row, which the worker writes every second and each
-- process reads with its changes. Analyzed and vacuumed seldom: its one page is pruned as it is read (decision 18).
create table access_log_end (
  one boolean primary key default true check (one),
  -- What auth had answered for at this instant (clock_timestamp()) has taken effect; null: not known.
  seen_at timestamptz,
  -- The log was away, or auth did not get to it: what was revoked meanwhile may be known to auth alone, until it says otherwise.
  needs_auth boolean not null default false,
  -- A worker found that the log has lost records: until then nobody says that its end was seen.
  lost_until timestamptz not null default '-infinity'
) with (fillfactor = 10, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 100000);
insert into access_log_end default values;

grant select on access_log_end to ${http_role};
grant select, update on access_log_end to ${worker_role};
