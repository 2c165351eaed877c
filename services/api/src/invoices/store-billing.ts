// What an invoice is drawn up of: commissions of a brand in one currency, what earlier invoices billed and carried over, and the next
// number. It never writes an invoice: the aggregate does.
import { workspaceOf } from '@wds/aggregate/aggregate'
import type { Transaction } from '@wds/postgres/transaction'
import { datesOf } from '../calendar/domain/calendar.ts'
import { mergedSql } from '../campaign-places/store-merged.ts'
import { type StatsSource, sourceSql } from '../stats/store-source.ts'
import type { Billed } from './domain/corrections.ts'
import type { CampaignSums, Carried } from './domain/draw-lines.ts'

/** Whose commissions are billed. */
export interface Billing {
  brandSlug: string
  currency: string
}

/** Campaigns that one invoice may bill; one more is read. */
export const billedCampaignsMax = 1_000

const measured = ['qualified_ftds', 'cpa_commission', 'revshare_commission', 'other_commission'] as const
const commissionSql = 'coalesce(cpa_commission, 0) + coalesce(revshare_commission, 0) + coalesce(other_commission, 0)'

/** Invoices that count: those that were generated and are not void. The index invoices_by_brand serves it. */
const liveInvoices = `from invoices i where i.workspace_id = $1 and i.brand_slug = $2 and i.currency = $3
  and i.kind = 'invoice' and i.status not in ('draft', 'void')`

/** Commissions by campaign and by day, of one reading of the source, so that both sum up to the same. What was merged is billed as one campaign. */
export async function readCommissions(
  tx: Transaction,
  source: StatsSource,
  { brandSlug, currency }: Billing,
): Promise<{ campaigns: CampaignSums[]; days: Map<string, bigint> }> {
  const values: unknown[] = []
  const param = (value: unknown) => `$${values.push(value)}`
  const rows = sourceSql(
    source,
    `brand_slug, currency, integration_id, campaign_external_id, ${measured.join(', ')}`,
    param,
  )
  const workspaceId = param(workspaceOf(tx))
  const integrations = param(await integrationsOf(tx, brandSlug))
  const { rows: found } = await tx.query<SumRow>(
    `select s.is_day, s.day::text, c.id as campaign_id, coalesce(c.state->'fields'->>'name', s.external_id) as name,
       coalesce((c.state->'fields'->'deal'->>'negative_carryover')::boolean, false) as negative_carryover,
       s.ftds::text, s.cpa::text, s.revshare::text, s.other::text, s.commission::text
     from (
       select grouping(day) = 0 as is_day, day, owner, external_id, sum(qualified_ftds) as ftds,
         coalesce(sum(cpa_commission), 0) as cpa, coalesce(sum(revshare_commission), 0) as revshare,
         coalesce(sum(other_commission), 0) as other, sum(${commissionSql}) as commission
       from (select day, case when campaign_external_id is not null then integration_id end as owner,
           coalesce(m_into, campaign_external_id) as external_id, ${measured.join(', ')}
         from (${rows}) source left join (${mergedSql(workspaceId)}) merged
           on m_integration = integration_id and m_external = campaign_external_id 
         where integration_id = any(${integrations}::text[]) and brand_slug = ${param(brandSlug)} and currency = ${param(currency)}) billed
       group by grouping sets ((day), (owner, external_id))) s
     left join campaigns c on c.workspace_id = ${workspaceId} and c.integration_id = s.owner and c.external_id = s.external_id
     where s.is_day or s.cpa <> 0 or s.revshare <> 0 or s.other <> 0 or s.ftds <> 0
     order by s.is_day desc, name nulls last, c.id limit ${param(366 + billedCampaignsMax + 1)}`,
    values,
  )
  const days = new Map(found.flatMap(({ is_day, day, commission }) => (is_day ? [[day, BigInt(commission)]] : [])))
  return { campaigns: found.filter(({ is_day }) => !is_day).map(toCampaign), days }
}

/**
 * Those of a brand: rows are found by integration, so that one invoice of many does not read the rows of all brands. The index
 * integrations_by_brand serves it.
 */
async function integrationsOf(tx: Transaction, brandSlug: string): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(
    'select id from integrations where workspace_id = $1 and brand_slug = $2 order by id',
    [workspaceOf(tx), brandSlug],
  )
  return rows.map(({ id }) => id)
}

interface SumRow {
  is_day: boolean
  day: string
  campaign_id: string | null
  name: string | null
  negative_carryover: boolean
  ftds: string | null
  cpa: string
  revshare: string
  other: string
  commission: string
  [column: string]: unknown
}

function toCampaign(row: SumRow): CampaignSums {
  return {
    campaignId: row.campaign_id,
    name: row.name,
    negativeCarryover: row.negative_carryover,
    qualifiedFtds: row.ftds === null ? null : BigInt(row.ftds),
    cpa: BigInt(row.cpa),
    revshare: BigInt(row.revshare),
    other: BigInt(row.other),
  }
}

/**
 * Billed days that may not be at what their numbers say now: those of a newer revision; those billed in parts, since an invoice that held
 * one of them may be void; those whose own invoice is void; and those within `period`. The index invoices_by_brand, the primary key of
 * stats_days and the unique index of stats_rollups serve it.
 */
export async function readBilled(
  tx: Transaction,
  o: Billing & { period: { from: string; to: string } },
): Promise<Billed[]> {
  const { rows } = await tx.query<{
    day: string
    amount: string
    revision: number
    in_period: boolean
    now_revision: number
    now_amount: string
  }>(
    `with billed as (
       select b.day, sum(b.amount::numeric) as amount, max(b.revision) as revision, count(*) > 1 as in_parts,
         bool_or(b.day between i.state->'fields'->'period'->>'from' and i.state->'fields'->'period'->>'to') as in_period
       from (select i.state ${liveInvoices}) i, jsonb_to_recordset(i.state->'billed') as b(day text, amount text, revision integer)
       group by b.day
     ), changed as (
       select billed.*, coalesce((d.state->'revisions'->-1->>'revision')::integer, billed.revision) as now_revision
       from billed left join stats_days d on d.workspace_id = $1 and d.id = billed.day
     )
     select day, amount::text, revision, in_period, now_revision, coalesce((
       select sum(${commissionSql}) from stats_rollups r
       where r.workspace_id = $1 and r.day = changed.day::date and r.brand_slug = $2 and r.currency = $3), 0)::text as now_amount
     from changed where now_revision > revision or in_parts or not in_period or day between $4 and $5 order by day`,
    [workspaceOf(tx), o.brandSlug, o.currency, o.period.from, o.period.to],
  )
  return rows.map((row) => ({
    day: row.day,
    amount: BigInt(row.amount),
    revision: row.revision,
    isInPeriod: row.in_period,
    now: { revision: row.now_revision, amount: BigInt(row.now_amount) },
  }))
}

/** What invoices carried over and no later one took back, by campaign as it is merged now. The index invoices_by_brand serves it. */
export async function readCarried(tx: Transaction, { brandSlug, currency }: Billing): Promise<Carried[]> {
  const { rows } = await tx.query<{
    campaign_id: string | null
    amount: string
    name: string | null
    negative_carryover: boolean
  }>(
    `select carried.campaign_id, carried.amount::text, c.state->'fields'->>'name' as name,
       coalesce((c.state->'fields'->'deal'->>'negative_carryover')::boolean, false) as negative_carryover
     from (
       select coalesce(own.merged_into, l.campaign_id) as campaign_id, sum(l.amount) as amount
       from (select i.state ${liveInvoices}) i, jsonb_to_recordset(i.state->'fields'->'lines') as l(kind text, origin text, campaign_id text, amount numeric)
       left join campaigns own on own.workspace_id = $1 and own.id = l.campaign_id
       where l.kind = 'carryover' and l.origin = 'stats' group by 1 having sum(l.amount) <> 0) carried
     left join campaigns c on c.workspace_id = $1 and c.id = carried.campaign_id
     order by name nulls last, carried.campaign_id`,
    [workspaceOf(tx), brandSlug, currency],
  )
  return rows.map((row) => ({
    campaignId: row.campaign_id,
    name: row.name,
    negativeCarryover: row.negative_carryover,
    amount: BigInt(row.amount),
  }))
}

/** An invoice that counts and bills days of the period, or null. The index invoices_by_brand serves it. */
export async function findOverlapping(
  tx: Transaction,
  o: Billing & { period: { from: string; to: string } },
): Promise<string | null> {
  const { rows } = await tx.query<{ id: string }>(
    `select i.id ${liveInvoices} and i.state->'fields'->'period'->>'from' <= $5 and i.state->'fields'->'period'->>'to' >= $4
     order by i.id limit 1`,
    [workspaceOf(tx), o.brandSlug, o.currency, o.period.from, o.period.to],
  )
  return rows[0]?.id ?? null
}

/**
 * The next number of the year, without a gap: given back where the transaction ends without its commit. Whoever asks holds `lockNumbers`. The
 * primary key serves it.
 */
export async function takeNumber(tx: Transaction, year: string): Promise<string> {
  const { rows } = await tx.query<{ last: number }>(
    `insert into invoice_numbers as known (workspace_id, year, last) values ($1, $2, 1)
     on conflict (workspace_id, year) do update set last = known.last + 1 returning last`,
    [workspaceOf(tx), Number(year)],
  )
  return `${year}-${String(rows[0]?.last ?? 0).padStart(6, '0')}`
}

/**
 * Until the transaction ends, no other invoice of the workspace is generated, of another year neither, so that no two bill the same
 * correction; nor does another rule draw up what this one does.
 */
export async function lockNumbers(tx: Transaction): Promise<void> {
  await tx.query("select pg_advisory_xact_lock(hashtextextended('invoice_numbers:' || $1, 0))", [workspaceOf(tx)])
}

/** The next brands behind `after` by their slug. `brandSlugs`: of these alone; empty: of all. The primary key serves it. */
export async function brandsAfter(
  tx: Transaction,
  o: { after: string; brandSlugs: readonly string[]; limit: number },
): Promise<string[]> {
  const { rows } = await tx.query<{ slug: string }>(
    `select slug from brands where workspace_id = $1 and slug > $2 and (cardinality($3::text[]) = 0 or slug = any($3))
     order by slug limit $4`,
    [workspaceOf(tx), o.after, o.brandSlugs, o.limit],
  )
  return rows.map(({ slug }) => slug)
}

/**
 * Of the brands, those and their currencies that earned in final days of the period and have no invoice of any of its days, draft or not,
 * but those that are void. The unique index of stats_rollups and invoices_by_brand serve it.
 */
export async function readUnbilled(
  tx: Transaction,
  o: { period: { from: string; to: string }; brandSlugs: readonly string[] },
): Promise<Billing[]> {
  const { rows } = await tx.query<{ brand_slug: string; currency: string }>(
    `select r.brand_slug, r.currency from stats_rollups r
     where r.workspace_id = $1 and r.day = any($5::text[]::date[]) and r.brand_slug = any($4::text[])
       and r.integration_id = any(array(select id from integrations where workspace_id = $1 and brand_slug = any($4::text[])))
       and (coalesce(cpa_commission, 0) <> 0 or coalesce(revshare_commission, 0) <> 0 or coalesce(other_commission, 0) <> 0
         or coalesce(qualified_ftds, 0) <> 0)
       and not exists (select from invoices i where i.workspace_id = $1 and i.brand_slug = r.brand_slug and i.currency = r.currency
         and i.kind = 'invoice' and i.status <> 'void'
         and i.state->'fields'->'period'->>'from' <= $3::text and i.state->'fields'->'period'->>'to' >= $2::text)
     group by r.brand_slug, r.currency order by r.brand_slug, r.currency`,
    [workspaceOf(tx), o.period.from, o.period.to, o.brandSlugs, datesOf(o.period)],
  )
  return rows.map((row) => ({ brandSlug: row.brand_slug, currency: row.currency }))
}
