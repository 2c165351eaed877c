-- breaking: no
-- What was announced of people, sessions and signing keys, which have no streams: for `republish` after the log lost records (decision 12). A
-- global table, without a policy by workspace: what they are of belongs to none. It holds what events hold: no personal data, no secrets.
create table kept_announcements (
  event_id text collate "C" not null,
  workspace_id text collate "C" not null,
  topic text collate "C" not null,
  key text collate "C" not null,
  headers json not null,
  payload bytea not null,
  primary key (event_id, workspace_id)
);

grant insert on kept_announcements to ${http_role};
grant select, insert, delete on kept_announcements to ${worker_role};
