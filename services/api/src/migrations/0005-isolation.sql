-- breaking: no
-- Who may do what in the tables above (security.md 4): both roles by workspace; of the engine's tables the worker sees all.
do $do$
declare
  t text;
begin
  foreach t in array array['brands', 'integrations', 'imports', 'sync_runs', 'announced_events', 'import_chunks', 'import_rejects',
    'run_checkpoints', 'stats_rows', 'stats_staging', 'stats_days_seen', 'due_work', 'schedules', 'work_turns'] loop
    execute format('alter table %I enable row level security, force row level security', t);
  end loop;
  foreach t in array array['brands', 'integrations', 'imports', 'sync_runs', 'announced_events', 'import_chunks', 'import_rejects',
    'run_checkpoints', 'stats_rows', 'stats_staging', 'stats_days_seen'] loop
    execute format($p$create policy workspace on %I to ${http_role}, ${worker_role}
      using (workspace_id = current_setting('app.workspace_id', true))
      with check (workspace_id = current_setting('app.workspace_id', true))$p$, t);
  end loop;
  foreach t in array array['due_work', 'schedules'] loop
    execute format($p$create policy workspace on %I to ${http_role}
      using (workspace_id = current_setting('app.workspace_id', true))
      with check (workspace_id = current_setting('app.workspace_id', true))$p$, t);
  end loop;
  -- The last two are swept of what ended runs staged, whichever workspace they belong to.
  foreach t in array array['due_work', 'schedules', 'work_turns', 'stats_staging', 'run_checkpoints'] loop
    execute format('create policy engine on %I to ${worker_role} using (true) with check (true)', t);
  end loop;
end $do$;

-- The worker may see and remove chunks of uploads that were cut off and rejects that are old, whichever workspace they belong to.
create policy swept_select on import_chunks for select to ${worker_role} using (stored_at < app_now() - interval '1 day');
create policy swept on import_chunks for delete to ${worker_role} using (stored_at < app_now() - interval '1 day');
create policy swept_select on import_rejects for select to ${worker_role} using (stored_at < app_now() - interval '30 days');
create policy swept on import_rejects for delete to ${worker_role} using (stored_at < app_now() - interval '30 days');

grant select, insert, update on integrations, imports, sync_runs, brands to ${http_role}, ${worker_role};
grant select, insert on announced_events, import_rejects to ${http_role}, ${worker_role};
grant select, insert, update, delete on due_work, schedules to ${http_role}, ${worker_role};

grant select, insert, delete on import_chunks to ${http_role};
grant select, delete on stats_staging, run_checkpoints to ${http_role};
grant select on stats_rows, stats_days_seen to ${http_role};

grant delete on import_rejects to ${worker_role};
grant select, delete on import_chunks to ${worker_role};
grant select, insert, update, delete on stats_staging, run_checkpoints to ${worker_role};
grant select, insert, update on stats_rows, stats_days_seen, work_turns to ${worker_role};
