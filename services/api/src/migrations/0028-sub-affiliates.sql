-- breaking: no
-- Read rows of commission plans and sub-affiliates (domain.md 3.8), each the fold of its stream.
create table commission_plans (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  version integer not null,
  status text collate "C" not null,
  state jsonb not null,
  created timestamptz(3) not null,
  updated timestamptz(3) not null,
  primary key (workspace_id, id)
);
create index commission_plans_list on commission_plans (workspace_id, created desc, id desc);

create table sub_affiliates (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  version integer not null,
  status text collate "C" not null,
  plan_id text collate "C" not null,
  external_id text collate "C",
  state jsonb not null,
  created timestamptz(3) not null,
  updated timestamptz(3) not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, plan_id) references commission_plans (workspace_id, id)
);
-- How rows name it, also after it was removed.
create unique index sub_affiliates_by_external_id on sub_affiliates (workspace_id, external_id);
-- Its list, and with a filter each.
create index sub_affiliates_list on sub_affiliates (workspace_id, created desc, id desc);
create index sub_affiliates_by_status on sub_affiliates (workspace_id, status, created desc, id desc);
create index sub_affiliates_by_plan on sub_affiliates (workspace_id, plan_id, created desc, id desc);

-- Who it is: personal data, which no stream holds. Erased 90 days after the removal.
create table sub_affiliate_profiles (
  workspace_id text collate "C" not null,
  sub_affiliate_id text collate "C" not null,
  name text not null,
  email text not null,
  primary key (workspace_id, sub_affiliate_id)
);
-- How it is paid; erased with it.
create table sub_affiliate_payout_methods (
  workspace_id text collate "C" not null,
  sub_affiliate_id text collate "C" not null,
  type text collate "C" not null,
  fingerprint text not null,
  ciphertext text not null,
  primary key (workspace_id, sub_affiliate_id)
);
create table sub_affiliate_invitations (
  -- SHA-256 of the token. It is gone once it was used.
  digest bytea primary key check (octet_length(digest) = 32),
  workspace_id text collate "C" not null,
  sub_affiliate_id text collate "C" not null,
  expires timestamptz not null
);
create index sub_affiliate_invitations_of on sub_affiliate_invitations (workspace_id, sub_affiliate_id);

-- What is to be done about a subject, and when.
create table sub_affiliate_work (
  workspace_id text collate "C" not null,
  subject text collate "C" not null,
  due timestamptz not null,
  primary key (workspace_id, subject)
);
-- What is due, the oldest first.
create index sub_affiliate_work_due on sub_affiliate_work (due);

do $do$
declare
  t text;
begin
  foreach t in array array['commission_plans', 'sub_affiliates', 'sub_affiliate_profiles', 'sub_affiliate_payout_methods',
    'sub_affiliate_invitations'] loop
    execute format('alter table %I enable row level security, force row level security', t);
    execute format($p$create policy workspace on %I to ${http_role}, ${worker_role}
      using (workspace_id = current_setting('app.workspace_id', true))
      with check (workspace_id = current_setting('app.workspace_id', true))$p$, t);
  end loop;
end $do$;
alter table sub_affiliate_work enable row level security, force row level security;
create policy workspace on sub_affiliate_work to ${http_role}
  using (workspace_id = current_setting('app.workspace_id', true))
  with check (workspace_id = current_setting('app.workspace_id', true));
create policy engine on sub_affiliate_work to ${worker_role} using (true) with check (true);
-- A token says whom it invites before anything else is known.
create policy lookup on sub_affiliate_invitations for select to ${http_role} using (true);

grant select, insert, update on commission_plans, sub_affiliates to ${http_role}, ${worker_role};
grant select, insert, update, delete on sub_affiliate_work to ${http_role}, ${worker_role};
grant select, insert, update, delete on sub_affiliate_profiles, sub_affiliate_payout_methods to ${http_role};
grant select, insert, delete on sub_affiliate_invitations to ${http_role};
-- The worker erases, and ends invitations.
grant select, delete on sub_affiliate_profiles, sub_affiliate_payout_methods, sub_affiliate_invitations to ${worker_role};
