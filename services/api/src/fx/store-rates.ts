// The rates that a workspace has imported, in sets that are counted up. A set has, of each day and currency, the rate of the highest
// number up to its own, so it says the same for ever (domain.md M3).
import type { Transaction } from '@wds/postgres/transaction'
import { type OwnRate, parseRate, type RateLine } from './domain/rate-set.ts'

/** Number of the workspace's newest set, 0 where it has imported no rates. The primary key serves it. */
export async function newestSetNumber(tx: Transaction, workspaceId: string): Promise<number> {
  const { rows } = await tx.query<{ number: number }>(
    'select coalesce(max(number), 0) as number from fx_rate_sets where workspace_id = $1',
    [workspaceId],
  )
  return rows[0]?.number ?? 0
}

/** The rates of days as of a set, and who published each. The primary keys serve it. */
export async function readOwnRates(
  tx: Transaction,
  o: { workspaceId: string; number: number; from: string; to: string },
): Promise<(OwnRate & { source: string })[]> {
  const { rows } = await tx.query<{ day: string; currency: string; is_inverse: boolean; rate: string; source: string }>(
    `select distinct on (r.day, r.currency) r.day::text, r.currency, r.is_inverse, r.rate::text, s.source
     from fx_rates r join fx_rate_sets s on s.workspace_id = r.workspace_id and s.number = r.set_number
     where r.workspace_id = $1 and r.set_number <= $2 and r.day between $3::date and $4::date
     order by r.day, r.currency, r.set_number desc`,
    [o.workspaceId, o.number, o.from, o.to],
  )
  return rows.map(({ day, currency, is_inverse, rate: text, source }) => {
    const rate = parseRate(text)
    if (rate === null) throw new Error(`no rate: ${text}`)
    const { numerator, denominator } = rate
    return { day, currency, source, rate: is_inverse ? { numerator: denominator, denominator: numerator } : rate }
  })
}

/**
 * Makes the next set of the lines that say something else than the newest one, and none where all say the same. The caller sees to it that
 * nobody else makes one of the workspace meanwhile; each day and currency stands once. Gives the lines that are new. The primary keys serve it.
 */
export async function addRateSet(
  tx: Transaction,
  o: { workspaceId: string; number: number; importId: string; source: string; lines: readonly RateLine[] },
): Promise<number> {
  const { rows } = await tx.query<{ added: number }>(
    `with given as (select * from unnest($5::date[], $6::text[], $7::boolean[], $8::numeric[]) g(day, currency, is_inverse, rate)),
     changed as (
       select g.* from given g left join lateral (
         select r.is_inverse, r.rate from fx_rates r where r.workspace_id = $1 and r.day = g.day and r.currency = g.currency
         order by r.set_number desc limit 1) last on true
       where (last.is_inverse, last.rate) is distinct from (g.is_inverse, g.rate)),
     made as (
       insert into fx_rate_sets (workspace_id, number, import_id, source) select $1, $2, $3, $4 where exists (select from changed)
       returning number),
     added as (
       insert into fx_rates (workspace_id, day, currency, set_number, is_inverse, rate)
       select $1, c.day, c.currency, made.number, c.is_inverse, c.rate from changed c, made returning 1)
     select count(*)::integer as added from added`,
    [
      ...[o.workspaceId, o.number, o.importId, o.source],
      ...[o.lines.map(({ day }) => day), o.lines.map(({ currency }) => currency)],
      ...[o.lines.map(({ isInverse }) => isInverse), o.lines.map(({ rate }) => rate)],
    ],
  )
  return rows[0]?.added ?? 0
}
