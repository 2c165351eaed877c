-- breaking: no
-- Brands are listed and changed (domain.md 3.1): each has a version, and the instant of its last change.
alter table brands add column version integer not null default 1, add column updated timestamptz(3) not null default app_now();
update brands set updated = created;
-- Their list.
create index brands_list on brands (workspace_id, created desc, slug desc);

-- Brands in the form of the rows that lists read, with the rights of who reads them.
create view brand_rows with (security_invoker = true) as
  select workspace_id, slug, version, created, updated,
    jsonb_build_object('status', 'known', 'name', name, 'vertical', vertical, 'default_currency', default_currency) as state
  from brands;
grant select on brand_rows to ${http_role};
