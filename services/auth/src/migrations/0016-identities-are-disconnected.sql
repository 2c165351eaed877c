-- breaking: no
-- A connected account is named to be disconnected, and shows when it was used last. The default is for rows of before, and for processes of
-- the version before.
alter table identities
  add column identity_id text collate "C" not null default 'idn_0' || upper(left(replace(gen_random_uuid()::text, '-', ''), 25)),
  add column last_used timestamptz;
create unique index identities_id on identities (identity_id);
grant update (last_used) on identities to ${http_role};
