-- breaking: no
-- Read rows of firings (domain.md 3.10), each the fold of its stream.
create table automation_firings (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  version integer not null,
  status text collate "C" not null,
  rule_id text collate "C" not null,
  subject_id text collate "C" not null,
  -- What the rule fired for: its version, the tick and the subject.
  evaluation_key text collate "C" not null,
  state jsonb not null,
  created timestamptz(3) not null,
  updated timestamptz(3) not null,
  primary key (workspace_id, id)
);
-- At most one firing for each (domain.md 9.3).
create unique index automation_firings_key on automation_firings (workspace_id, rule_id, evaluation_key);
-- Those of a rule, of a day, and with a filter each.
create index automation_firings_by_rule on automation_firings (workspace_id, rule_id, created desc, id desc);
create index automation_firings_by_status on automation_firings (workspace_id, status, created desc, id desc);
create index automation_firings_by_subject on automation_firings (workspace_id, subject_id, created desc, id desc);
-- When a rule fired last for a subject.
create index automation_firings_of_subject on automation_firings (workspace_id, rule_id, subject_id, created desc);
-- What is too old.
create index automation_firings_created on automation_firings (created);

-- When a rule looks at its subjects next.
create table automation_ticks (
  workspace_id text collate "C" not null,
  rule_id text collate "C" not null,
  due timestamptz not null,
  primary key (workspace_id, rule_id)
);
-- What is due, the oldest first.
create index automation_ticks_due on automation_ticks (due);

-- Subjects that met the conditions of a rule, until it is decided whether the rule fires for them.
create table automation_work (
  workspace_id text collate "C" not null,
  rule_id text collate "C" not null,
  evaluation_key text collate "C" not null,
  rule_version integer not null,
  subject_id text collate "C" not null,
  due timestamptz not null,
  tries integer not null default 0,
  primary key (workspace_id, rule_id, evaluation_key)
);
-- What is due, the oldest first.
create index automation_work_due on automation_work (due);

-- What auth took from grants, apps, members, people and workspaces; a global table, as access_denials is one, and kept for good.
create table automation_denials (
  kind text collate "C" not null,
  id text collate "C" not null,
  lifted boolean not null,
  -- Of an app: those that are left.
  scopes text[],
  told timestamptz not null,
  event_id text collate "C" not null,
  primary key (kind, id)
);
grant select, insert, update on automation_denials to ${worker_role};

alter table automation_firings enable row level security, force row level security;
create policy workspace on automation_firings to ${http_role}
  using (workspace_id = current_setting('app.workspace_id', true))
  with check (workspace_id = current_setting('app.workspace_id', true));
create policy engine on automation_firings to ${worker_role} using (true) with check (true);
grant select on automation_firings to ${http_role};
grant select, insert, update, delete on automation_firings to ${worker_role};

alter table automation_ticks enable row level security, force row level security;
create policy workspace on automation_ticks to ${http_role}
  using (workspace_id = current_setting('app.workspace_id', true))
  with check (workspace_id = current_setting('app.workspace_id', true));
create policy engine on automation_ticks to ${worker_role} using (true) with check (true);
grant select, insert, update, delete on automation_ticks to ${http_role}, ${worker_role};

alter table automation_work enable row level security, force row level security;
create policy engine on automation_work to ${worker_role} using (true) with check (true);
grant select, insert, update, delete on automation_work to ${worker_role};
