-- breaking: no
-- `rebuild-rows` writes read rows that were lost anew, from their streams.
grant insert on subscriptions, replays to ${worker_role};
