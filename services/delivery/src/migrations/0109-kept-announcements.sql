-- breaking: no
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
alter table kept_announcements enable row level security;
alter table kept_announcements force row level security;
create policy engine on kept_announcements to ${worker_role} using (true) with check (true);
grant select, insert, delete on kept_announcements to ${worker_role};
