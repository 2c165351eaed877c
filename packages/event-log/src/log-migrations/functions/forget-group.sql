-- Ends a group that will never come back (a renamed consumer), which else would keep old days for ever. Owner only.
create or replace function log.forget_group(name text)
returns void
language sql
as $$
  delete from log.members where group_name = name;
  delete from log.claims where group_name = name;
$$;
revoke execute on function log.forget_group from public;
