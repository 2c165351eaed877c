-- breaking: no
-- Settle learns three things. delivery_log.repeated: the mark of reliability.md F33. lanes.failed_deliveries: deliveries with a
-- failed attempt since failing_since, told by webhook.disabled (domain.md 5, 53); deliveries.failed_from is the delivery's first
-- failed attempt in that time, so that each counts once, and no part of the fold. lanes.held_since: since when the lane waits for
-- a signing secret to become readable (0107); an attempt that was signed ends it.
alter table delivery_log add column repeated boolean not null default false;
alter table deliveries add column failed_from timestamptz;
alter table lanes add column failed_deliveries int not null default 0, add column held_since timestamptz;

-- The new argument has a default: a process of the version before goes on.
drop function settle(text[], text[], text[], uuid[], text[], text[], int[], text[], int[], text[], text[], bigint[], text[], int[], double precision[], int);
-- SETTLE, and TAKE OVER: that is a read of the expired leases, settled as 'unknown' under the claim id read. p_delay_ms: from
-- the end of the attempt to the next one (Retry-After merged in), null = none follows; added to the clock read under the lock, so
-- that it is never short. Returns the deliveries that were settled; one that is missing had lost its lease. After a 410: disable
-- first, then settle. p_repeated: the request was sent a second time within the attempt (reliability.md F33).
create function settle(p_workspace text[], p_subscription text[], p_delivery text[], p_claim uuid[], p_attempt text[], p_kind text[], p_status int[],
                       p_error text[], p_ms int[], p_trace text[], p_url text[], p_signed bigint[], p_excerpt text[], p_delay_ms int[],
                       p_started_ms double precision[], p_breaker int, p_repeated boolean[] default null)
returns table (delivery_id text, workspace_id text, subscription_id text, event_id text, event_type text, epoch int, attempt int, last_status int, dead_reason text)
language plpgsql as $$
#variable_conflict use_column
declare t timestamptz;
begin
  perform 1 from lanes where subscription_id = any(p_subscription) order by subscription_id for update;
  t := app_now();
  return query
  with input as (
    select * from unnest(p_workspace, p_subscription, p_delivery, p_claim, p_attempt, p_kind, p_status, p_error, p_ms, p_trace, p_url, p_signed, p_excerpt,
                         p_delay_ms, p_started_ms, p_repeated)
      with ordinality as i(workspace, subscription, delivery, claim, attempt_id, kind, status, error, ms, trace, url, signed, excerpt, delay, start, repeated, nth)),
  gone as ( /* the fence */
    delete from leases e using input i
     where e.subscription_id = i.subscription and e.delivery_id = i.delivery and e.workspace_id = i.workspace and e.claim_id = i.claim
    returning e.*, i.attempt_id, i.kind, i.status, i.error, i.ms, i.trace, i.url, i.signed, i.excerpt, coalesce(i.repeated, false) as repeated, i.nth,
              coalesce(to_timestamp(i.start / 1000), e.started) as began,
              case when e.ending is null and i.kind <> 'attempt_succeeded' then t + i.delay * interval '1 ms' end as next),
  folded as (
    update deliveries d set
           seq = d.seq + case when g.kind <> 'attempt_succeeded' and g.next is null then 2 else 1 end,
           status = case when g.kind = 'attempt_succeeded' then 'delivered' when g.next is null then 'dead'
                         when g.kind = 'attempt_released' then d.status else 'retry' end,
           attempt = case when g.kind = 'attempt_released' then g.attempt - 1 else g.attempt end,
           attempts_total = d.attempts_total + case when g.kind = 'attempt_released' then 0 else 1 end,
           next_attempt = g.next,
           delivered = case when g.kind = 'attempt_succeeded' then t else d.delivered end,
           dead = case when g.kind <> 'attempt_succeeded' and g.next is null then t end,
           dead_reason = case when g.kind <> 'attempt_succeeded' and g.next is null then coalesce(g.ending, 'attempts_exhausted') end,
           failed_from = case when g.kind not in ('attempt_failed', 'attempt_unknown') or d.failed_from >= l.failing_since then d.failed_from else t end,
           last_outcome = case when g.kind = 'attempt_released' then d.last_outcome else g.kind end,
           last_status = case when g.kind = 'attempt_released' then d.last_status else g.status end,
           last_error_code = case when g.kind = 'attempt_released' then d.last_error_code else g.error end
      from gone g join lanes l on l.subscription_id = g.subscription_id and l.workspace_id = g.workspace_id
     where d.event_day = g.event_day and d.delivery_id = g.delivery_id and d.workspace_id = g.workspace_id
    returning d.seq, d.dead_reason, d.event_type, d.failed_from, g.*),
  logged as (
    insert into delivery_log (event_day, workspace_id, delivery_id, seq, kind, epoch, attempt, at, next_attempt, dead_reason, attempt_id, started,
                              duration_ms, url, signature_timestamp, response_status, response_excerpt, error_code, trace_id, repeated)
    select event_day, workspace_id, delivery_id, seq - case when dead_reason is null then 0 else 1 end, kind, epoch, attempt, t, next, null, attempt_id,
           began, ms, url, signed, status, excerpt, error, trace, repeated from folded
    union all
    select event_day, workspace_id, delivery_id, seq, case when ending is null then 'exhausted' else 'ended' end, epoch,
           attempt - case when kind = 'attempt_released' then 1 else 0 end, t, null, dead_reason, null, null, null, null, null, null, null, null, null, false
      from folded where dead_reason is not null),
  listed as (
    insert into dead_deliveries (event_day, workspace_id, delivery_id)
    select event_day, workspace_id, delivery_id from folded where dead_reason is not null on conflict do nothing),
  again as (
    insert into due (workspace_id, subscription_id, priority, due_at, delivery_id, event_day, event_id, epoch, attempt)
    select workspace_id, subscription_id, priority, next, delivery_id, event_day, event_id, epoch,
           attempt + case when kind = 'attempt_released' then 0 else 1 end
      from gone where next is not null),
  lane as (
    update lanes l set in_flight = l.in_flight - n.settled, next_due = least(l.next_due, n.next), timed_out = coalesce(n.timed_out, l.timed_out),
           failures = case when n.answered > 0 then 0 else l.failures + n.bad end, -- any answer, a 500 too, shows that somebody is there
           cap = case when n.good > 0 then least(l.max_in_flight, l.cap + n.good)
                      when n.answered = 0 and l.failures + n.bad >= p_breaker then 1 else l.cap end,
           failing_since = case when n.good > 0 then null when n.failed > 0 then coalesce(l.failing_since, t) else l.failing_since end,
           failed_deliveries = case when n.good > 0 then 0 else l.failed_deliveries + n.newly_failed end,
           held_since = case when n.signed > 0 then null else l.held_since end,
           last_delivered = case when n.good > 0 then t else l.last_delivered end
      from (select subscription_id, workspace_id, count(*)::int as settled, min(next) as next,
                   count(*) filter (where kind = 'attempt_succeeded')::int as good,
                   count(*) filter (where kind in ('attempt_failed', 'attempt_unknown'))::int as failed,
                   count(*) filter (where failed_from = t)::int as newly_failed, -- an instant of this settle: it was not counted before
                   count(*) filter (where signed is not null)::int as signed,
                   count(*) filter (where status is not null)::int as answered,
                   count(*) filter (where error in ('timeout', 'connection_refused', 'connection_reset', 'connection_failed'))::int as bad,
                   (array_agg(error is not distinct from 'timeout' order by nth desc) filter (where kind <> 'attempt_released'))[1] as timed_out
              from gone left join (select delivery_id, failed_from from folded) f using (delivery_id) group by 1, 2) n
     where l.subscription_id = n.subscription_id and l.workspace_id = n.workspace_id)
  select delivery_id, workspace_id, subscription_id, event_id, event_type, epoch, attempt, status, dead_reason from folded;
end $$;

alter function settle(text[], text[], text[], uuid[], text[], text[], int[], text[], int[], text[], text[], bigint[], text[], int[], double precision[], int, boolean[])
  set search_path = ${schema}, pg_temp;
alter function settle(text[], text[], text[], uuid[], text[], text[], int[], text[], int[], text[], text[], bigint[], text[], int[], double precision[], int, boolean[])
  set plan_cache_mode = force_generic_plan;
revoke execute on function settle(text[], text[], text[], uuid[], text[], text[], int[], text[], int[], text[], text[], bigint[], text[], int[], double precision[], int, boolean[]) from public;
grant execute on function settle(text[], text[], text[], uuid[], text[], text[], int[], text[], int[], text[], text[], bigint[], text[], int[], double precision[], int, boolean[]) to ${worker_role};

-- Null: not disabled. False: end_open first.
create or replace function enable(p_workspace text, p_subscription text, p_version int, p_at timestamptz) returns boolean
language plpgsql set search_path = ${schema}, pg_temp as $$
begin
  update workspaces set subscriptions_version = subscriptions_version + 1 where workspace_id = p_workspace;
  perform 1 from lanes where subscription_id = p_subscription and workspace_id = p_workspace for update;
  if not exists (select 1 from subscriptions where subscription_id = p_subscription and workspace_id = p_workspace and status = 'disabled') then
    return null;
  end if;
  if exists (select 1 from due where subscription_id = p_subscription and workspace_id = p_workspace) then return false; end if;
  update lanes set ready_at = '-infinity', cap = least(2, max_in_flight), failures = 0, timed_out = false, failing_since = null, failed_deliveries = 0,
                   held_since = null
   where subscription_id = p_subscription and workspace_id = p_workspace;
  update subscriptions set status = 'enabled', disabled_reason = null, version = p_version, updated = p_at
   where subscription_id = p_subscription and workspace_id = p_workspace;
  return true;
end $$;
