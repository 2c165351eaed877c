-- For triggers of tables with facts that never change: privileges refuse a change first, this also refuses the owner.
create or replace function refuse_change()
returns trigger
language plpgsql
as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end $$;
