-- breaking: no
-- `sum(bigint)` computes in numeric, which costs more than the addition where groups are many and small: those of each day that are
-- converted (domain.md M3). This aggregate stays in bigint and raises 22003 where a sum exceeds it.
create aggregate sum_of_bigints (bigint) (sfunc = int8pl, stype = bigint, combinefunc = int8pl, parallel = safe);
