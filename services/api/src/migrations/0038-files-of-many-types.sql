-- breaking: yes, because processes of the version before look for the table under its name of then
-- Files of other types wait beside those of rates, and one may be read in many transactions (domain.md 3.12).
alter table fx_import_work rename to import_work;
alter table import_work rename constraint fx_import_work_pkey to import_work_pkey;
alter index fx_import_work_due rename to import_work_due;
-- How far it was read; null until it is known to be a file of its format.
alter table import_work add column progress jsonb;
