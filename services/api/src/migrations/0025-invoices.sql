-- breaking: no
-- Read rows of invoices (domain.md 3.7), each the fold of its stream.
create table invoices (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  version integer not null,
  status text collate "C" not null,
  kind text collate "C" not null,
  brand_slug text collate "C" not null,
  currency text collate "C" not null,
  -- Null until it is generated.
  number text collate "C",
  -- `YYYY-MM-DD`, so text sorts by time.
  due text collate "C" check (due ~ '^\d{4}-\d{2}-\d{2}$'),
  disputed text collate "C" not null,
  state jsonb not null,
  created timestamptz(3) not null,
  updated timestamptz(3) not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, brand_slug) references brands (workspace_id, slug)
);
create unique index invoices_number on invoices (workspace_id, number);
-- Its list, and with a filter each.
create index invoices_list on invoices (workspace_id, created desc, id desc);
create index invoices_by_status on invoices (workspace_id, status, created desc, id desc);
create index invoices_by_brand on invoices (workspace_id, brand_slug, created desc, id desc);
create index invoices_by_currency on invoices (workspace_id, currency, created desc, id desc);
create index invoices_by_dispute on invoices (workspace_id, disputed, created desc, id desc);

-- The last number that was given in a year; a row is held until the invoice that got it is stored.
create table invoice_numbers (
  workspace_id text collate "C" not null,
  year integer not null,
  last integer not null,
  primary key (workspace_id, year)
);

-- When an invoice that is not paid falls overdue.
create table invoice_due_work (
  workspace_id text collate "C" not null,
  invoice_id text collate "C" not null,
  due timestamptz not null,
  primary key (workspace_id, invoice_id)
);
-- What is due, the oldest first.
create index invoice_due_work_due on invoice_due_work (due);

alter table invoices enable row level security, force row level security;
create policy workspace on invoices to ${http_role}, ${worker_role}
  using (workspace_id = current_setting('app.workspace_id', true))
  with check (workspace_id = current_setting('app.workspace_id', true));
grant select, insert, update on invoices to ${http_role}, ${worker_role};

alter table invoice_numbers enable row level security, force row level security;
create policy workspace on invoice_numbers to ${http_role}
  using (workspace_id = current_setting('app.workspace_id', true))
  with check (workspace_id = current_setting('app.workspace_id', true));
grant select, insert, update on invoice_numbers to ${http_role};

alter table invoice_due_work enable row level security, force row level security;
create policy workspace on invoice_due_work to ${http_role}
  using (workspace_id = current_setting('app.workspace_id', true))
  with check (workspace_id = current_setting('app.workspace_id', true));
create policy engine on invoice_due_work to ${worker_role} using (true) with check (true);
grant select, insert, update, delete on invoice_due_work to ${http_role}, ${worker_role};
