-- breaking: no
-- `reencrypt-secrets` goes through the secrets workspace by workspace, as the role that serves requests (service-host).
create index subscription_secrets_workspace on subscription_secrets (workspace_id, secret_id);
revoke update (ciphertext) on subscription_secrets from ${worker_role};
