-- breaking: no
-- Conversions that networks report one by one, and the tokens of the addresses that they report them to (domain.md 4.3).

-- The digest of a token leads to its workspace before any workspace is known, so the HTTP role may look up all of them. They are digests
-- of random tokens: no credential, and no data of a tenant.
create table postback_tokens (
  -- SHA-256 of the token. During a rotation an integration has two.
  digest bytea primary key check (octet_length(digest) = 32),
  workspace_id text collate "C" not null,
  integration_id text collate "C" not null,
  -- End of the overlap of a rotation.
  expires timestamptz,
  -- The integration's row is written with the commit, so the key is looked at then.
  foreign key (workspace_id, integration_id) references integrations (workspace_id, id) deferrable initially deferred
);
-- Those of an integration that is rotated or deleted.
create index postback_tokens_integration on postback_tokens (workspace_id, integration_id);

-- Never changed and never removed: a day can be folded again at any time. Without a key to the integration, whose row each insert would
-- lock; integrations are never removed either.
create table postback_conversions (
  workspace_id text collate "C" not null,
  integration_id text collate "C" not null,
  event text collate "C" not null,
  tx_id text collate "C" not null,
  occurred timestamptz(3) not null,
  -- The begin of the transaction that stored it.
  received timestamptz not null,
  -- It was received more than a day after it had occurred.
  late boolean not null,
  campaign text collate "C",
  sub_id text collate "C",
  country text collate "C",
  currency text collate "C" not null,
  -- Minor units.
  amount bigint,
  commission bigint,
  kind text collate "C",
  primary key (workspace_id, integration_id, event, tx_id)
);
-- The conversions of a day, and the first of all.
create index postback_conversions_occurred on postback_conversions (workspace_id, integration_id, occurred);
-- What came late since the last fold; all else lies on the days since then.
create index postback_conversions_late on postback_conversions (workspace_id, integration_id, received) where late;
create trigger postback_conversions_never_changed before update on postback_conversions
  for each row execute function refuse_change();

-- Up to when the conversions that an integration had received are in its stats; no row before its first fold.
create table postback_folds (
  workspace_id text collate "C" not null,
  integration_id text collate "C" not null,
  folded timestamptz not null,
  primary key (workspace_id, integration_id),
  foreign key (workspace_id, integration_id) references integrations (workspace_id, id)
);

do $do$
declare
  t text;
begin
  foreach t in array array['postback_tokens', 'postback_conversions', 'postback_folds'] loop
    execute format('alter table %I enable row level security, force row level security', t);
    execute format($p$create policy workspace on %I to ${http_role}, ${worker_role}
      using (workspace_id = current_setting('app.workspace_id', true))
      with check (workspace_id = current_setting('app.workspace_id', true))$p$, t);
  end loop;
end $do$;
create policy lookup on postback_tokens for select to ${http_role} using (true);
grant select, insert, update, delete on postback_tokens to ${http_role};
grant select, insert on postback_conversions to ${http_role};
grant select on postback_conversions to ${worker_role};
grant select on postback_folds to ${http_role};
grant select, insert, update on postback_folds to ${worker_role};
