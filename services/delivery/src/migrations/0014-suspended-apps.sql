-- breaking: no
-- Apps that were suspended, until the second look at what their last requests made (store-grants.ts).
create table suspended_apps (
  event_id text collate "C" primary key,
  client_id text collate "C" not null,
  suspended timestamptz not null default app_now()
);
grant select, insert, update, delete on suspended_apps to ${worker_role};
