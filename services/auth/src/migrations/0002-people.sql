-- breaking: no
-- People, the ways they sign in, their sessions and invitations: operational tables, which hold what events must not (auth.md 1.3). They
-- are global: a person belongs to several workspaces, and a cookie or link names none.
create table users (
  user_id text collate "C" primary key,
  name text not null,
  -- As it was given; null once the person is erased.
  email text,
  -- In the form that is compared.
  email_key text collate "C" unique,
  status text not null check (status in ('active', 'disabled', 'erased')),
  created timestamptz not null default app_now(),
  check ((email is null) = (status = 'erased') and (email_key is null) = (email is null))
);
-- argon2id in the PHC string format, with its parameters and salt.
create table passwords (
  user_id text collate "C" primary key references users (user_id),
  hash text not null,
  changed timestamptz not null default app_now()
);
-- Accounts at upstream providers. Never found by the mail address.
create table identities (
  issuer text collate "C" not null,
  subject text collate "C" not null,
  user_id text collate "C" not null references users (user_id),
  created timestamptz not null default app_now(),
  primary key (issuer, subject)
);
create index identities_user on identities (user_id);

-- digest: SHA-256 of the cookie's value.
create table sessions (
  digest bytea primary key,
  session_id text collate "C" not null unique,
  user_id text collate "C" not null references users (user_id),
  -- The current workspace.
  workspace_id text collate "C",
  created timestamptz not null default app_now(),
  last_seen timestamptz not null default app_now()
);
create index sessions_user on sessions (user_id);
-- The removal of what has ended.
create index sessions_last_seen on sessions (last_seen);

-- Links that were shown once. digest: SHA-256 of the token in the link.
create table invitations (
  digest bytea primary key,
  invitation_id text collate "C" not null unique,
  workspace_id text collate "C" not null references workspaces (workspace_id),
  role text not null check (role in ('owner', 'admin', 'member', 'viewer')),
  -- Of whom it is for, as far as the inviter said it.
  email text,
  name text,
  inviter text collate "C" not null,
  created timestamptz not null default app_now(),
  expires timestamptz not null
);
create index invitations_workspace on invitations (workspace_id, created);
create index invitations_expires on invitations (expires);
create table password_links (
  digest bytea primary key,
  user_id text collate "C" not null references users (user_id),
  -- Whose owner gave it; null: the operator.
  workspace_id text collate "C",
  expires timestamptz not null
);
create index password_links_user on password_links (user_id);

-- Attempts to sign in that failed or are under way, counted by all processes. subject: SHA-256 of account or address.
create table sign_in_attempts (
  subject bytea not null,
  attempt_id text collate "C" not null,
  at timestamptz not null default app_now(),
  primary key (subject, attempt_id)
);
create index sign_in_attempts_at on sign_in_attempts (at);

-- Folds of their streams (architecture.md 3).
create table memberships (
  workspace_id text collate "C" not null references workspaces (workspace_id),
  id text collate "C" not null,
  user_id text collate "C" not null references users (user_id),
  role text not null,
  status text not null,
  state jsonb not null,
  version int not null,
  created timestamptz not null,
  updated timestamptz not null,
  primary key (workspace_id, id),
  unique (workspace_id, user_id)
);
create index memberships_list on memberships (workspace_id, created desc, id desc);
create index memberships_user on memberships (user_id);

-- Who did what. Nobody changes a row, and nobody removes one before a year has passed.
create table audit_log (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  created timestamptz(3) not null default app_now(),
  actor text collate "C" not null,
  action text collate "C" not null,
  object text collate "C",
  outcome text not null check (outcome in ('done', 'refused')),
  address text,
  user_agent text,
  request_id text not null,
  primary key (workspace_id, id)
);
create index audit_log_list on audit_log (workspace_id, created desc, id desc);
create index audit_log_created on audit_log (created);
create trigger audit_log_never_changed before update on audit_log for each row execute function refuse_change();

alter table memberships enable row level security, force row level security;
create policy by_workspace on memberships to ${http_role}, ${worker_role}
  using (workspace_id = current_setting('app.workspace_id', true))
  with check (workspace_id = current_setting('app.workspace_id', true));
-- A person's own, over all workspaces.
create policy by_user on memberships for select to ${http_role} using (user_id = current_setting('app.user_id', true));
create policy by_user on workspaces for select to ${http_role} using (
  workspace_id in (select m.workspace_id from memberships m where m.user_id = current_setting('app.user_id', true)));

alter table audit_log enable row level security, force row level security;
create policy by_workspace on audit_log to ${http_role}
  using (workspace_id = current_setting('app.workspace_id', true))
  with check (workspace_id = current_setting('app.workspace_id', true));
-- What a person does on the way in is written down in each of the person's workspaces.
create policy by_user on audit_log for insert to ${http_role} with check (
  workspace_id in (select m.workspace_id from memberships m where m.user_id = current_setting('app.user_id', true)));
create policy ended_read on audit_log for select to ${worker_role} using (created < app_now() - interval '365 days');
create policy ended_removed on audit_log for delete to ${worker_role} using (created < app_now() - interval '365 days');

grant select, insert, update on users, passwords, memberships to ${http_role};
grant select, insert, delete on identities to ${http_role};
grant delete on passwords to ${http_role};
grant select, insert, update, delete on sessions, invitations, password_links, sign_in_attempts to ${http_role};
grant select, insert on audit_log to ${http_role};
grant select, delete on sessions, invitations, password_links, sign_in_attempts, audit_log to ${worker_role};
