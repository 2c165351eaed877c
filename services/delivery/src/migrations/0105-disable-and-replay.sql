-- breaking: no
-- DISABLE or delete: one short transaction. Fan out matches by the raised version; the lane is parked; attempts under way are
-- marked. False: it was so already (eight 410s in flight disable once). A deleted subscription keeps its row and its lane.
create function disable(p_workspace text, p_subscription text, p_status text, p_reason text, p_ending text, p_version int, p_at timestamptz)
returns boolean language plpgsql as $$
begin
  update workspaces set subscriptions_version = subscriptions_version + 1 where workspace_id = p_workspace;
  perform 1 from lanes where subscription_id = p_subscription and workspace_id = p_workspace for update;
  update subscriptions set status = p_status, disabled_reason = p_reason, version = p_version, updated = p_at
   where subscription_id = p_subscription and workspace_id = p_workspace and status <> p_status and status <> 'deleted';
  if not found then return false; end if;
  update lanes set ready_at = 'infinity' where subscription_id = p_subscription and workspace_id = p_workspace;
  update leases set ending = p_ending where subscription_id = p_subscription and workspace_id = p_workspace;
  return true;
end $$;

-- END what waits, in batches until it returns 0. Enabling calls it too, first: a row left from before must not come alive again.
create function end_open(p_workspace text, p_subscription text, p_reason text, p_limit int) returns int language plpgsql as $$
declare t timestamptz; n int;
begin
  perform 1 from lanes where subscription_id = p_subscription and workspace_id = p_workspace and ready_at = 'infinity' for update;
  if not found then return 0; end if;
  t := app_now();
  with gone as (
    delete from due where ctid = any(array(
      select ctid from due where subscription_id = p_subscription and workspace_id = p_workspace limit p_limit)) returning *),
  folded as (
    update deliveries d set status = 'dead', dead_reason = p_reason, dead = t, next_attempt = null, seq = d.seq + 1
      from gone g where d.event_day = g.event_day and d.delivery_id = g.delivery_id and d.workspace_id = g.workspace_id
    returning d.seq, d.attempt, g.event_day, g.workspace_id, g.delivery_id, g.epoch),
  listed as (
    insert into dead_deliveries (event_day, workspace_id, delivery_id)
    select event_day, workspace_id, delivery_id from folded on conflict do nothing)
  insert into delivery_log (event_day, workspace_id, delivery_id, seq, kind, epoch, attempt, at, dead_reason)
  select event_day, workspace_id, delivery_id, seq, 'ended', epoch, attempt, t, p_reason from folded;
  get diagnostics n = row_count;
  update lanes set next_due = coalesce((select min(due_at) from due where subscription_id = p_subscription and workspace_id = p_workspace), 'infinity')
   where subscription_id = p_subscription and workspace_id = p_workspace;
  return n;
end $$;

-- Null: not disabled. False: end_open first.
create function enable(p_workspace text, p_subscription text, p_version int, p_at timestamptz) returns boolean language plpgsql as $$
begin
  update workspaces set subscriptions_version = subscriptions_version + 1 where workspace_id = p_workspace;
  perform 1 from lanes where subscription_id = p_subscription and workspace_id = p_workspace for update;
  if not exists (select 1 from subscriptions where subscription_id = p_subscription and workspace_id = p_workspace and status = 'disabled') then
    return null;
  end if;
  if exists (select 1 from due where subscription_id = p_subscription and workspace_id = p_workspace) then return false; end if;
  update lanes set ready_at = '-infinity', cap = least(2, max_in_flight), failures = 0, timed_out = false, failing_since = null
   where subscription_id = p_subscription and workspace_id = p_workspace;
  update subscriptions set status = 'enabled', disabled_reason = null, version = p_version, updated = p_at
   where subscription_id = p_subscription and workspace_id = p_workspace;
  return true;
end $$;

-- REPLAY. Returns what was opened; the rest is refused (under way, open, parked lane, older than 30 days).
create function replay(p_workspace text, p_day date[], p_delivery text[], p_priority smallint, p_by text) returns setof text language plpgsql as $$
declare t timestamptz; mine text[];
begin
  select array_agg(distinct d.subscription_id) into mine
    from unnest(p_day, p_delivery) i(day, id) join deliveries d on d.event_day = i.day and d.delivery_id = i.id and d.workspace_id = p_workspace;
  perform 1 from lanes where subscription_id = any(mine) and workspace_id = p_workspace order by subscription_id for update;
  t := app_now();
  return query
  with old as (
    select d.* from (select distinct day, id from unnest(p_day, p_delivery) u(day, id)) i
      join deliveries d on d.event_day = i.day and d.delivery_id = i.id and d.workspace_id = p_workspace
      join lanes l on l.subscription_id = d.subscription_id and l.workspace_id = d.workspace_id and l.ready_at < 'infinity'
     where d.status in ('dead', 'delivered', 'retry') and d.event_day > (t at time zone 'utc')::date - 30
       and not exists (select 1 from leases e where e.subscription_id = d.subscription_id and e.delivery_id = d.delivery_id and e.workspace_id = d.workspace_id)),
  dropped as (
    delete from due w using old o
     where w.subscription_id = o.subscription_id and w.priority = o.priority and w.due_at = o.next_attempt and w.delivery_id = o.delivery_id
       and w.workspace_id = o.workspace_id),
  unlisted as (
    delete from dead_deliveries x using old o where x.event_day = o.event_day and x.workspace_id = o.workspace_id and x.delivery_id = o.delivery_id),
  opened as (
    update deliveries d set status = 'replay', epoch = d.epoch + 1, attempt = 0, next_attempt = t, priority = p_priority, dead = null, dead_reason = null,
           delivered = null, last_outcome = null, last_status = null, last_error_code = null, seq = d.seq + 1
      from old o where d.event_day = o.event_day and d.delivery_id = o.delivery_id and d.workspace_id = o.workspace_id returning d.*),
  logged as (
    insert into delivery_log (event_day, workspace_id, delivery_id, seq, kind, epoch, attempt, at, next_attempt, requested_by)
    select event_day, workspace_id, delivery_id, seq, 'replay_requested', epoch, 0, t, t, p_by from opened),
  queued as (
    insert into due (workspace_id, subscription_id, priority, due_at, delivery_id, event_day, event_id, epoch, attempt)
    select workspace_id, subscription_id, priority, t, delivery_id, event_day, event_id, epoch, 1 from opened),
  lane as (
    update lanes l set next_due = least(l.next_due, t) from (select distinct subscription_id, workspace_id from opened) o
     where l.subscription_id = o.subscription_id and l.workspace_id = o.workspace_id)
  select delivery_id from opened;
end $$;

alter function disable(text, text, text, text, text, int, timestamptz) set search_path = ${schema}, pg_temp;
alter function end_open(text, text, text, int) set search_path = ${schema}, pg_temp;
alter function enable(text, text, int, timestamptz) set search_path = ${schema}, pg_temp;
alter function replay(text, date[], text[], smallint, text) set search_path = ${schema}, pg_temp;
alter function replay(text, date[], text[], smallint, text) set plan_cache_mode = force_generic_plan;
revoke execute on function disable(text, text, text, text, text, int, timestamptz), end_open(text, text, text, int), enable(text, text, int, timestamptz),
  replay(text, date[], text[], smallint, text) from public;
grant execute on function disable(text, text, text, text, text, int, timestamptz), end_open(text, text, text, int), enable(text, text, int, timestamptz),
  replay(text, date[], text[], smallint, text) to ${http_role}, ${worker_role};
