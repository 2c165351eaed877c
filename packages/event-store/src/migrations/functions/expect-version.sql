-- Ends a transaction whose stream is not where it was expected: raised, so that a commit sent behind it commits nothing.
create or replace function expect_version(p_is boolean)
returns void
language plpgsql
as $$
begin
  if p_is is not true then
    raise exception 'the stream is not at the expected version' using errcode = 'WD001';
  end if;
end $$;
revoke execute on function expect_version from public;
grant execute on function expect_version to ${http_role}, ${worker_role};
