-- breaking: no
-- How an invitation ended, for the page of its link; it stays until its sub-affiliate is erased. Null: open until it expires. What has ended has
-- expired, too, so that no process of the version before takes it for open.
alter table sub_affiliate_invitations add column ended text collate "C" check (ended in ('used', 'replaced', 'withdrawn'));
grant update (ended, expires) on sub_affiliate_invitations to ${http_role};

-- What workspaces are called, as auth told last: whoever is invited by one reads who invites.
create table workspace_names (
  workspace_id text collate "C" primary key,
  name text not null,
  -- Of auth's event. Ids sort by time, and the log may repeat an older one.
  event_id text collate "C" not null
);
alter table workspace_names enable row level security, force row level security;
create policy workspace on workspace_names for select to ${http_role}
  using (workspace_id = current_setting('app.workspace_id', true));
create policy engine on workspace_names to ${worker_role} using (true) with check (true);
grant select on workspace_names to ${http_role};
grant select, insert, update on workspace_names to ${worker_role};
