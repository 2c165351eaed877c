-- breaking: no
-- Key and event id as the log gave them, where their columns cannot hold them (U+0000, or longer than an index takes): text of JSON
-- holds both. A replay takes them from here.
alter table dead_letters add column as_read json;
