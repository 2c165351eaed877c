-- breaking: no
-- Which worker holds a lease: the key of the advisory lock that its session holds for as long as it lives (stack.md 7.10). Null: of a
-- process of the version before, whose death is seen at the end of its leases.
alter table leases add column worker bigint;
