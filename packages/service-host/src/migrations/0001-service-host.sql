-- breaking: no
-- What a start looks at: the history of migrations, so that code never serves on a schema it does not know, and one value per
-- key-encryption key, so that a wrong key is found before a secret is asked for (security.md 7).
grant select on migrations, applied_functions to ${http_role}, ${worker_role};

-- A global table, without a workspace: it holds no tenant data, and the value it encrypts is its own kid.
create table key_canaries (
  kid text collate "C" primary key,
  envelope text not null,
  created timestamptz not null default app_now()
);

grant select, insert on key_canaries to ${http_role}, ${worker_role};
