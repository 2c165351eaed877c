-- breaking: no
-- Who may do what (security.md 4). Roles own nothing. HTTP sees its workspace; the worker crosses workspaces on these tables alone.
-- The owner, which is forced too, reads the three queues: it must not drop a day that one of them points into.
do $$
declare t text;
begin
  foreach t in array array['workspaces', 'subscriptions', 'subscription_secrets', 'lanes', 'events', 'fan_out_queue',
                           'deliveries', 'dead_deliveries', 'delivery_log', 'due', 'leases', 'kept_announcements'] loop
    execute format('alter table %I enable row level security, force row level security', t);
    execute format('create policy engine on %I to ${worker_role} using (true) with check (true)', t);
    if t <> 'kept_announcements' then
      execute format('create policy by_workspace on %I to ${http_role} using (workspace_id = current_setting(''app.workspace_id'', true)) '
                     'with check (workspace_id = current_setting(''app.workspace_id'', true))', t);
    end if;
  end loop;
  foreach t in array array['fan_out_queue', 'due', 'leases'] loop
    execute format('create policy partition_guard on %I for select to current_user using (true)', t);
  end loop;
end $$;

grant select, insert, update on workspaces, subscriptions, subscription_secrets, lanes to ${http_role};
grant select on events to ${http_role};
grant select, update on deliveries, leases to ${http_role};
grant select, insert on delivery_log to ${http_role};
grant select, insert, delete on dead_deliveries, due to ${http_role};

grant select, insert, update on workspaces to ${worker_role};
grant select, insert, update, delete on lanes, leases to ${worker_role};
grant select, update, delete on subscriptions to ${worker_role};
grant select, delete on subscription_secrets to ${worker_role};
grant select, insert on events, delivery_log to ${worker_role};
grant select, insert, update on deliveries to ${worker_role};
grant select, insert, delete on fan_out_queue, dead_deliveries, due, kept_announcements to ${worker_role};
