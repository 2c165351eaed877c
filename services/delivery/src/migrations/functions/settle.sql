-- SETTLE: writes the ends of attempts, fenced by the claim id: a worker that lost its lease changes nothing. Expired leases are read
-- and settled as 'attempt_unknown' under the claim id read. After a 410: disable first, then settle.
-- p_delay_ms: from the settle to the next attempt (Retry-After merged in), null: none follows. It is added to the clock read under the
-- locks, so that it is never short. p_repeated: the request was sent a second time within the attempt (reliability.md F33).
-- p_breaker: so many timeouts or connection failures in a row leave a lane one probe at a time.
-- Returns the deliveries that were settled, with more than the id where one died. One that is missing had lost its lease.
--
-- Everything goes by keys, whatever the statistics say (decision 19):
-- * each lease is looked up by its key; a join would read all of `leases` for each row given where a session had planned while it
--   was empty. The lanes' locks are the fence: nobody else writes these leases meanwhile;
-- * an update through the parent opens the partition of every day, 36 of them, at every call. An insert opens those it meets, so a
--   delivery is updated as the conflict of an insert. The row is always there: a day that a lease points into is not dropped
--   (drop-partitions.sql). If it were not, its log, which has a seq 1, would refuse the row and with it the settle.
create or replace function settle(
  p_workspace text[], p_subscription text[], p_delivery text[], p_claim uuid[], p_attempt text[], p_kind text[], p_status int[],
  p_error text[], p_ms int[], p_trace text[], p_url text[], p_signed bigint[], p_excerpt text[], p_delay_ms int[],
  p_started_ms double precision[], p_breaker int, p_repeated boolean[] default null)
returns table (
  delivery_id text, workspace_id text, subscription_id text, event_id text, event_type text, epoch int, attempt int,
  last_status int, dead_reason text)
language plpgsql
set search_path = ${schema}, pg_temp
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  t timestamptz;
  lane_ids text[];
  lane_failing_since timestamptz[];
  -- Bounds of durations, ms, for percentiles. A deadline is a minute at most.
  bounds constant int[] := '{50,100,150,200,300,400,500,750,1000,1500,2000,3000,5000,7500,10000,15000,20000,30000,45000,60000,120000}';
begin
  select array_agg(l.subscription_id), array_agg(l.failing_since) into lane_ids, lane_failing_since from (
    select l.subscription_id, l.failing_since from lanes l where l.subscription_id = any(p_subscription)
     order by l.subscription_id for update) l;
  t := app_now();

  return query
  -- The leases that are still held, with what became of their attempts. Of one that is given twice the first counts.
  with ended as materialized (
    select distinct on (i.delivery)
           lease.*, i.nth, i.attempt_id, i.kind, i.status, i.error, i.ms, i.trace, i.url, i.signed, i.excerpt,
           i.kind = 'attempt_released' as is_released,
           coalesce(i.repeated, false) as repeated,
           coalesce(to_timestamp(i.start / 1000), lease.started) as began,
           lane.failing_since,
           case when lease.ending is null and i.kind <> 'attempt_succeeded' then t + i.delay * interval '1 ms' end as next_attempt,
           case when i.kind = 'attempt_succeeded' then null
                when lease.ending is not null then lease.ending
                when i.delay is null then 'attempts_exhausted' end as dies_of
      from unnest(p_workspace, p_subscription, p_delivery, p_claim, p_attempt, p_kind, p_status, p_error, p_ms, p_trace, p_url,
                  p_signed, p_excerpt, p_delay_ms, p_started_ms, p_repeated)
        with ordinality as i(workspace, subscription, delivery, claim, attempt_id, kind, status, error, ms, trace, url,
                  signed, excerpt, delay, start, repeated, nth)
      join unnest(lane_ids, lane_failing_since) lane(id, failing_since) on lane.id = i.subscription
      cross join lateral (
        select e.ctid as place, e.* from leases e
         where e.subscription_id = i.subscription and e.delivery_id = i.delivery and e.workspace_id = i.workspace
           and e.claim_id = i.claim
         limit 1) lease
     order by i.delivery, i.nth),

  deleted_leases as (
    delete from leases where ctid = any(array(select place from ended))),

  -- `excluded` is what this attempt adds to the delivery d. A released attempt leaves it as it was, unless it dies.
  updated as (
    insert into deliveries as d (
           event_day, workspace_id, delivery_id, event_id, event_type, subscription_id,
           status,
           epoch, attempt, attempts_total, seq, next_attempt, dead_reason, failed_from,
           last_outcome, last_status, last_error_code)
    select event_day, workspace_id, delivery_id, event_id, '', subscription_id,
           case when kind = 'attempt_succeeded' then 'delivered' when dies_of is not null then 'dead'
                when is_released then 'pending' else 'retry' end,
           epoch, attempt - is_released::int, (not is_released)::int, 1 + (dies_of is not null)::int,
           next_attempt, dies_of, failing_since,
           kind, status, error
      from ended
    on conflict (event_day, delivery_id, workspace_id) do update set
           seq = d.seq + excluded.seq,
           status = case when excluded.last_outcome = 'attempt_released' and excluded.status <> 'dead' then d.status
                         else excluded.status end,
           attempt = excluded.attempt,
           attempts_total = d.attempts_total + excluded.attempts_total,
           next_attempt = excluded.next_attempt,
           delivered = case when excluded.status = 'delivered' then t else d.delivered end,
           dead = case when excluded.status = 'dead' then t end,
           dead_reason = excluded.dead_reason,
           failed_from = case when excluded.last_outcome not in ('attempt_failed', 'attempt_unknown')
                                or d.failed_from >= excluded.failed_from then d.failed_from else t end,
           last_outcome = case when excluded.last_outcome = 'attempt_released' then d.last_outcome else excluded.last_outcome end,
           last_status = case when excluded.last_outcome = 'attempt_released' then d.last_status else excluded.last_status end,
           last_error_code = case when excluded.last_outcome = 'attempt_released' then d.last_error_code else excluded.last_error_code end
    returning d.delivery_id, d.seq, d.event_type, d.failed_from, d.last_status, d.last_error_code),

  settled as materialized (
    select e.*, u.seq, u.event_type, u.failed_from, u.last_status, u.last_error_code from ended e join updated u on u.delivery_id = e.delivery_id),

  -- The attempt, and behind it the death of the delivery.
  logged as (
    insert into delivery_log (
           event_day, workspace_id, delivery_id, seq, kind, epoch, attempt, at, next_attempt, dead_reason,
           attempt_id, started, duration_ms, url, signature_timestamp, response_status, response_excerpt, error_code, trace_id, repeated)
    select event_day, workspace_id, delivery_id, seq - (dies_of is not null)::int, kind, epoch, attempt, t, next_attempt, null,
           attempt_id, began, ms, url, signed, status, excerpt, error, trace, repeated
      from settled
    union all
    select event_day, workspace_id, delivery_id, seq, case when ending is null then 'exhausted' else 'ended' end, epoch,
           attempt - is_released::int, t, null, dies_of,
           null, null, null, null, null, null, null, null, null, false
      from settled where dies_of is not null),

  dead_listed as (
    insert into dead_deliveries (event_day, workspace_id, delivery_id, subscription_id, event_type, dead_reason, last_status, last_error_code)
    select event_day, workspace_id, delivery_id, subscription_id, event_type, dies_of, last_status, last_error_code
      from settled where dies_of is not null on conflict do nothing),

  queued_again as (
    insert into due (workspace_id, subscription_id, priority, due_at, delivery_id, event_day, event_id, epoch, attempt)
    select workspace_id, subscription_id, priority, next_attempt, delivery_id, event_day, event_id, epoch,
           attempt + (not is_released)::int
      from ended where next_attempt is not null),

  -- Under the locks of their lanes, so that nobody else writes these rows meanwhile.
  counted_hours as (
    insert into attempt_counts as c (workspace_id, subscription_id, hour, result, within_ms, attempts)
    select workspace_id, subscription_id, date_trunc('hour', t, 'UTC'),
           case kind when 'attempt_succeeded' then 'succeeded' when 'attempt_unknown' then 'unknown' else coalesce(error, 'failed') end,
           case when ms is null then 0 else bounds[least(width_bucket(ms - 1, bounds) + 1, cardinality(bounds))] end,
           count(*)
      from settled where not is_released group by 1, 2, 4, 5
    on conflict (subscription_id, hour, result, within_ms, workspace_id) do update set attempts = c.attempts + excluded.attempts),

  counted as (
    select subscription_id, workspace_id, count(*)::int as all_ended, min(next_attempt) as next_due,
           count(*) filter (where kind = 'attempt_succeeded')::int as succeeded,
           count(*) filter (where kind in ('attempt_failed', 'attempt_unknown'))::int as failed,
           count(*) filter (where failed_from = t)::int as newly_failed, -- an instant of this settle: it was not counted before
           count(*) filter (where signed is not null)::int as signed,
           count(*) filter (where status is not null)::int as answered,
           count(*) filter (where error in ('timeout', 'connection_refused', 'connection_reset', 'connection_failed'))::int as unreachable,
           (array_agg(error is not distinct from 'timeout' order by nth desc) filter (where not is_released))[1] as timed_out
      from settled group by 1, 2),

  updated_lanes as (
    update lanes l set
           in_flight = l.in_flight - n.all_ended,
           next_due = least(l.next_due, n.next_due),
           timed_out = coalesce(n.timed_out, l.timed_out),
           -- Any answer, a 500 too, shows that somebody is there.
           failures = case when n.answered > 0 then 0 else l.failures + n.unreachable end,
           cap = case when n.succeeded > 0 then least(l.max_in_flight, l.cap + n.succeeded)
                      when n.answered = 0 and l.failures + n.unreachable >= p_breaker then 1 else l.cap end,
           failing_since = case when n.succeeded > 0 then null when n.failed > 0 then coalesce(l.failing_since, t) else l.failing_since end,
           last_failed = case when n.failed > 0 then t else l.last_failed end,
           failed_deliveries = case when n.succeeded > 0 then 0 else l.failed_deliveries + n.newly_failed end,
           held_since = case when n.signed > 0 then null else l.held_since end,
           last_delivered = case when n.succeeded > 0 then t else l.last_delivered end
      from counted n
     where l.subscription_id = n.subscription_id and l.workspace_id = n.workspace_id)

  select delivery_id, workspace_id, subscription_id, event_id, event_type, epoch, attempt, status, dies_of
    from settled where dies_of is not null
  union all
  select delivery_id, null, null, null, null, null, null, null, null from settled where dies_of is null;
end $$;
revoke execute on function settle from public;
grant execute on function settle to ${worker_role};
