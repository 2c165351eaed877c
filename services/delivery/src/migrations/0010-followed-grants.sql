-- breaking: no
-- When a grant that ended was followed for the first time (store-grants.ts). Null: not yet.
alter table changed_grants add column followed timestamptz;
