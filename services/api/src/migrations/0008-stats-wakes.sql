-- breaking: no
-- A workspace's calendar of stats is to be followed now: it counts by another zone, or an integration was paused or deleted. Only ever
-- inserted by those who change that, so that they wait for nobody who follows a calendar; taken with the calendar.
create table stats_wakes (
  workspace_id text collate "C" not null,
  id bigint generated always as identity,
  primary key (workspace_id, id)
);
alter table stats_wakes enable row level security, force row level security;
create policy workspace on stats_wakes to ${http_role}
  using (workspace_id = current_setting('app.workspace_id', true))
  with check (workspace_id = current_setting('app.workspace_id', true));
create policy engine on stats_wakes to ${worker_role} using (true) with check (true);
grant insert on stats_wakes to ${http_role};
grant select, insert, delete on stats_wakes to ${worker_role};
revoke update on stats_calendars from ${http_role};
revoke select, update on stats_day_work from ${http_role};
grant select on stats_day_work to ${http_role};
