-- breaking: yes, because processes of the version before post entries without it
-- What an entry about a day is in the currency of the rows it was worked out of, before it was converted, and whose rows they are: stats
-- sum these as sub_affiliate_cost (domain.md 3.5). Of entries of before it is worked back from the amount; which integration's rows those
-- without a campaign were about is not known.
alter table ledger_entries
  add column integration_id text collate "C",
  add column row_amount bigint check (abs(row_amount) <= 9007199254740991);

alter table campaigns no force row level security;
alter table ledger_entries no force row level security, disable trigger ledger_entries_never_changed;
update ledger_entries e set
  integration_id = (select c.integration_id from campaigns c where (c.workspace_id, c.id) = (e.workspace_id, e.campaign_id)),
  row_amount = case when e.row_currency = e.currency then e.amount
    else round(e.amount * (e.terms #>> '{fx,denominator}')::numeric / (e.terms #>> '{fx,numerator}')::numeric) end
where e.day is not null;
alter table ledger_entries force row level security, enable trigger ledger_entries_never_changed;
alter table campaigns force row level security;

alter table ledger_entries
  add constraint ledger_entries_row_amount check ((day is null) = (row_amount is null) and (row_currency <> currency or row_amount = amount));
