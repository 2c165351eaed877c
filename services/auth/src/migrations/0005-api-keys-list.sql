-- breaking: no
-- The list of keys in the settings API.
create index api_keys_list on api_keys (workspace_id, created desc, key_id desc);
