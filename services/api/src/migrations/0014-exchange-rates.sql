-- breaking: no
-- Rates that a workspace has imported (domain.md M3). What a set once said it says for ever: nothing here is changed or removed.
create table fx_rate_sets (
  workspace_id text collate "C" not null,
  -- Counts up in the workspace. The set of a number has, of each day and currency, the rate of the highest number up to it.
  number integer not null check (number > 0),
  import_id text collate "C" not null,
  -- Who published the rates, as the import was told.
  source text not null,
  created timestamptz(3) not null default app_now(),
  primary key (workspace_id, number),
  foreign key (workspace_id, import_id) references imports (workspace_id, id)
);
create trigger fx_rate_sets_never_changed before update or delete on fx_rate_sets
  for each row execute function refuse_change();

create table fx_rates (
  workspace_id text collate "C" not null,
  day date not null,
  currency text collate "C" not null check (currency <> 'EUR'),
  set_number integer not null,
  -- False: units of the currency for one euro. True: euros for one unit of the currency.
  is_inverse boolean not null,
  rate numeric not null check (rate > 0),
  -- Also finds the rates of days as of a set.
  primary key (workspace_id, day, currency, set_number),
  foreign key (workspace_id, set_number) references fx_rate_sets (workspace_id, number)
);
create trigger fx_rates_never_changed before update or delete on fx_rates for each row execute function refuse_change();

-- Files of rates that wait to be read.
create table fx_import_work (
  workspace_id text collate "C" not null,
  import_id text collate "C" not null,
  due timestamptz not null default app_now(),
  attempts integer not null default 0,
  -- Of the request that asked for the work.
  correlation text not null,
  traceparent text not null,
  primary key (workspace_id, import_id),
  foreign key (workspace_id, import_id) references imports (workspace_id, id)
);
-- What is due, the oldest first.
create index fx_import_work_due on fx_import_work (due, import_id);

-- A file of rates belongs to no integration.
alter table imports alter column integration_id drop not null;
-- The list of imports of one type.
create index imports_by_type on imports (workspace_id, import_type, created desc, id desc);

do $do$
declare t text;
begin
  foreach t in array array['fx_rate_sets', 'fx_rates', 'fx_import_work'] loop
    execute format('alter table %I enable row level security, force row level security', t);
  end loop;
  foreach t in array array['fx_rate_sets', 'fx_rates'] loop
    execute format($p$create policy workspace on %I to ${http_role}, ${worker_role}
      using (workspace_id = current_setting('app.workspace_id', true))
      with check (workspace_id = current_setting('app.workspace_id', true))$p$, t);
  end loop;
end $do$;
create policy workspace on fx_import_work to ${http_role}
  using (workspace_id = current_setting('app.workspace_id', true))
  with check (workspace_id = current_setting('app.workspace_id', true));
create policy engine on fx_import_work to ${worker_role} using (true) with check (true);
grant select on fx_rate_sets, fx_rates to ${http_role};
grant select, insert on fx_rate_sets, fx_rates to ${worker_role};
grant select, insert, delete on fx_import_work to ${http_role};
grant select, insert, update, delete on fx_import_work to ${worker_role};
