-- HOLD: attempts that could not be made here, by no fault of the receiver, go back to `due` as they were: no row of the log, no
-- attempt used up, the state of the delivery untouched. The lane waits for p_hold_ms and then lets one through to look again.
-- Fenced by the claim id. What was disabled or deleted meanwhile is left alone: settle ends it. A lane that has been held for
-- longer than p_most_ms is not held again: its attempts stay leased and are returned as `is_over`, to be settled. Returns what
-- went back, and whether the lane begins to wait with it. Not p_is_fault: its host is full; it rests, but does not count as held. Primary
-- key of leases.
drop function if exists hold(text[], text[], text[], uuid[], int, bigint);
create or replace function hold(
  p_workspace text[], p_subscription text[], p_delivery text[], p_claim uuid[], p_hold_ms int, p_most_ms bigint default null,
  p_is_fault boolean default true)
returns table (delivery_id text, subscription_id text, begins boolean, is_over boolean)
language plpgsql
set search_path = ${schema}, pg_temp
set enable_seqscan = off
as $$
#variable_conflict use_column
declare t timestamptz; lane_ids text[]; lane_held_since timestamptz[];
begin
  select array_agg(l.subscription_id), array_agg(l.held_since) into lane_ids, lane_held_since from (
    select l.subscription_id, l.held_since from lanes l where l.subscription_id = any(p_subscription)
     order by l.subscription_id for update) l;
  t := app_now();
  return query
  with leased as materialized (
    select e.*, lane.held_since, coalesce(lane.held_since < t - p_most_ms * interval '1 ms', false) as is_over
      from unnest(p_workspace, p_subscription, p_delivery, p_claim) i(workspace, subscription, delivery, claim)
      join unnest(lane_ids, lane_held_since) lane(id, held_since) on lane.id = i.subscription
      cross join lateral ( /* the fence */
        select e.ctid as place, e.* from leases e
         where e.subscription_id = i.subscription and e.delivery_id = i.delivery and e.workspace_id = i.workspace and e.claim_id = i.claim
           and e.ending is null limit 1) e),
  given_back as (select * from leased where not is_over),
  deleted_leases as (delete from leases where ctid = any(array(select place from given_back))),
  queued_again as (
    insert into due (workspace_id, subscription_id, priority, due_at, delivery_id, event_day, event_id, epoch, attempt)
    select workspace_id, subscription_id, priority, due_at, delivery_id, event_day, event_id, epoch, attempt from given_back),
  updated_lanes as (
    update lanes l set in_flight = l.in_flight - n.held, next_due = least(l.next_due, n.due_at), cap = 1,
           ready_at = greatest(l.ready_at, t + p_hold_ms * interval '1 ms'), 
           held_since = case when p_is_fault then coalesce(l.held_since, t) else l.held_since end
      from (select subscription_id, workspace_id, count(*)::int as held, min(due_at) as due_at
              from given_back group by 1, 2) n
     where l.subscription_id = n.subscription_id and l.workspace_id = n.workspace_id)
  select e.delivery_id, e.subscription_id, e.held_since is null, e.is_over from leased e;
end $$;
revoke execute on function hold from public;
grant execute on function hold to ${worker_role};
