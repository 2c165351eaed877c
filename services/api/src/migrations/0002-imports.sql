-- breaking: no
-- The body of an upload, in chunks of 1 MiB, until its import has ended. Chunks are stored before their import exists,
-- so there is no foreign key; those of an upload that was cut off are swept by age.
create table import_chunks (
  workspace_id text collate "C" not null,
  import_id text collate "C" not null,
  seq integer not null check (seq >= 0),
  bytes bytea not null check (length(bytes) <= 1048576),
  stored_at timestamptz not null default app_now(),
  primary key (workspace_id, import_id, seq)
);
alter table import_chunks alter column bytes set storage external;
-- The sweep of uploads that were cut off.
create index import_chunks_age on import_chunks (stored_at) where seq = 0;

-- Rejected lines, never changed and aged out: kept for 30 days, and of a failed import only the first.
create table import_rejects (
  workspace_id text collate "C" not null,
  import_id text collate "C" not null,
  line integer not null,
  pointer text,
  code text collate "C" not null,
  detail text not null,
  stored_at timestamptz not null default app_now(),
  primary key (workspace_id, import_id, line),
  foreign key (workspace_id, import_id) references imports (workspace_id, id)
);
-- The removal of old ones.
create index import_rejects_age on import_rejects (stored_at);
create trigger import_rejects_never_changed before update on import_rejects for each row execute function refuse_change();

-- How far a run has staged its records; written in the transaction of each batch, so a crash resumes there.
create table run_checkpoints (
  workspace_id text collate "C" not null,
  run_id text collate "C" not null,
  lines integer not null,
  accepted integer not null,
  rejected integer not null,
  skipped integer not null,
  warnings jsonb not null,
  primary key (workspace_id, run_id),
  foreign key (workspace_id, run_id) references sync_runs (workspace_id, id)
);
