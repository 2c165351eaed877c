-- breaking: no
-- Rejected lines are aged out: kept for 30 days, and of a failed import only the first. They are still never changed.
alter table import_rejects add column stored_at timestamptz not null default app_now();
create index import_rejects_age on import_rejects (stored_at);
drop trigger import_rejects_append_only on import_rejects;
create trigger import_rejects_never_changed before update on import_rejects for each row execute function refuse_change();
-- The worker may see and remove those that are old, whichever workspace they belong to.
create policy swept_select on import_rejects for select to ${worker_role} using (stored_at < app_now() - interval '30 days');
create policy swept on import_rejects for delete to ${worker_role} using (stored_at < app_now() - interval '30 days');
grant delete on import_rejects to ${worker_role};
