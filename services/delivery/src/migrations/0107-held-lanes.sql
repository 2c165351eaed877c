-- breaking: no
-- HOLD: attempts that could not be signed, since no key opens their secret, go back to `due` as they were: no row of the log, no
-- attempt used up, the state of the delivery untouched. The lane waits for p_hold_ms and then lets one through to look again.
-- Fenced by the claim id. What was disabled or deleted meanwhile is left alone: settle ends it. Returns what went back, and
-- whether the lane begins to wait with it.
create function hold(p_workspace text[], p_subscription text[], p_delivery text[], p_claim uuid[], p_hold_ms int)
returns table (delivery_id text, subscription_id text, begins boolean) language plpgsql set search_path = ${schema}, pg_temp as $$
#variable_conflict use_column
declare t timestamptz;
begin
  perform 1 from lanes where subscription_id = any(p_subscription) order by subscription_id for update;
  t := app_now();
  return query
  with gone as ( /* the fence */
    delete from leases e using unnest(p_workspace, p_subscription, p_delivery, p_claim) i(workspace, subscription, delivery, claim)
     where e.subscription_id = i.subscription and e.delivery_id = i.delivery and e.workspace_id = i.workspace and e.claim_id = i.claim
       and e.ending is null
    returning e.*),
  again as (
    insert into due (workspace_id, subscription_id, priority, due_at, delivery_id, event_day, event_id, epoch, attempt)
    select workspace_id, subscription_id, priority, due_at, delivery_id, event_day, event_id, epoch, attempt from gone),
  lane as (
    update lanes l set in_flight = l.in_flight - n.held, next_due = least(l.next_due, n.due_at), cap = 1,
           ready_at = greatest(l.ready_at, t + p_hold_ms * interval '1 ms'), held_since = coalesce(l.held_since, t)
      from (select subscription_id, workspace_id, count(*)::int as held, min(due_at) as due_at from gone group by 1, 2) n
     where l.subscription_id = n.subscription_id and l.workspace_id = n.workspace_id)
  select g.delivery_id, g.subscription_id, l.held_since is null
    from gone g join lanes l on l.subscription_id = g.subscription_id and l.workspace_id = g.workspace_id;
end $$;
create index lanes_held on lanes (held_since) where held_since is not null;
revoke execute on function hold(text[], text[], text[], uuid[], int) from public;
grant execute on function hold(text[], text[], text[], uuid[], int) to ${worker_role};
