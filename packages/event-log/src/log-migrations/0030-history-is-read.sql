-- breaking: no
-- A start compares the history with what its code brings, so that no service speaks through a log that it does not know.
grant select on log.migrations to wds_log_client;
