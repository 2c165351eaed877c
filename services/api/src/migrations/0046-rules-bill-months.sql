-- breaking: no
-- Rules make invoices of a month that was closed (decision 89): which one, beside the evaluation, as `2026-01`.
alter table automation_work add column month text collate "C";
-- The worker gives the numbers of what a rule generates.
alter policy workspace on invoice_numbers to ${http_role}, ${worker_role};
grant select, insert, update on invoice_numbers to ${worker_role};
