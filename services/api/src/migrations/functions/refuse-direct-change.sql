-- For tables that other tables' triggers alone write: their rows are what those say, whoever may do what.
create or replace function refuse_direct_change()
returns trigger
language plpgsql
as $$
begin
  if pg_trigger_depth() < 2 then
    raise exception '% is written by a trigger alone', tg_table_name using errcode = 'insufficient_privilege';
  end if;
  return coalesce(new, old);
end $$;
create or replace trigger ledger_accounts_by_entries before insert or update or delete on ledger_accounts
  for each row execute function refuse_direct_change();
create or replace trigger ledger_months_by_entries before insert or update or delete on ledger_months
  for each row execute function refuse_direct_change();
