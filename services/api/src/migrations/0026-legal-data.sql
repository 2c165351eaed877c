-- breaking: yes, because processes of the version before look for what is taken out of the state of invoices
-- Who issues invoices and whom they bill (domain.md 3.1, 3.7). The issuer stands in the state of the settings, as their other fields.
alter table workspace_settings no force row level security;
update workspace_settings set state = jsonb_set(state, '{fields,issuer}', 'null') where not state->'fields' ? 'issuer';
alter table workspace_settings force row level security;

-- The brand's company; null where it is not known.
alter table brands add column legal jsonb;
create or replace view brand_rows with (security_invoker = true) as
  select workspace_id, slug, version, created, updated,
    jsonb_build_object('status', 'known', 'name', name, 'vertical', vertical, 'default_currency', default_currency, 'legal', legal) as state
  from brands;

-- Invoices name both as they were when it was generated, and the credit notes that count instead of the last one alone.
alter table invoices no force row level security;
update invoices set state = (state - 'replaced_by') || jsonb_build_object('issuer', null, 'bill_to', null, 'credits',
  case when state->>'replaced_by' is null then '[]' else jsonb_build_array(jsonb_build_object('id', state->'replaced_by', 'amount', 0)) end);
alter table invoices force row level security;
