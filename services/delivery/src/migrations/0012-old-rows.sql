-- breaking: no
-- What is removed by its age is found by its age: replays 90 days after their last change, and counts of attempts by their hour.
create index replays_age on replays (updated) where open_epochs = 0;
create index attempt_counts_age on attempt_counts (hour);
grant delete on replays to ${worker_role};
