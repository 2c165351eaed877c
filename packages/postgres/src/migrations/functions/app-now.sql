-- The time by which rows become due. STABLE, though it reads the running clock: VOLATILE hides the index on due rows
-- (stack.md 7.9). Tests move it with `set app.clock_offset_ms`; unset it is the clock itself. In PL/pgSQL, which keeps its
-- plan: a function in SQL that cannot be inlined is planned anew at every call, 80 µs each.
create or replace function app_now()
returns timestamptz
language plpgsql stable parallel safe
as $$
begin
  return clock_timestamp()
    + coalesce(nullif(current_setting('app.clock_offset_ms', true), '')::bigint, 0) * interval '1 millisecond';
end $$;
