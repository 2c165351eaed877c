-- Numbers an entry of the ledger and works out the balance after it, and keeps the sums of its account and of its month (domain.md 3.9).
-- Entries of an account wait for each other by its row. Primary keys of ledger_accounts and ledger_months.
-- Once the close of a month has begun to end accounts, its own entries alone are posted in it (decision 105): release 0.1.0, which may run
-- beside, takes such a month for an open one, and what it posts would miss the cap, the floor and the carryover. Primary keys of
-- sub_affiliate_work, stats_months and stats_days.
create or replace function keep_ledger_sums()
returns trigger
language plpgsql
set search_path = ${schema}, pg_temp
as $$
begin
  -- A day is below 'a', the id of an account is not.
  if new.source <> 'stats_month' and exists (
    select from sub_affiliate_work w where w.workspace_id = new.workspace_id and w.subject = new.month and w.done_to > 'a') then
    -- The first month from there on that is open, and that will be closed.
    while exists (select from stats_months m where m.workspace_id = new.workspace_id and m.id = new.month and m.status in ('closing', 'closed'))
      or (new.month < to_char(app_now() at time zone 'UTC', 'YYYY-MM') and not exists (
        select from stats_days d where d.workspace_id = new.workspace_id and d.id between new.month || '-01' and new.month || '-31')) loop
      new.month := to_char(to_date(new.month, 'YYYY-MM') + interval '1 month', 'YYYY-MM');
    end loop;
  end if;
  insert into ledger_accounts as known (workspace_id, sub_affiliate_id, currency, entries, balance)
  values (new.workspace_id, new.sub_affiliate_id, new.currency, 1, new.amount)
  on conflict (workspace_id, sub_affiliate_id) do update
    set entries = known.entries + 1, balance = known.balance + excluded.balance where known.currency = excluded.currency
  returning known.entries, known.balance into new.number, new.balance_after;
  if not found then
    raise exception 'entries of an account have one currency' using errcode = 'check_violation';
  end if;
  if new.kind not in ('payout', 'payout_reversal') then
    insert into ledger_months as known (workspace_id, sub_affiliate_id, month, amount, entries)
    values (new.workspace_id, new.sub_affiliate_id, new.month, new.amount, 1)
    on conflict (workspace_id, sub_affiliate_id, month) do update
      set amount = known.amount + excluded.amount, entries = known.entries + 1;
  end if;
  return new;
end $$;
create or replace trigger ledger_entries_keep_sums before insert on ledger_entries
  for each row execute function keep_ledger_sums();
