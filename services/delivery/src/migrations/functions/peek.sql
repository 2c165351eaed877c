-- PEEK: the next workspaces after the cursor, by id, each with at most p_each events. No locks: fan_out checks.
-- In PL/pgSQL, which keeps its plan: a function in SQL with settings of its own is planned at every call, 0.4 ms each.
-- Primary key of fan_out_queue.
create or replace function peek(p_after text, p_workspaces int, p_each int)
returns table (event_day date, event_id text, workspace_id text, type text, about text, version bigint)
language plpgsql stable
set search_path = ${schema}, pg_temp
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
#variable_conflict use_column
begin
  return query
  with recursive w (id) as (
    (select q.workspace_id from fan_out_queue q where q.workspace_id > p_after order by 1 limit 1) union all
    select (select q.workspace_id from fan_out_queue q where q.workspace_id > w.id order by 1 limit 1) from w where w.id is not null)
  select e.event_day, e.event_id, w.id, e.type, e.about, s.subscriptions_version
  from (select id from w where id is not null limit p_workspaces) w join workspaces s on s.workspace_id = w.id
  cross join lateral (select * from fan_out_queue q where q.workspace_id = w.id order by q.event_id limit p_each) e
  order by w.id, e.event_id;
end $$;
revoke execute on function peek from public;
grant execute on function peek to ${worker_role};
