-- breaking: no
-- Days of stats (domain.md 7). Read rows of the two aggregates first; their ids are `YYYY-MM-DD` and `YYYY-MM`, so text sorts by time.
create table stats_days (
  workspace_id text collate "C" not null,
  id text collate "C" not null check (id ~ '^\d{4}-\d{2}-\d{2}$'),
  version integer not null,
  status text collate "C" not null,
  time_zone text not null,
  state jsonb not null,
  created timestamptz(3) not null,
  updated timestamptz(3) not null,
  primary key (workspace_id, id)
);

create table stats_months (
  workspace_id text collate "C" not null,
  id text collate "C" not null check (id ~ '^\d{4}-\d{2}$'),
  version integer not null,
  status text collate "C" not null,
  state jsonb not null,
  created timestamptz(3) not null,
  updated timestamptz(3) not null,
  primary key (workspace_id, id)
);

-- By which zone the rows of a workspace are cut into days, and since when its days exist. due: the next day begins, or the
-- settings name another zone.
create table stats_calendars (
  workspace_id text collate "C" primary key,
  time_zone text not null,
  first_day date not null,
  due timestamptz not null
);
create index stats_calendars_due on stats_calendars (due);

-- Days that are not final yet, or have changed since: when to look at each, null for not until something happens.
create table stats_day_work (
  workspace_id text collate "C" not null,
  day date not null,
  due timestamptz,
  -- The last change of the day's rows; null where none is known.
  changed timestamptz,
  -- The first change since the day was rolled up, by whom and why; the run is null where there were several.
  pending_since timestamptz,
  sync_run_id text collate "C",
  cause text collate "C" not null default 'sync' check (cause in ('sync', 'settings')),
  primary key (workspace_id, day)
);
-- What is due, the oldest first.
create index stats_day_work_due on stats_day_work (due);

-- The rows of a final day as of its revision, summed over hours. Replaced as a whole, never counted up.
create table stats_rollups (
  workspace_id text collate "C" not null,
  day date not null,
  integration_id text collate "C" not null,
  brand_slug text collate "C" not null,
  campaign_external_id text collate "C",
  country text collate "C",
  sub_affiliate_id text collate "C",
  currency text collate "C" not null,
  approximate boolean not null,
  impressions bigint, clicks bigint, unique_clicks bigint, signups bigint, ftds bigint, qualified_ftds bigint,
  deposits bigint, ftd_amount bigint, deposits_amount bigint, withdrawals_amount bigint, ggr bigint,
  bonuses_amount bigint, fees_amount bigint, chargebacks_amount bigint, ngr bigint, cpa_commission bigint,
  revshare_commission bigint, other_commission bigint,
  unique nulls not distinct
    (workspace_id, day, integration_id, brand_slug, campaign_external_id, country, sub_affiliate_id, currency),
  foreign key (workspace_id, integration_id) references integrations (workspace_id, id)
);

-- When the last successful run that covers the day began: its report, whatever it changed. `dirty` is not written any more and goes
-- with the next version.
alter table stats_days_seen add column reported timestamptz;
alter table stats_days_seen alter column dirty set default false;
-- By which zone staged rows were cut.
alter table run_checkpoints add column time_zone text not null default 'UTC';

do $do$
declare
  t text;
begin
  foreach t in array array['stats_days', 'stats_months', 'stats_calendars', 'stats_day_work', 'stats_rollups'] loop
    execute format('alter table %I enable row level security, force row level security', t);
  end loop;
  foreach t in array array['stats_days', 'stats_months', 'stats_rollups'] loop
    execute format($p$create policy workspace on %I to ${http_role}, ${worker_role}
      using (workspace_id = current_setting('app.workspace_id', true))
      with check (workspace_id = current_setting('app.workspace_id', true))$p$, t);
  end loop;
  foreach t in array array['stats_calendars', 'stats_day_work'] loop
    execute format($p$create policy workspace on %I to ${http_role}
      using (workspace_id = current_setting('app.workspace_id', true))
      with check (workspace_id = current_setting('app.workspace_id', true))$p$, t);
    execute format('create policy engine on %I to ${worker_role} using (true) with check (true)', t);
  end loop;
end $do$;

grant select on stats_days, stats_months, stats_rollups to ${http_role};
grant select, insert, update on stats_days, stats_months to ${worker_role};
grant select, insert, delete on stats_rollups to ${worker_role};
grant select, insert, update on stats_calendars to ${http_role}, ${worker_role};
grant select, update on stats_day_work to ${http_role};
grant select, insert, update, delete on stats_day_work to ${worker_role};
