-- breaking: no
-- What sub-affiliates have earned and were paid (domain.md 3.9). Entries are appended and never changed; number and balance_after are the
-- database's own, and so are the sums beside them: whoever appends an entry cannot make the balance anything but the sum of all entries.
create table ledger_accounts (
  workspace_id text collate "C" not null,
  sub_affiliate_id text collate "C" not null,
  -- Of all its entries.
  currency text collate "C" not null,
  entries integer not null,
  balance bigint not null,
  primary key (workspace_id, sub_affiliate_id),
  foreign key (workspace_id, sub_affiliate_id) references sub_affiliates (workspace_id, id) deferrable initially deferred
);
-- What a month comes to, without payouts.
create table ledger_months (
  workspace_id text collate "C" not null,
  sub_affiliate_id text collate "C" not null,
  month text collate "C" not null check (month ~ '^\d{4}-\d{2}$'),
  amount bigint not null,
  entries integer not null,
  primary key (workspace_id, sub_affiliate_id, month)
);
-- The accounts of a month that closes.
create index ledger_months_by_month on ledger_months (workspace_id, month);

create table ledger_entries (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  sub_affiliate_id text collate "C" not null,
  -- 1, 2, 3 … of the account; given by the database.
  number integer not null,
  kind text collate "C" not null check (kind in ('accrual', 'adjustment', 'carryover', 'payout', 'payout_reversal')),
  reason text collate "C",
  amount bigint not null check (abs(amount) <= 9007199254740991),
  currency text collate "C" not null,
  -- What it is about, of entries that follow a day.
  day date,
  campaign_id text collate "C",
  row_currency text collate "C",
  stats_revision integer,
  -- By what it was worked out, kept for the next restatement.
  terms jsonb,
  month text collate "C" not null check (month ~ '^\d{4}-\d{2}$'),
  note text,
  source text collate "C" not null,
  source_id text collate "C" not null,
  balance_after bigint not null check (abs(balance_after) <= 9007199254740991),
  created timestamptz(3) not null default app_now(),
  primary key (workspace_id, id),
  unique (workspace_id, sub_affiliate_id, number),
  -- Nothing is posted twice.
  unique (workspace_id, source, source_id)
);
-- Of an account by month; of all accounts by day.
create index ledger_entries_by_month on ledger_entries (workspace_id, sub_affiliate_id, month, number desc);
create index ledger_entries_by_day on ledger_entries (workspace_id, day) where day is not null;

-- The triggers that keep the sums stand beside their functions, keep-ledger-sums.sql and refuse-direct-change.sql.
create trigger ledger_entries_never_changed before update or delete on ledger_entries
  for each row execute function refuse_change();
do $do$
declare
  t text;
begin
  foreach t in array array['ledger_accounts', 'ledger_months', 'ledger_entries'] loop
    execute format('alter table %I enable row level security, force row level security', t);
    execute format($p$create policy workspace on %I to ${http_role}, ${worker_role}
      using (workspace_id = current_setting('app.workspace_id', true))
      with check (workspace_id = current_setting('app.workspace_id', true))$p$, t);
  end loop;
end $do$;
-- The trigger writes the sums as whoever appends.
grant select, insert, update on ledger_accounts, ledger_months to ${http_role}, ${worker_role};
grant select, insert on ledger_entries to ${http_role}, ${worker_role};
