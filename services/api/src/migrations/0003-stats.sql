-- breaking: no
-- Rows of stats: bulk measurements, not a stream (architecture.md 3). row_key is the canonical text of the key of
-- domain.md 3.5. A deleted row stays as a tombstone with the run_seq that removed it. hour is epoch-based, UTC.
create table stats_rows (
  workspace_id text collate "C" not null,
  integration_id text collate "C" not null,
  row_key text collate "C" not null,
  day date not null,
  hour timestamptz,
  -- The day on the workspace's calendar (domain.md T3).
  workspace_day date not null,
  approximate boolean not null,
  brand_slug text collate "C" not null,
  campaign_external_id text collate "C",
  country text collate "C",
  sub_affiliate_id text collate "C",
  currency text collate "C" not null,
  impressions bigint, clicks bigint, unique_clicks bigint, signups bigint, ftds bigint, qualified_ftds bigint,
  deposits bigint, ftd_amount bigint, deposits_amount bigint, withdrawals_amount bigint, ggr bigint,
  bonuses_amount bigint, fees_amount bigint, chargebacks_amount bigint, ngr bigint, cpa_commission bigint,
  revshare_commission bigint, other_commission bigint,
  row_hash bytea not null check (length(row_hash) = 16),
  run_seq bigint not null,
  deleted boolean not null default false,
  primary key (workspace_id, integration_id, row_key),
  unique nulls not distinct
    (workspace_id, integration_id, day, hour, brand_slug, campaign_external_id, country, sub_affiliate_id, currency),
  foreign key (workspace_id, integration_id) references integrations (workspace_id, id)
);
-- Sums over days of a workspace: what `GET /stats` reads.
create index stats_rows_day on stats_rows (workspace_id, workspace_day) where not deleted;

-- Rows of an attempt before they become visible, combined by key.
create table stats_staging (
  workspace_id text collate "C" not null,
  run_id text collate "C" not null,
  row_key text collate "C" not null,
  day date not null,
  hour timestamptz,
  workspace_day date not null,
  approximate boolean not null,
  campaign_external_id text collate "C",
  country text collate "C",
  sub_affiliate_id text collate "C",
  currency text collate "C" not null,
  impressions bigint, clicks bigint, unique_clicks bigint, signups bigint, ftds bigint, qualified_ftds bigint,
  deposits bigint, ftd_amount bigint, deposits_amount bigint, withdrawals_amount bigint, ggr bigint,
  bonuses_amount bigint, fees_amount bigint, chargebacks_amount bigint, ngr bigint, cpa_commission bigint,
  revshare_commission bigint, other_commission bigint,
  row_hash bytea not null check (length(row_hash) = 16),
  primary key (workspace_id, run_id, row_key),
  foreign key (workspace_id, run_id) references sync_runs (workspace_id, id)
);

-- The run that last spoke about a day of an integration (domain.md 4.5.5).
create table stats_days_seen (
  workspace_id text collate "C" not null,
  integration_id text collate "C" not null,
  day date not null,
  run_seq bigint not null,
  -- Raised with each change of the day's rows; the rollup reads it.
  dirty boolean not null,
  primary key (workspace_id, integration_id, day),
  foreign key (workspace_id, integration_id) references integrations (workspace_id, id)
);
