// What sub-affiliates cost, as rows beside those of stats (domain.md 3.5): entries of the ledger that name a day, with the dimensions that
// an entry has. It has no country. Names of columns come from here, never from a request.
import type { Transaction } from '@wds/postgres/transaction'
import type { Range } from './domain/compare-period.ts'
import { type Param, type RowsOfDays, type StatsSource, summedDays } from './store-source.ts'

/**
 * The entries of the days. The running day that is cut at an hour has none: an entry is about a whole day. A sum of 0 makes no group. The index ledger_entries_by_day and primary keys serve it; a table whose names are not asked for is not read.
 */
export function costsOfDays(source: StatsSource, param: Param): RowsOfDays {
  const from = `(select e.day, e.integration_id, i.brand_slug, c.external_id as campaign_external_id,
      s.external_id as sub_affiliate_id, e.row_currency as currency, e.row_amount, false as approximate
    from ledger_entries e
    left join integrations i on i.workspace_id = e.workspace_id and i.id = e.integration_id
    left join campaigns c on c.workspace_id = e.workspace_id and c.id = e.campaign_id
    left join sub_affiliates s on s.workspace_id = e.workspace_id and s.id = e.sub_affiliate_id
    where e.workspace_id = ${param(source.workspaceId)} and e.day is not null) costs where true`
  return {
    from,
    day: 'day',
    days: summedDays(source).filter((day) => day !== source.cut?.day),
    isByDay: true,
    sqlOf: (measure) => (measure === 'sub_affiliate_cost' ? 'row_amount' : 'null::bigint'),
    having: 'having sum(row_amount) <> 0',
  }
}

/** When the last entry that names one of the days was posted, null for none, and whether one of the days waits to be posted. */
export interface PostingState {
  lastMs: number | null
  isWaiting: boolean
}

/** A month that is closing is shorter than a day. The index ledger_entries_by_day and the primary key of sub_affiliate_work serve it. */
export async function readPostingState(
  tx: Transaction,
  { workspaceId, ranges }: { workspaceId: string; ranges: readonly Range[] },
): Promise<PostingState> {
  const { rows } = await tx.query<{ last_ms: number | null; is_waiting: boolean | null }>(
    `select max(last_ms) as last_ms, bool_or(is_waiting) as is_waiting
     from unnest($2::text[], $3::text[]) as r(first, last), lateral (
       select (extract(epoch from max(created)) * 1000)::float8 as last_ms
       from ledger_entries where workspace_id = $1 and day between first::date and last::date) posted, lateral (
       select exists (
         select from sub_affiliate_work where workspace_id = $1 and subject between first and last and length(subject) = 10) as is_waiting) waiting`,
    [workspaceId, ranges.map(({ from }) => from), ranges.map(({ to }) => to)],
  )
  return { lastMs: rows[0]?.last_ms ?? null, isWaiting: rows[0]?.is_waiting === true }
}
