-- breaking: no
-- What was last announced of each event type. Global: event types belong to no workspace.
create table announced_types (
  type text collate "C" primary key,
  digest text collate "C" not null check (digest ~ '^sha256:[0-9a-f]{64}$'),
  announced timestamptz(3) not null default app_now()
);
grant select, insert, update on announced_types to ${worker_role};
