-- Numbers an entry of the ledger and works out the balance after it, and keeps the sums of its account and of its month (domain.md 3.9).
-- Entries of an account wait for each other by its row. Primary keys of ledger_accounts and ledger_months.
create or replace function keep_ledger_sums()
returns trigger
language plpgsql
set search_path = ${schema}, pg_temp
as $$
begin
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
