-- breaking: no
-- Neither read nor written since `reported` took its place (0007).
alter table stats_days_seen drop column dirty;
