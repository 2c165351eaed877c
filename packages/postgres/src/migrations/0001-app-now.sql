-- breaking: no
-- The time by which rows become due. STABLE, though it reads the running clock: VOLATILE hides the index on due rows
-- (stack.md 7, rule 9). Tests move it with `set app.clock_offset_ms`; unset it is the clock itself.
create function ${schema}.app_now() returns timestamptz
  language sql stable parallel safe
  as $$
    select clock_timestamp()
      + coalesce(nullif(current_setting('app.clock_offset_ms', true), '')::bigint, 0) * interval '1 millisecond'
  $$;
