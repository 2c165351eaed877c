-- breaking: no
-- Browsers in which people have signed in before (decision 44). browser: SHA-256 of the cookie's value. Global, as people are.
create table known_browsers (
  user_id text collate "C" not null references users (user_id),
  browser bytea not null,
  last_used timestamptz not null default app_now(),
  primary key (user_id, browser)
);
-- The removal of what is over.
create index known_browsers_last_used on known_browsers (last_used);
grant select, insert, update, delete on known_browsers to ${http_role};
grant select, delete on known_browsers to ${worker_role};
