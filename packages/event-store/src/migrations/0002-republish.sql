-- breaking: no
-- The worker role, which may act in every workspace, reads events over all of them where its transaction says so: for
-- `republish` after the log lost records (republish.ts).
create policy stream_events_republish on stream_events for select to ${worker_role}
  using (current_setting('app.republish', true) = 'on');
