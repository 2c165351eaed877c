-- breaking: no
-- What an app subscribed to in all workspaces, by the client id of its owner: an app is suspended or loses scopes everywhere at once, and
-- then a workspace has several grants that changed with one event.
create index subscriptions_client on subscriptions ((state #>> '{owner,id}')) where owner_grant is not null and status <> 'deleted';
alter table changed_grants drop constraint changed_grants_pkey, add primary key (event_id, workspace_id, grant_id);
