-- breaking: no
-- The keys that a person made: whoever removes the person is shown them. Null: made by the operator.
alter table api_keys add column creator text collate "C" generated always as (state ->> 'creator') stored;
create index api_keys_creator on api_keys (workspace_id, creator, created desc, key_id desc);
