-- breaking: no
-- Workspaces, their subscriptions and the secrets of these (delivery.md, stack.md 7). Ids are unique by themselves and lead each
-- key; the workspace is part of every key, so none of them reveals or joins another workspace's rows (security.md 4).
create table workspaces (
  workspace_id text collate "C" primary key,
  subscriptions_version bigint not null default 1
) with (fillfactor = 70);

-- The read row of the aggregate: `state` is the fold of its stream, the other columns are derived from it.
create table subscriptions (
  workspace_id text collate "C" not null references workspaces (workspace_id),
  subscription_id text collate "C" not null,
  status text not null check (status in ('enabled', 'disabled', 'deleted')),
  url text not null,
  events text[] not null,
  headers jsonb not null,
  version int not null,
  state jsonb not null,
  created timestamptz(3) not null,
  updated timestamptz(3) not null,
  primary key (subscription_id, workspace_id)
);
-- The list of a workspace, newest first, also of one status.
create index subscriptions_list on subscriptions (workspace_id, created desc, subscription_id desc);
-- Their number; the index that fan out matches with.
create index subscriptions_live on subscriptions (workspace_id) where status <> 'deleted';
-- Deleted ones that may be removed, oldest first: once no delivery is left and a day more than their retention has passed.
create index subscriptions_deleted on subscriptions (updated) where status = 'deleted';

-- The row that a secret refers to is written with the commit. ciphertext: the envelope of security.md 3. expires: end of the overlap after a rotation (settled-points.md 12).
create table subscription_secrets (
  workspace_id text collate "C" not null,
  subscription_id text collate "C" not null,
  secret_id text collate "C" not null,
  version int not null,
  ciphertext text not null,
  hint text not null,
  created timestamptz(3) not null,
  expires timestamptz(3),
  primary key (subscription_id, workspace_id, secret_id),
  foreign key (subscription_id, workspace_id) references subscriptions (subscription_id, workspace_id) deferrable initially deferred
);
