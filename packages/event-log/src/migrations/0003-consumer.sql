-- breaking: no
-- What a consumer keeps in its service's schema (architecture.md, rule 6). positions and inbox hold no tenant data.
create table positions (
  consumer text collate "C" not null,
  topic text collate "C" not null,
  partition integer not null,
  off bigint not null,
  primary key (consumer, topic, partition)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- Event ids rise with time, so old rows are a range of the key.
create table inbox (
  consumer text collate "C" not null,
  event_id text collate "C" not null,
  primary key (consumer, event_id)
);

-- workspace_id is '' for a record that belongs to no workspace.
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
  unique (workspace_id, consumer, event_id, off)
);
create index dead_letters_open on dead_letters (consumer, id) where replayed_at is null;

alter table dead_letters enable row level security;
alter table dead_letters force row level security;
create policy dead_letters_worker on dead_letters to ${worker_role} using (true) with check (true);

grant select, insert, update on positions to ${worker_role};
grant select, insert, delete on inbox to ${worker_role};
grant select, insert on dead_letters to ${worker_role};
grant update (replayed_at) on dead_letters to ${worker_role};
