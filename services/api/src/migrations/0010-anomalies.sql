-- breaking: no
-- Read rows of anomalies (domain.md 3.11), each the fold of its stream.
create table anomalies (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  version integer not null,
  status text collate "C" not null,
  metric text collate "C" not null,
  brand_slug text collate "C" not null,
  severity text collate "C" not null,
  -- `YYYY-MM-DD`, so text sorts by time.
  day text collate "C" not null check (day ~ '^\d{4}-\d{2}-\d{2}$'),
  state jsonb not null,
  created timestamptz(3) not null,
  updated timestamptz(3) not null,
  primary key (workspace_id, id)
);
-- Its list, and with a filter each.
create index anomalies_list on anomalies (workspace_id, created desc, id desc);
create index anomalies_by_status on anomalies (workspace_id, status, created desc, id desc);
create index anomalies_by_metric on anomalies (workspace_id, metric, created desc, id desc);
create index anomalies_by_brand on anomalies (workspace_id, brand_slug, created desc, id desc);
create index anomalies_by_severity on anomalies (workspace_id, severity, created desc, id desc);
-- What was found on a day already.
create index anomalies_day on anomalies (workspace_id, day);

-- Days that are to be searched for anomalies: final ones, restated ones, and those that have ended and whose sources have reported.
create table anomaly_day_work (
  workspace_id text collate "C" not null,
  day date not null,
  due timestamptz not null,
  primary key (workspace_id, day)
);
-- What is due, the oldest first.
create index anomaly_day_work_due on anomaly_day_work (due, day);

alter table anomalies enable row level security, force row level security;
create policy workspace on anomalies to ${http_role}, ${worker_role}
  using (workspace_id = current_setting('app.workspace_id', true))
  with check (workspace_id = current_setting('app.workspace_id', true));
grant select, insert, update on anomalies to ${http_role}, ${worker_role};

alter table anomaly_day_work enable row level security, force row level security;
create policy engine on anomaly_day_work to ${worker_role} using (true) with check (true);
grant select, insert, update, delete on anomaly_day_work to ${worker_role};
