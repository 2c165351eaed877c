-- breaking: no
-- Exports (domain.md 3.12): operational rows, no streams. An export is a read in another shape and is gone after 7 days.
create table exports (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  version integer not null,
  status text collate "C" not null,
  export_type text collate "C" not null,
  format text collate "C" not null,
  -- Of its file so far.
  bytes bigint not null,
  -- When the sweep is to look at it: once what it stored is no longer needed, or it is no longer there for anybody.
  sweep_due timestamptz not null,
  state jsonb not null,
  created timestamptz(3) not null,
  updated timestamptz(3) not null,
  primary key (workspace_id, id)
);
-- Its list, and with a filter each.
create index exports_list on exports (workspace_id, created desc, id desc);
create index exports_by_status on exports (workspace_id, status, created desc, id desc);
create index exports_by_type on exports (workspace_id, export_type, created desc, id desc);
create index exports_by_format on exports (workspace_id, format, created desc, id desc);
-- The sweep.
create index exports_sweep on exports (sweep_due);

-- The result as it was found, one row each in its order, until it stands in a piece. No foreign key: the sweep removes them by ten thousands.
create table export_rows (
  workspace_id text collate "C" not null,
  export_id text collate "C" not null,
  -- From 1.
  place integer not null,
  key text[] not null,
  -- By measure, in the order that the export names them.
  sums text[] not null,
  earlier text[],
  primary key (workspace_id, export_id, place)
);

-- The file, in pieces of 1,000 rows each.
create table export_pieces (
  workspace_id text collate "C" not null,
  export_id text collate "C" not null,
  seq integer not null check (seq >= 0),
  bytes bytea not null check (length(bytes) <= 16777216),
  primary key (workspace_id, export_id, seq)
);
alter table export_pieces alter column bytes set storage external;

alter table exports enable row level security, force row level security;
create policy workspace on exports to ${http_role}, ${worker_role}
  using (workspace_id = current_setting('app.workspace_id', true))
  with check (workspace_id = current_setting('app.workspace_id', true));
-- The sweep finds what is due, whichever workspace it belongs to.
create policy swept_select on exports for select to ${worker_role} using (sweep_due <= app_now());
alter table export_rows enable row level security, force row level security;
create policy workspace on export_rows to ${worker_role}
  using (workspace_id = current_setting('app.workspace_id', true))
  with check (workspace_id = current_setting('app.workspace_id', true));
alter table export_pieces enable row level security, force row level security;
create policy workspace on export_pieces to ${http_role}, ${worker_role}
  using (workspace_id = current_setting('app.workspace_id', true))
  with check (workspace_id = current_setting('app.workspace_id', true));

grant select, insert, update on exports to ${http_role};
grant select, update, delete on exports to ${worker_role};
grant select, insert, delete on export_rows to ${worker_role};
grant select on export_pieces to ${http_role};
grant select, insert, delete on export_pieces to ${worker_role};

-- An export waits for no integration.
alter table due_work drop constraint due_work_kind_check,
  add constraint due_work_kind_check check (kind in ('import', 'run', 'export')),
  alter column integration_id drop not null,
  add constraint due_work_lane_check check ((kind = 'export') = (integration_id is null));
