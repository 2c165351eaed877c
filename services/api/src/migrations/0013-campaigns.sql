-- breaking: no
-- Read rows of campaigns (domain.md 3.4), each the fold of its stream.
create table campaigns (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  version integer not null,
  status text collate "C" not null,
  integration_id text collate "C" not null,
  external_id text collate "C" not null,
  brand_slug text collate "C" not null,
  tags text[] not null,
  state jsonb not null,
  created timestamptz(3) not null,
  updated timestamptz(3) not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, integration_id) references integrations (workspace_id, id)
);
-- How a source's rows name it, also after archiving.
create unique index campaigns_by_source on campaigns (workspace_id, integration_id, external_id);
-- Its list, and with a filter each.
create index campaigns_list on campaigns (workspace_id, created desc, id desc);
create index campaigns_by_status on campaigns (workspace_id, status, created desc, id desc);
create index campaigns_by_brand on campaigns (workspace_id, brand_slug, created desc, id desc);
create index campaigns_by_integration on campaigns (workspace_id, integration_id, created desc, id desc);
create index campaigns_by_external_id on campaigns (workspace_id, external_id, created desc, id desc);

-- What a campaign is named that the run makes.
alter table stats_staging add column campaign_name text;

alter table campaigns enable row level security, force row level security;
create policy workspace on campaigns to ${http_role}, ${worker_role}
  using (workspace_id = current_setting('app.workspace_id', true))
  with check (workspace_id = current_setting('app.workspace_id', true));
grant select, insert, update on campaigns to ${http_role}, ${worker_role};
