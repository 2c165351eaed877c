-- EVENT PAYLOADS: the bytes of events, for filters to judge. Each day by itself, which is nearly always one: a join with the parent would
-- open the partition of every day. Primary key of events.
create or replace function event_payloads(p_day date[], p_event text[], p_workspace text[])
returns table (event_id text, payload bytea)
language plpgsql stable
set search_path = ${schema}, pg_temp
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
#variable_conflict use_column
declare day date;
begin
  for day in select distinct d from unnest(p_day) d loop
    return query
    select e.event_id, e.payload from unnest(p_day, p_event, p_workspace) i(day, id, workspace)
      join events e on e.event_day = day and e.event_id = i.id and e.workspace_id = i.workspace
     where i.day = day;
  end loop;
end $$;
revoke execute on function event_payloads from public;
grant execute on function event_payloads to ${worker_role};
