-- breaking: no
-- What a consumer keeps in its service's schema (architecture.md 6). positions and inbox hold no tenant data.

-- event_id: the record that stands at the position. A log that began anew or was truncated is recognised by it (lost-records.ts).
-- Analyzed seldom: rows are found by the key alone, and after an analyze every session plans anew what it asks (decision 18).
create table positions (
  consumer text collate "C" not null,
  topic text collate "C" not null,
  partition integer not null,
  off bigint not null,
  event_id text collate "C",
  primary key (consumer, topic, partition)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0.5, autovacuum_analyze_threshold = 100000);

-- Event ids rise with time, so old rows are a range of the key.
create table inbox (
  consumer text collate "C" not null,
  event_id text collate "C" not null,
  primary key (consumer, event_id)
);

-- workspace_id is '' for a record that belongs to no workspace. as_read: key and event id as the log gave them, where their columns
-- cannot hold them (U+0000, or longer than an index takes); text of JSON holds both, and a replay takes them from here.
create table dead_letters (
  id bigint generated always as identity primary key,
  workspace_id text collate "C" not null,
  consumer text collate "C" not null,
  topic text collate "C" not null,
  partition integer not null,
  off bigint not null,
  key text collate "C" not null,
  event_id text collate "C" not null,
  headers json not null,
  payload bytea,
  reason text not null,
  tries integer not null,
  died_at timestamptz not null default app_now(),
  replayed_at timestamptz,
  as_read json,
  unique (workspace_id, consumer, event_id, off)
);
-- What is not replayed, oldest first: its list, its number, and the replay itself.
create index dead_letters_open on dead_letters (consumer, id) where replayed_at is null;
-- The removal of old ones.
create index dead_letters_age on dead_letters (died_at);

alter table dead_letters enable row level security, force row level security;
create policy dead_letters_worker on dead_letters to ${worker_role} using (true) with check (true);
-- A dead letter is kept for 30 days, replayed or not: long enough to mend its cause. The right to remove it begins then.
create policy dead_letters_kept on dead_letters as restrictive for delete to ${worker_role}
  using (died_at < app_now() - interval '30 days');

grant select, insert, update on positions to ${worker_role};
grant select, insert, delete on inbox to ${worker_role};
grant select, insert, delete on dead_letters to ${worker_role};
grant update (replayed_at) on dead_letters to ${worker_role};
