-- Removes superseded rows of compacted topics that are older than keep. They stay that long because their event ids
-- recognise a repeated publish. Index compacted_key.
create or replace function log.compact(keep interval default '7 days')
returns bigint
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  removed bigint;
begin
  delete from log.compacted c where c.appended_at < clock_timestamp() - keep
    and exists (select from log.compacted n where n.topic = c.topic and n.key = c.key and n.off > c.off);
  get diagnostics removed = row_count;
  return removed;
end $$;
revoke execute on function log.compact from public;
grant execute on function log.compact to ${client_role};
