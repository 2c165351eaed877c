-- breaking: no
-- SETTLE notes when an attempt of the lane last failed: a receiver has failed for 5 days (decisions.md 7) when one did so 5 days after
-- failing_since or later, not when nothing was sent to it since the first. Nothing else is new in it.
alter table lanes add column last_failed timestamptz;

create or replace function settle(p_workspace text[], p_subscription text[], p_delivery text[], p_claim uuid[], p_attempt text[], p_kind text[], p_status int[],
                       p_error text[], p_ms int[], p_trace text[], p_url text[], p_signed bigint[], p_excerpt text[], p_delay_ms int[],
                       p_started_ms double precision[], p_breaker int, p_repeated boolean[] default null)
returns table (delivery_id text, workspace_id text, subscription_id text, event_id text, event_type text, epoch int, attempt int, last_status int, dead_reason text)
language plpgsql as $$
#variable_conflict use_column
declare t timestamptz; lane_ids text[]; lane_since timestamptz[];
begin
  select array_agg(l.subscription_id), array_agg(l.failing_since) into lane_ids, lane_since from (
    select l.subscription_id, l.failing_since from lanes l where l.subscription_id = any(p_subscription) order by l.subscription_id for update) l;
  t := app_now();
  return query
  with gone as materialized (
    select distinct on (i.delivery) e.*, i.attempt_id, i.kind, i.status, i.error, i.ms, i.trace, i.url, i.signed, i.excerpt, coalesce(i.repeated, false) as repeated, i.nth,
           coalesce(to_timestamp(i.start / 1000), e.started) as began, l.since,
           case when e.ending is null and i.kind <> 'attempt_succeeded' then t + i.delay * interval '1 ms' end as next,
           case when i.kind <> 'attempt_succeeded' then coalesce(e.ending, case when i.delay is null then 'attempts_exhausted' end) end as dying
      from unnest(p_workspace, p_subscription, p_delivery, p_claim, p_attempt, p_kind, p_status, p_error, p_ms, p_trace, p_url, p_signed, p_excerpt,
                  p_delay_ms, p_started_ms, p_repeated)
        with ordinality as i(workspace, subscription, delivery, claim, attempt_id, kind, status, error, ms, trace, url, signed, excerpt, delay, start, repeated, nth)
      join unnest(lane_ids, lane_since) l(id, since) on l.id = i.subscription
      cross join lateral (
        select e.ctid as place, e.* from leases e
         where e.subscription_id = i.subscription and e.delivery_id = i.delivery and e.workspace_id = i.workspace and e.claim_id = i.claim limit 1) e
     order by i.delivery, i.nth), -- of one that is given twice the first counts
  fence as (delete from leases where ctid = any(array(select place from gone))),
  folded as (
    insert into deliveries as d (event_day, workspace_id, delivery_id, event_id, event_type, subscription_id, status, epoch, attempt, attempts_total, seq,
                                 next_attempt, dead_reason, failed_from, last_outcome, last_status, last_error_code)
    select event_day, workspace_id, delivery_id, event_id, '', subscription_id,
           case when kind = 'attempt_succeeded' then 'delivered' when dying is not null then 'dead' when kind = 'attempt_released' then 'pending' else 'retry' end,
           epoch, case when kind = 'attempt_released' then attempt - 1 else attempt end, case when kind = 'attempt_released' then 0 else 1 end,
           case when dying is not null then 2 else 1 end, next, dying,
           since, kind, status, error
      from gone
    on conflict (event_day, delivery_id, workspace_id) do update set
           seq = d.seq + excluded.seq,
           status = case when excluded.last_outcome = 'attempt_released' and excluded.status <> 'dead' then d.status else excluded.status end,
           attempt = excluded.attempt,
           attempts_total = d.attempts_total + excluded.attempts_total,
           next_attempt = excluded.next_attempt,
           delivered = case when excluded.status = 'delivered' then t else d.delivered end,
           dead = case when excluded.status = 'dead' then t end,
           dead_reason = excluded.dead_reason,
           failed_from = case when excluded.last_outcome not in ('attempt_failed', 'attempt_unknown') or d.failed_from >= excluded.failed_from then d.failed_from else t end,
           last_outcome = case when excluded.last_outcome = 'attempt_released' then d.last_outcome else excluded.last_outcome end,
           last_status = case when excluded.last_outcome = 'attempt_released' then d.last_status else excluded.last_status end,
           last_error_code = case when excluded.last_outcome = 'attempt_released' then d.last_error_code else excluded.last_error_code end
    returning d.delivery_id, d.seq, d.event_type, d.failed_from),
  told as materialized (select g.*, f.seq, f.event_type, f.failed_from from gone g join folded f on f.delivery_id = g.delivery_id),
  logged as (
    insert into delivery_log (event_day, workspace_id, delivery_id, seq, kind, epoch, attempt, at, next_attempt, dead_reason, attempt_id, started,
                              duration_ms, url, signature_timestamp, response_status, response_excerpt, error_code, trace_id, repeated)
    select event_day, workspace_id, delivery_id, seq - case when dying is not null then 1 else 0 end, kind, epoch, attempt, t, next, null, attempt_id,
           began, ms, url, signed, status, excerpt, error, trace, repeated from told
    union all
    select event_day, workspace_id, delivery_id, seq, case when ending is null then 'exhausted' else 'ended' end, epoch,
           attempt - case when kind = 'attempt_released' then 1 else 0 end, t, null, dying, null, null, null, null, null, null, null, null, null, false
      from told where dying is not null),
  listed as (
    insert into dead_deliveries (event_day, workspace_id, delivery_id)
    select event_day, workspace_id, delivery_id from gone where dying is not null on conflict do nothing),
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
           last_failed = case when n.failed > 0 then t else l.last_failed end,
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
              from told group by 1, 2) n
     where l.subscription_id = n.subscription_id and l.workspace_id = n.workspace_id)
  select delivery_id, workspace_id, subscription_id, event_id, event_type, epoch, attempt, status, dying from told where dying is not null
  union all
  select delivery_id, null, null, null, null, null, null, null, null from told where dying is null;
end $$;

alter function settle(text[], text[], text[], uuid[], text[], text[], int[], text[], int[], text[], text[], bigint[], text[], int[], double precision[], int, boolean[]) set search_path = ${schema}, pg_temp;
alter function settle(text[], text[], text[], uuid[], text[], text[], int[], text[], int[], text[], text[], bigint[], text[], int[], double precision[], int, boolean[]) set plan_cache_mode = force_generic_plan;
alter function settle(text[], text[], text[], uuid[], text[], text[], int[], text[], int[], text[], text[], bigint[], text[], int[], double precision[], int, boolean[]) set enable_seqscan = off;
