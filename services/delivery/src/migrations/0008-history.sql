-- breaking: no
-- Numbers of attempts, and dead letters by cause (decision 49).

-- How many attempts ended in an hour, by what came of them and how long they took. Written by settle, kept for longer than the log.
-- result: `succeeded`, `unknown`, or the error class of a failed one. within_ms: the bound of its duration below which it took, of
-- those in settle.sql; 0: not known.
create table attempt_counts (
  workspace_id text collate "C" not null,
  subscription_id text collate "C" not null,
  hour timestamptz(0) not null,
  result text not null,
  within_ms int not null,
  attempts int not null,
  primary key (subscription_id, hour, result, within_ms, workspace_id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);

alter table attempt_counts enable row level security, force row level security;
create policy engine on attempt_counts to ${worker_role} using (true) with check (true);
create policy by_workspace on attempt_counts to ${http_role} using (workspace_id = current_setting('app.workspace_id', true));
grant select on attempt_counts to ${http_role};
grant select, insert, update, delete on attempt_counts to ${worker_role};

-- What dead letters are filtered and grouped by stands beside them: to count 100,000 of them reads no delivery. Null in what
-- a settle lists between this migration and the functions that follow it; `rebuild-projection` fills it in.
alter table dead_deliveries
  add column subscription_id text collate "C",
  add column event_type text,
  add column dead_reason text,
  add column last_status int,
  add column last_error_code text;
-- Not even the owner sees rows while these tables are protected from it.
alter table dead_deliveries no force row level security;
alter table deliveries no force row level security;
update dead_deliveries x set subscription_id = d.subscription_id, event_type = d.event_type, dead_reason = d.dead_reason,
       last_status = d.last_status, last_error_code = d.last_error_code
  from deliveries d where d.event_day = x.event_day and d.delivery_id = x.delivery_id and d.workspace_id = x.workspace_id;
alter table deliveries force row level security;
alter table dead_deliveries force row level security;
