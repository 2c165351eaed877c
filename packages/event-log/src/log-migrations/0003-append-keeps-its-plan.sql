-- breaking: no
-- For arrays of few rows a plan of its own looks cheaper than the general one, and making it cost a third of the call. The tables
-- fill and are emptied all the time: the plan goes by their keys, whatever they held when it was made.
alter function log.append(boolean, text[], integer[], text[], text[], date[], text[], bytea[]) set plan_cache_mode = force_generic_plan;
alter function log.append(boolean, text[], integer[], text[], text[], date[], text[], bytea[]) set enable_seqscan = off;
