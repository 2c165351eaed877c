-- Counts in_flight anew from the leases, at start and every hour; returns the number of lanes that were wrong. The lock comes
-- first, the count after it.
create or replace function recount_in_flight()
returns int
language plpgsql
set search_path = ${schema}, pg_temp
as $$
declare wrong text[]; n int;
begin
  select array_agg(l.subscription_id) into wrong from lanes l
   where l.in_flight <> (select count(*) from leases e where e.subscription_id = l.subscription_id and e.workspace_id = l.workspace_id);
  if wrong is null then return 0; end if;
  perform 1 from lanes where subscription_id = any(wrong) order by subscription_id for update;
  update lanes l set in_flight = c.leased
    from (select x.id, (select count(*)::int from leases e where e.subscription_id = x.id) as leased from unnest(wrong) x(id)) c
   where l.subscription_id = c.id and l.in_flight <> c.leased;
  get diagnostics n = row_count;
  return n;
end $$;
revoke execute on function recount_in_flight from public;
grant execute on function recount_in_flight to ${worker_role};
