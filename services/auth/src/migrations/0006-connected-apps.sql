-- breaking: no
-- The lists of connected apps: all live grants of a workspace, and those of one person in it.
drop index grants_list;
create index grants_by_status on grants (workspace_id, status, created desc, id desc);
create index grants_by_user on grants (workspace_id, user_id, created desc, id desc);
