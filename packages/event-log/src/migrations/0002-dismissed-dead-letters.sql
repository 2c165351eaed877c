-- breaking: no
-- A dead letter that no mend can make take effect, as one that another program wrote, is dismissed: it stays for its 30 days, and is
-- neither counted nor replayed with the others any more. The index dead_letters_open still has it: those are few.
alter table dead_letters add column dismissed_at timestamptz;
grant update (dismissed_at) on dead_letters to ${worker_role};
