-- breaking: no
-- Events, deliveries and their log, in partitions by the UTC day inside the event's id (functions/make-partitions.sql).
--
-- Each day begins with empty partitions, and a plan that was made over empty tables is kept by the session while they fill: settles
-- read every delivery of the workspace through the history's index, 1,500 µs of CPU for each delivery instead of 50. So only one
-- index can serve a lookup by (event_day, delivery_id):
-- * the workspace of a row found by its key is compared as `workspace_id || ''`, which no index serves;
-- * the id of a delivery is made from event and subscription, so the primary key alone keeps a pair from being delivered twice.

-- payload: the exact bytes that every attempt sends.
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

-- The fold of delivery_log, stored. delivery_id carries the time of its event's id: a read by id touches one partition.
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
  seq int not null default 1,                                -- log rows folded in
  priority smallint not null default 0,
  next_attempt timestamptz,
  delivered timestamptz,
  dead timestamptz,
  dead_reason text,
  last_outcome text,
  last_status int,
  last_error_code text,
  failed_from timestamptz,                                   -- first failed attempt since the lane's failing_since; no part of the fold
  primary key (event_day, delivery_id, workspace_id)
) partition by range (event_day);
-- The list of one subscription, newest event first, and whether any delivery of it is left. No column that settle writes is in an
-- index, so a delivery is updated in place.
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
  repeated boolean not null default false,                   -- sent a second time within the attempt (reliability.md F33)
  primary key (event_day, delivery_id, seq, workspace_id)
) partition by range (event_day);
create trigger append_only before update or delete on delivery_log for each row execute function refuse_change();
create trigger never_truncated before truncate on delivery_log for each statement execute function refuse_change();

-- Announcements that tell of no event in a stream (webhook.delivery_exhausted), as they were put into the outbox: for `republish`
-- after the log lost records. Kept for 8 days, a day longer than the log keeps its own.
create table kept_announcements (
  event_id text collate "C" not null,
  workspace_id text collate "C" not null,
  topic text collate "C" not null,
  key text collate "C" not null,
  headers json not null,
  payload bytea not null,
  primary key (event_id, workspace_id)
);
