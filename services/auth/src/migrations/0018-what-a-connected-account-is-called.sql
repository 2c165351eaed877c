-- breaking: no
-- The mail address that the provider told of an account, for its person to tell two accounts of one provider apart. Nobody is found by it.
alter table identities add column email text;
grant update (email) on identities to ${http_role};
