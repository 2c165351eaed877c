-- breaking: no
-- A dead letter is kept for 30 days, replayed or not: long enough to mend its cause. The right to remove it begins then.
create index dead_letters_age on dead_letters (died_at);
create policy dead_letters_kept on dead_letters as restrictive for delete to ${worker_role}
  using (died_at < app_now() - interval '30 days');
grant delete on dead_letters to ${worker_role};
