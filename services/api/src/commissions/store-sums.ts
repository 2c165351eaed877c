// What commissions are worked out of: the numbers of final days, and what was posted of a day already. It appends nothing.
import { workspaceOf } from '@wds/aggregate/aggregate'
import type { Transaction } from '@wds/postgres/transaction'
import type { Terms } from '../ledger/domain/ledger-entry.ts'
import type { SubAffiliateState } from '../sub-affiliates/domain/sub-affiliate.ts'
import type { Earned, Posted } from './domain/postings.ts'

export interface SubAffiliate {
  id: string
  fields: NonNullable<SubAffiliateState['fields']>
}

/** Those whose rows the day holds, or who have entries of it; none that was removed. The indexes stats_rollups, ledger_entries_by_day. */
export async function readSubAffiliates(tx: Transaction, day: string): Promise<SubAffiliate[]> {
  const { rows } = await tx.query<{ id: string; state: SubAffiliateState }>(
    `select id, state from sub_affiliates where workspace_id = $1 and status <> 'removed' and (
       external_id = any(array(select distinct sub_affiliate_id from stats_rollups
         where workspace_id = $1 and day = $2::date and sub_affiliate_id is not null))
       or id = any(array(select distinct sub_affiliate_id from ledger_entries where workspace_id = $1 and day = $2::date)))
     order by id`,
    [workspaceOf(tx), day],
  )
  return rows.flatMap(({ id, state: { fields } }) => (fields === null ? [] : [{ id, fields }]))
}

export type SumRow = Earned & { externalId: string }

const commissionSql = 'coalesce(cpa_commission, 0) + coalesce(revshare_commission, 0) + coalesce(other_commission, 0)'

/** The rollup of the day. The unique index of stats_rollups and campaigns_by_source serve it. */
export async function readSums(tx: Transaction, day: string, externalIds: readonly string[]): Promise<SumRow[]> {
  const { rows } = await tx.query<{
    external_id: string
    integration_id: string
    campaign_id: string | null
    currency: string
    ftds: string
    commission: string
    ngr: string
  }>(
    `select r.sub_affiliate_id as external_id, r.integration_id, c.id as campaign_id, r.currency,
       coalesce(sum(qualified_ftds), 0)::text as ftds, sum(${commissionSql})::text as commission, coalesce(sum(ngr), 0)::text as ngr
     from stats_rollups r left join campaigns c
       on c.workspace_id = $1 and c.integration_id = r.integration_id and c.external_id = r.campaign_external_id
     where r.workspace_id = $1 and r.day = $2::date and r.sub_affiliate_id = any($3::text[])
     group by r.sub_affiliate_id, r.integration_id, c.id, r.currency order by c.id nulls first, r.integration_id, r.currency`,
    [workspaceOf(tx), day, externalIds],
  )
  return rows.map((row) => ({
    externalId: row.external_id,
    integrationId: row.integration_id,
    campaignId: row.campaign_id,
    currency: row.currency,
    qualifiedFtds: BigInt(row.ftds),
    commission: BigInt(row.commission),
    ngr: BigInt(row.ngr),
  }))
}

/** What was posted of the day, by integration, campaign and currency of the rows. The index ledger_entries_by_day serves it. */
export async function readPosted(tx: Transaction, day: string): Promise<(Posted & { subAffiliateId: string })[]> {
  const { rows } = await tx.query<{
    id: string
    integration_id: string | null
    campaign_id: string | null
    row_currency: string
    amount: string
    row_amount: string
    entries: number
    terms: Terms
    number: number
  }>(
    `select sub_affiliate_id as id, integration_id, campaign_id, row_currency, sum(amount)::text as amount,
       sum(row_amount)::text as row_amount, count(*)::integer as entries,
       (array_agg(terms order by number desc))[1] as terms, max(number) as number
     from ledger_entries where workspace_id = $1 and day = $2::date
     group by sub_affiliate_id, integration_id, campaign_id, row_currency
     order by campaign_id nulls first, integration_id nulls first, row_currency`,
    [workspaceOf(tx), day],
  )
  return rows.map(({ id, integration_id, campaign_id, row_currency, amount, row_amount, ...row }) => ({
    subAffiliateId: id,
    integrationId: integration_id,
    campaignId: campaign_id,
    currency: row_currency,
    amount: BigInt(amount),
    rowAmount: BigInt(row_amount),
    ...row,
  }))
}

/** Qualified FTDs of the month's final days up to and with the day, by external id. The unique index of stats_rollups serves it. */
export async function readMonthFtds(
  tx: Transaction,
  { day, externalIds }: { day: string; externalIds: readonly string[] },
): Promise<Map<string, bigint>> {
  const { rows } = await tx.query<{ id: string; ftds: string }>(
    `select sub_affiliate_id as id, coalesce(sum(qualified_ftds), 0)::text as ftds from stats_rollups
     where workspace_id = $1 and day between $2::date and $3::date and sub_affiliate_id = any($4::text[]) group by 1`,
    [workspaceOf(tx), `${day.slice(0, 7)}-01`, day, externalIds],
  )
  return new Map(rows.map(({ id, ftds }) => [id, BigInt(ftds)]))
}

/**
 * The next accounts of the month that come to something, but those that were removed, behind `doneTo` by their id. The index
 * ledger_months_by_month serves it.
 */
export async function readMonthSums(
  tx: Transaction,
  o: { month: string; doneTo: string; limit: number },
): Promise<(SubAffiliate & { sum: bigint })[]> {
  const { rows } = await tx.query<{ id: string; fields: SubAffiliate['fields']; amount: string }>(
    `select s.id, s.state->'fields' as fields, m.amount::text from ledger_months m
     join sub_affiliates s on s.workspace_id = $1 and s.id = m.sub_affiliate_id
     where m.workspace_id = $1 and m.month = $2 and m.sub_affiliate_id > $3 and m.amount <> 0 and s.status <> 'removed'
     order by m.sub_affiliate_id limit $4`,
    [workspaceOf(tx), o.month, o.doneTo, o.limit],
  )
  return rows.map(({ id, fields, amount }) => ({ id, fields, sum: BigInt(amount) }))
}

/** Of the final day. The primary key of stats_days serves it. */
export async function readRevision(tx: Transaction, day: string): Promise<number> {
  const { rows } = await tx.query<{ revision: number }>(
    `select (state->'revisions'->-1->>'revision')::integer as revision from stats_days where workspace_id = $1 and id = $2`,
    [workspaceOf(tx), day],
  )
  if (rows[0] === undefined) throw new Error(`no day ${day}`)
  return rows[0].revision
}
