-- breaking: no
-- Which record stands at the position: a log that began anew or was truncated is recognised by it (lost-records.ts). Null in
-- rows written before: their first move fills it.
alter table positions add column event_id text collate "C";
