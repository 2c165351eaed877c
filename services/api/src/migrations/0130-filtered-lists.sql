-- breaking: no
-- Filters of lists with one value, each in the order of its list (decision 26). None of these columns but a status changes, and
-- that a few times in the life of a row.
create index integrations_by_status on integrations (workspace_id, status, created desc, id desc);
create index integrations_by_provider on integrations (workspace_id, provider, created desc, id desc);
create index integrations_by_brand on integrations (workspace_id, brand_slug, created desc, id desc);
create index imports_by_status on imports (workspace_id, status, created desc, id desc);
create index imports_of_integration on imports (workspace_id, integration_id, created desc, id desc);
create index sync_runs_by_status on sync_runs (workspace_id, status, created desc, id desc);
create index sync_runs_by_trigger on sync_runs (workspace_id, trigger, created desc, id desc);
