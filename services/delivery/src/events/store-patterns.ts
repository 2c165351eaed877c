// Whether an event type is meant by patterns, as SQL: for the event log and for replays.

/** As `matchesEventPattern` says, of one of `patterns`, an array of texts; null means every type. Both are SQL. */
export const typeIsOneOf = (type: string, patterns: string) =>
  `(${patterns}::text[] is null or exists (select from unnest(${patterns}::text[]) p
     where p in ('*', ${type}) or (p like '%.*' and length(p) > 2 and starts_with(${type}, left(p, -1)))))`
