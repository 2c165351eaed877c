-- breaking: no
-- What the delivery engine holds (delivery.md, stack.md 7). Lock order everywhere: workspace row, lane rows by id, the rest;
-- whoever writes a row of `due` or `leases` holds the row lock of its lane. Ids are unique by themselves and lead each key;
-- the workspace is part of every key, so none of them reveals or joins another workspace's rows (security.md 4).
create table workspaces (
  workspace_id text collate "C" primary key,
  subscriptions_version bigint not null default 1
) with (fillfactor = 70);

create table subscriptions (
  workspace_id text collate "C" not null references workspaces (workspace_id),
  subscription_id text collate "C" not null,
  status text not null check (status in ('enabled', 'disabled', 'deleted')),
  disabled_reason text,
  url text not null,
  events text[] not null,
  description text,
  headers jsonb not null,
  rate_limit int,
  max_in_flight int not null,
  owner_type text not null,
  owner_id text not null,
  version int not null,
  created timestamptz(3) not null,
  updated timestamptz(3) not null,
  primary key (subscription_id, workspace_id)
);
create index subscriptions_list on subscriptions (workspace_id, created desc, subscription_id desc) where status <> 'deleted';

-- ciphertext: the envelope of security.md 3. expires: end of the overlap after a rotation (decisions.md 12).
create table subscription_secrets (
  workspace_id text collate "C" not null,
  subscription_id text collate "C" not null,
  secret_id text collate "C" not null,
  version int not null,
  ciphertext text not null,
  hint text not null,
  created timestamptz(3) not null,
  expires timestamptz(3),
  primary key (subscription_id, workspace_id, secret_id),
  foreign key (subscription_id, workspace_id) references subscriptions (subscription_id, workspace_id)
);

-- Hot from here on: narrow, no foreign key (its check would lock lanes out of order), free space for updates in place.
create table lanes (
  workspace_id text collate "C" not null,
  subscription_id text collate "C" not null,
  max_in_flight int not null default 8,
  cap int not null default 2,                                -- grows by one per success, 1 = half open
  in_flight int not null default 0 check (in_flight >= 0),   -- = rows in leases
  failures int not null default 0,                           -- timeouts and refused connections in a row
  timed_out boolean not null default false,                  -- the last attempt did
  rate real,                                                 -- attempts per second, null = no limit
  ready_at timestamptz not null default '-infinity',         -- infinity: parked; else when the rate limit gives its next turn
  next_due timestamptz not null default 'infinity',          -- never later than the earliest row in due
  last_served timestamptz not null default '-infinity',
  failing_since timestamptz,                                 -- every attempt since then failed (decisions.md 7)
  last_delivered timestamptz,
  primary key (subscription_id, workspace_id)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
create index lanes_due on lanes (next_due) where next_due < 'infinity'; -- idle lanes are not in it, so they cost nothing
create index lanes_parked on lanes (subscription_id) where ready_at = 'infinity' and next_due < 'infinity';

-- payload: the exact bytes that every attempt sends. event_day: the UTC day inside the event's id.
create table events (
  event_day date not null,
  workspace_id text collate "C" not null,
  event_id text collate "C" not null,
  type text not null,
  payload bytea not null,
  traceparent text,
  created timestamptz(3) not null,
  primary key (event_day, event_id, workspace_id)
) partition by range (event_day);

-- Events not yet fanned out. about: the subscription that a `webhook.*` event speaks of and must not go to (domain.md 5).
create table fan_out_queue (
  workspace_id text collate "C" not null,
  event_id text collate "C" not null,
  event_day date not null,
  type text not null,
  about text,
  primary key (workspace_id, event_id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- The fold of delivery_log, stored. delivery_id carries the time of its event's id: a read by id touches one partition.
-- seq: log rows folded in.
create table deliveries (
  event_day date not null,
  workspace_id text collate "C" not null,
  delivery_id text collate "C" not null,
  event_id text collate "C" not null,
  event_type text not null,
  subscription_id text collate "C" not null,
  status text not null check (status in ('pending', 'retry', 'replay', 'delivered', 'dead')),
  epoch int not null default 1,
  attempt int not null default 0,
  attempts_total int not null default 0,
  seq int not null default 1,
  priority smallint not null default 0,
  next_attempt timestamptz,
  delivered timestamptz,
  dead timestamptz,
  dead_reason text,
  last_outcome text,
  last_status int,
  last_error_code text,
  primary key (event_day, delivery_id, workspace_id),
  unique (event_day, event_id, subscription_id, workspace_id)
) partition by range (event_day);
-- No column that settle writes is in an index, so a delivery is updated in place.
create index deliveries_history on deliveries (workspace_id, subscription_id, event_id desc);

-- The dead ones apart, so that the list across the workspace needs no index on what every settle changes.
create table dead_deliveries (
  event_day date not null,
  workspace_id text collate "C" not null,
  delivery_id text collate "C" not null,
  primary key (event_day, workspace_id, delivery_id)
) partition by range (event_day);

-- Append-only; the key stops two writers from telling two stories.
create table delivery_log (
  event_day date not null,
  workspace_id text collate "C" not null,
  delivery_id text collate "C" not null,
  seq int not null,
  kind text not null,
  epoch int not null,
  attempt int not null,
  at timestamptz not null,
  next_attempt timestamptz,
  dead_reason text,
  requested_by text,
  attempt_id text,
  started timestamptz,
  duration_ms int,
  url text,
  signature_timestamp bigint,
  response_status int,
  response_excerpt text,
  error_code text,
  trace_id text,
  primary key (event_day, delivery_id, seq, workspace_id)
) partition by range (event_day);
create function refuse_change_of_log() returns trigger language plpgsql as $$
begin
  raise exception 'delivery_log is append-only' using errcode = 'insufficient_privilege';
end $$;
create trigger append_only before update or delete on delivery_log for each row execute function refuse_change_of_log();
create trigger never_truncated before truncate on delivery_log for each statement execute function refuse_change_of_log();

-- Waiting rows only; the one index is the lane's queue. attempt: the number of the coming one.
create table due (
  workspace_id text collate "C" not null,
  subscription_id text collate "C" not null,
  priority smallint not null,
  due_at timestamptz not null,
  delivery_id text collate "C" not null,
  event_day date not null,
  event_id text collate "C" not null,
  epoch int not null,
  attempt int not null,
  primary key (subscription_id, priority, due_at, delivery_id, workspace_id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);

-- A claim moves the row here. ending: the subscription was disabled or deleted meanwhile.
create table leases (
  workspace_id text collate "C" not null,
  subscription_id text collate "C" not null,
  delivery_id text collate "C" not null,
  claim_id uuid not null,
  lease_end timestamptz not null,
  started timestamptz not null,
  priority smallint not null,
  due_at timestamptz not null,
  event_day date not null,
  event_id text collate "C" not null,
  epoch int not null,
  attempt int not null,
  ending text,
  primary key (subscription_id, delivery_id, workspace_id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- Roles own nothing. HTTP sees its workspace; the worker crosses workspaces on these tables alone. The owner, which is
-- forced too, reads the three queues: it must not drop a day that one of them points into.
do $$
declare t text;
begin
  foreach t in array array['workspaces', 'subscriptions', 'subscription_secrets', 'lanes', 'events', 'fan_out_queue',
                           'deliveries', 'dead_deliveries', 'delivery_log', 'due', 'leases'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy by_workspace on %I to ${http_role} using (workspace_id = current_setting(''app.workspace_id'', true)) '
                   'with check (workspace_id = current_setting(''app.workspace_id'', true))', t);
    execute format('create policy engine on %I to ${worker_role} using (true) with check (true)', t);
  end loop;
  foreach t in array array['fan_out_queue', 'due', 'leases'] loop
    execute format('create policy partition_guard on %I for select to current_user using (true)', t);
  end loop;
end $$;
grant select, insert, update on workspaces, subscriptions, subscription_secrets, lanes to ${http_role};
grant select on events to ${http_role};
grant select, update on deliveries, leases to ${http_role};
grant select, insert on delivery_log to ${http_role};
grant select, insert, delete on dead_deliveries, due to ${http_role};
grant select, insert, update on workspaces, lanes to ${worker_role};
grant select, update on subscriptions to ${worker_role};
grant select on subscription_secrets to ${worker_role};
grant select, insert on events to ${worker_role};
grant select, insert, delete on fan_out_queue, dead_deliveries, due to ${worker_role};
grant select, insert, update on deliveries to ${worker_role};
grant select, insert, update, delete on leases to ${worker_role};
grant select, insert on delivery_log to ${worker_role};
