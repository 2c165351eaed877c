-- breaking: no
-- Row-level security of every table above (security.md 4): by workspace for both roles; engine tables open to the worker.
do $do$
declare
  t text;
begin
  foreach t in array array['brands', 'integrations', 'imports', 'sync_runs', 'announced_events', 'import_chunks',
    'import_rejects', 'run_checkpoints', 'stats_rows', 'stats_staging', 'stats_days_seen'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format($p$create policy workspace on %I to ${http_role}, ${worker_role}
      using (workspace_id = current_setting('app.workspace_id', true))
      with check (workspace_id = current_setting('app.workspace_id', true))$p$, t);
  end loop;
  foreach t in array array['due_work', 'schedules'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format($p$create policy workspace on %I to ${http_role}
      using (workspace_id = current_setting('app.workspace_id', true))
      with check (workspace_id = current_setting('app.workspace_id', true))$p$, t);
    execute format('create policy engine on %I to ${worker_role} using (true) with check (true)', t);
    execute format('grant select, insert, update, delete on %I to ${http_role}, ${worker_role}', t);
  end loop;
  foreach t in array array['integrations', 'imports', 'sync_runs', 'brands'] loop
    execute format('grant select, insert, update on %I to ${http_role}, ${worker_role}', t);
  end loop;
  foreach t in array array['announced_events', 'import_rejects'] loop
    execute format('grant select, insert on %I to ${http_role}, ${worker_role}', t);
  end loop;
  foreach t in array array['stats_staging', 'run_checkpoints'] loop
    execute format('grant select, delete on %I to ${http_role}', t);
    execute format('grant select, insert, update, delete on %I to ${worker_role}', t);
  end loop;
end $do$;

-- The worker may see and remove chunks of uploads that were cut off, whichever workspace they belong to.
create policy swept_select on import_chunks for select to ${worker_role}
  using (stored_at < app_now() - interval '1 day');
create policy swept on import_chunks for delete to ${worker_role} using (stored_at < app_now() - interval '1 day');
grant select, insert, delete on import_chunks to ${http_role};
grant select, delete on import_chunks to ${worker_role};
grant select on stats_rows, stats_days_seen to ${http_role};
grant select, insert, update on stats_rows, stats_days_seen to ${worker_role};

-- Facts that never change: refused by privilege above and by trigger here.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end $$;
create trigger announced_events_append_only before update or delete on announced_events
  for each row execute function refuse_change();
create trigger import_rejects_append_only before update or delete on import_rejects
  for each row execute function refuse_change();
