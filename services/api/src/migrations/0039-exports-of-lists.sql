-- breaking: no
-- Rows of an export of a list, as the list found them, beside those of stats (domain.md 3.12).
alter table export_rows
  add column listed jsonb,
  alter column key drop not null,
  alter column sums drop not null,
  add constraint export_rows_kind_check check ((listed is null) = (key is not null and sums is not null));
grant select on invoice_rows to ${worker_role};
