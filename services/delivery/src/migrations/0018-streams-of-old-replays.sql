-- breaking: no
-- The stream of a replay goes with its row (decision 83): the one kind of events that may be removed, by the worker, and only where
-- there is no row that is a fold of them. All others stay append-only, whoever deletes.
drop trigger stream_events_append_only on stream_events;
create trigger stream_events_append_only before update on stream_events for each row execute function refuse_change();
create trigger stream_events_never_removed before delete on stream_events
  for each row when (old.stream_type <> 'replay') execute function refuse_change();
create policy stream_events_of_removed_rows on stream_events as restrictive for delete to ${worker_role}
  using (stream_type = 'replay' and not exists (
    select from replays r where r.workspace_id = stream_events.workspace_id and r.id = stream_events.stream_id));
grant delete on stream_events to ${worker_role};
