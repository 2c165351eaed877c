-- breaking: no
-- Read rows of payouts (domain.md 3.9), each the fold of its stream. When one begins to be processed stands in sub_affiliate_work.
create table payouts (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  version integer not null,
  status text collate "C" not null,
  sub_affiliate_id text collate "C" not null,
  held text collate "C" not null,
  -- What the sub-affiliate has got by it, in minor units of the payout currency.
  paid_amount bigint not null check (paid_amount >= 0),
  state jsonb not null,
  created timestamptz(3) not null,
  updated timestamptz(3) not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, sub_affiliate_id) references sub_affiliates (workspace_id, id)
);
-- Its list, and with a filter each.
create index payouts_list on payouts (workspace_id, created desc, id desc);
create index payouts_by_status on payouts (workspace_id, status, created desc, id desc);
create index payouts_by_sub_affiliate on payouts (workspace_id, sub_affiliate_id, created desc, id desc);
create index payouts_by_hold on payouts (workspace_id, held, created desc, id desc);
-- Those of a sub-affiliate whose end is open, and what it was paid.
create index payouts_open on payouts (workspace_id, sub_affiliate_id) where status in ('scheduled', 'processing');
create index payouts_paid on payouts (workspace_id, sub_affiliate_id) include (paid_amount) where paid_amount > 0;

alter table payouts enable row level security, force row level security;
create policy workspace on payouts to ${http_role}, ${worker_role}
  using (workspace_id = current_setting('app.workspace_id', true))
  with check (workspace_id = current_setting('app.workspace_id', true));
grant select, insert, update on payouts to ${http_role}, ${worker_role};
