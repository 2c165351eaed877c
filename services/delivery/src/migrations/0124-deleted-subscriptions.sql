-- breaking: no
-- A deleted subscription kept its row, its lane and its secrets for ever. They go once nothing speaks of it any more: no delivery of
-- it is left and a day more than their retention has passed. Its stream stays, as the record of what happened.
create index subscriptions_deleted on subscriptions (updated) where status = 'deleted';
grant delete on subscriptions, subscription_secrets, lanes to ${worker_role};
