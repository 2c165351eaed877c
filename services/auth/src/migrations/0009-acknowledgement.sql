-- breaking: no
-- Whoever revokes something is answered once its event is on the log, and other services ask how long the oldest one waits for that (auth.md
-- 5.6): the relay has removed it here then. Nobody sees more of others' events than an id and an instant.
create policy outbox_awaited on outbox for select to ${http_role} using (true);
grant select (id, event_id, put_at) on outbox to ${http_role};
