-- breaking: no
-- `check-rows` compares read rows with their streams, and `rebuild-rows` writes them anew, in the transaction of their workspace.
grant insert, update on workspaces to ${worker_role};
grant select, insert, update on memberships, oauth_apps to ${worker_role};
grant insert on api_keys to ${worker_role};
create policy rebuilt on oauth_apps to ${worker_role}
  using (workspace_id = current_setting('app.workspace_id', true))
  with check (workspace_id = current_setting('app.workspace_id', true));
-- Rows are written by workspace and id, also where both are one.
alter table workspaces add unique (workspace_id, id);
