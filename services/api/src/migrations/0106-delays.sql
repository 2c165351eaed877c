-- breaking: no
-- When the syncs of an integration count as delayed unless one succeeds before (domain.md 3.3); looked at again then, so a
-- success need not move it. Null once the delay was told of, until the next success.
alter table schedules add column delay_due timestamptz;
create index schedules_delay_due on schedules (delay_due) where delay_due is not null;
