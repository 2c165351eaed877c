-- breaking: no
-- Rows of these are found by their keys alone, whatever the statistics say. An analyze of them costs what it reads, and every
-- session plans anew what it asks of them (decision 18).
alter table announced_events set (autovacuum_analyze_scale_factor = 0.5, autovacuum_analyze_threshold = 100000);
alter table integrations set (autovacuum_analyze_scale_factor = 0.5, autovacuum_analyze_threshold = 100000);
