-- breaking: no
-- The row of a revoked key goes after 31 days, as it does in the services' projections; its stream keeps what happened. Until then
-- nobody may remove it.
create index api_keys_revoked on api_keys (revoked) where revoked is not null;
create policy revoked_read on api_keys for select to ${worker_role} using (revoked < app_now() - interval '31 days');
create policy revoked_removed on api_keys for delete to ${worker_role} using (revoked < app_now() - interval '31 days');
create policy revoked_kept on api_keys as restrictive for delete to ${worker_role}
  using (revoked < app_now() - interval '31 days');
grant delete on api_keys to ${worker_role};
