-- breaking: no
-- The campaign that this one was merged into (domain.md 3.4).
alter table campaigns add column merged_into text collate "C";
-- Those that were merged into one, in the order of the list; and all that a workspace has, for its stats.
create index campaigns_by_merged on campaigns (workspace_id, merged_into, created desc, id desc) where merged_into is not null;
