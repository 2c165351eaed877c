-- breaking: no
-- The worker sweeps what ended runs staged, whichever workspace they belong to: tables of the engine, as due_work is.
do $do$
declare
  t text;
begin
  foreach t in array array['stats_staging', 'run_checkpoints'] loop
    execute format('create policy engine on %I to ${worker_role} using (true) with check (true)', t);
  end loop;
end $do$;
