-- breaking: yes, because processes of the version before store invoices without it
-- What a list shows of an invoice: its state without lines, billed days, payments and parties, which may be a megabyte, and with their
-- sums (domain.md 3.7).
alter table invoices add column summary jsonb;
alter table invoices no force row level security;
update invoices i set summary =
  ((i.state - array['billed', 'payments', 'issuer', 'bill_to']) #- '{fields,lines}') || jsonb_build_object('lines', s.lines, 'totals',
    jsonb_build_object('subtotal', s.subtotal, 'tax_amount', s.tax, 'total', s.subtotal + s.tax, 'amount_paid', s.paid,
      'amount_due', s.subtotal + s.tax - s.paid))
from invoices o, lateral (
  select count(*) as lines, coalesce(sum(amount) filter (where kind <> 'tax'), 0) as subtotal, coalesce(sum(amount) filter (where kind = 'tax'), 0) as tax,
    (select coalesce(sum(amount), 0) from jsonb_to_recordset(o.state->'payments') as p(amount numeric)) as paid
  from jsonb_to_recordset(o.state->'fields'->'lines') as l(kind text, amount numeric)) s
where (i.workspace_id, i.id) = (o.workspace_id, o.id);
alter table invoices force row level security;
alter table invoices alter column summary set not null;

-- Invoices in the form of the rows that lists read, with the rights of who reads them.
create view invoice_rows with (security_invoker = true) as
  select workspace_id, id, version, created, updated, status, kind, brand_slug, currency, due, disputed, summary as state from invoices;
grant select on invoice_rows to ${http_role};
