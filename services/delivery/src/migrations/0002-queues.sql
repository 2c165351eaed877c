-- breaking: no
-- The hot tables: narrow, no foreign key (its check would lock lanes out of order), free space for updates in place. Lock order
-- everywhere: workspace row, lane rows by id, the rest; whoever writes a row of `due` or `leases` holds the row lock of its lane.
-- They are analyzed seldom: their rows are found by their keys alone, whatever the statistics say, and after an analyze every session
-- plans anew what it asks of them (decision 18).
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
  failing_since timestamptz,                                 -- every attempt since then failed (settled-points.md 7)
  last_delivered timestamptz,
  failed_deliveries int not null default 0,                  -- with a failed attempt since failing_since (domain.md 5.53)
  held_since timestamptz,                                    -- attempts cannot be made here; one that was signed ends it
  last_failed timestamptz,                                   -- an attempt: 5 days after failing_since or later it is disabled
  primary key (subscription_id, workspace_id)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0.5, autovacuum_analyze_threshold = 100000);
-- Lanes to claim from. Idle lanes are not in it, so they cost nothing.
create index lanes_due on lanes (next_due) where next_due < 'infinity';
-- Lanes of disabled and deleted subscriptions in which something waits: it is ended.
create index lanes_parked on lanes (subscription_id) where ready_at = 'infinity' and next_due < 'infinity';
-- How many lanes are held and since when the first one is.
create index lanes_held on lanes (held_since) where held_since is not null;

-- Events not yet fanned out. about: the subscription that a `webhook.*` event speaks of and must not go to (domain.md 5).
create table fan_out_queue (
  workspace_id text collate "C" not null,
  event_id text collate "C" not null,
  event_day date not null,
  type text not null,
  about text,
  primary key (workspace_id, event_id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
  autovacuum_analyze_scale_factor = 0.5, autovacuum_analyze_threshold = 100000);

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
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000,
  autovacuum_analyze_scale_factor = 0.5, autovacuum_analyze_threshold = 100000);

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
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
  autovacuum_analyze_scale_factor = 0.5, autovacuum_analyze_threshold = 100000);
