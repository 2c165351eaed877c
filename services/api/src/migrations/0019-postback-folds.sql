-- breaking: no
-- Folds that are too large for one run go on where the one before stopped, days that rejected something are known, and conversions are
-- removed once they have been kept for long enough (decision 65).

-- Null before the first fold, as without a row.
alter table postback_folds alter column folded drop not null;
alter table postback_folds
  -- A fold that several runs carry out began then: what was received before is in the stats up to the hour that begins at pass_at.
  add column pass_started timestamptz,
  add column pass_at timestamptz,
  -- Conversions that occurred before it may be gone: those days are not folded again.
  add column kept_from timestamptz,
  add check ((pass_started is null) = (pass_at is null));
-- The worker goes through those of all workspaces, to remove what is old.
create policy swept_select on postback_folds for select to ${worker_role} using (true);
-- Of an integration that is deleted.
grant insert on postback_folds to ${http_role};
grant delete on postback_conversions to ${worker_role};

-- Days of the source's calendar on which a fold rejected conversions, since nobody knew their campaign.
create table postback_rejected_days (
  workspace_id text collate "C" not null,
  integration_id text collate "C" not null,
  day date not null,
  -- Campaigns that were made before are known not to be theirs.
  looked timestamptz not null,
  primary key (workspace_id, integration_id, day),
  foreign key (workspace_id, integration_id) references integrations (workspace_id, id)
);
alter table postback_rejected_days enable row level security, force row level security;
create policy workspace on postback_rejected_days to ${http_role}, ${worker_role}
  using (workspace_id = current_setting('app.workspace_id', true))
  with check (workspace_id = current_setting('app.workspace_id', true));
grant select on postback_rejected_days to ${http_role};
grant select, insert, update, delete on postback_rejected_days to ${worker_role};
