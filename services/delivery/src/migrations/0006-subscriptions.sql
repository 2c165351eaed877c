-- breaking: no
-- What a subscription lets through, what its last saver may read, which grant it hangs on (delivery.md 4.1). Null: none, or not known,
-- since it was last saved by the version before.
alter table subscriptions add column filter jsonb, add column scopes text[], add column owner_grant text collate "C";
-- The subscriptions of a grant that ends.
create index subscriptions_grant on subscriptions (workspace_id, owner_grant) where owner_grant is not null and status <> 'deleted';

-- strict_event_scopes: a setting of the workspace, as auth tells it. tests: sent in the minute that began at tests_since.
alter table workspaces add column strict_event_scopes boolean not null default false,
  add column tests_since timestamptz not null default '-infinity', add column tests int not null default 0;

-- Secrets whose overlap is over, to be removed.
create index subscription_secrets_expired on subscription_secrets (expires) where expires is not null;

-- A test event and its delivery (functions/send-test.sql); row-level security keeps them within the workspace.
grant insert on events, deliveries to ${http_role};
-- The command that encrypts secrets by the current key.
grant update (ciphertext) on subscription_secrets to ${worker_role};

-- Grants of apps that ended or lost scopes, until the subscriptions that hang on them have followed. scopes: what is left, null: nothing.
create table changed_grants (
  workspace_id text collate "C" not null,
  event_id text collate "C" not null,
  grant_id text collate "C" not null,
  scopes text[],
  primary key (event_id, workspace_id)
);
alter table changed_grants enable row level security, force row level security;
create policy engine on changed_grants to ${worker_role} using (true) with check (true);
-- update: the row is locked while its subscriptions follow.
grant select, insert, update, delete on changed_grants to ${worker_role};
