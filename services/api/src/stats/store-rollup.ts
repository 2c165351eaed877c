// The rollup of a day: its rows summed over hours, replaced as a whole, never counted up (domain.md 7).
import type { Transaction } from '@wds/postgres/transaction'
import { type Measure, measures } from './domain/measures.ts'

interface DayOfWorkspace {
  workspaceId: string
  day: string
}

const keyColumns = [
  'integration_id',
  'brand_slug',
  'campaign_external_id',
  'country',
  'sub_affiliate_id',
  'currency',
] as const

/** The day's rows by their key without the hour. At most 26 hours have one key, so no sum leaves bigint. The index stats_rows_day serves it. */
const freshSql = `
  select ${keyColumns.join(', ')}, bool_or(approximate) as approximate, ${measures.map((measure) => `sum(${measure})::bigint as ${measure}`).join(', ')}
  from stats_rows where workspace_id = $1 and workspace_day = $2 and not deleted group by ${keyColumns.join(', ')}`

/** `\`, `|` and line ends within an external id are escaped, so that no two sets of rows have one text. */
const escaped = (column: string) =>
  `replace(replace(replace(coalesce(${column}, ''), '\\', '\\\\'), '|', '\\|'), E'\\n', '\\n')`

const lineSql = [
  'integration_id',
  `coalesce(to_char(hour at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), '')`,
  'brand_slug',
  escaped('campaign_external_id'),
  `coalesce(country, '')`,
  escaped('sub_affiliate_id'),
  'currency',
  ...measures.map((measure) => `coalesce(${measure}::text, '')`),
].join(` || '|' || `)

const summarySql = `
  select count(*)::integer as row_count, array_agg(distinct integration_id) as integrations,
    encode(sha256(convert_to(coalesce(string_agg(line, '' order by line collate "C"), ''), 'UTF8')), 'hex') as checksum
  from (select integration_id, ${lineSql} || E'\\n' as line from stats_rows
    where workspace_id = $1 and workspace_day = $2 and not deleted) lines`

/** The day's rows by number, integrations and checksum. The index stats_rows_day serves it. */
export async function summarizeDay(
  tx: Transaction,
  o: DayOfWorkspace,
): Promise<{ rowCount: number; integrations: string[]; checksum: string }> {
  const { rows } = await tx.query<{ row_count: number; integrations: string[] | null; checksum: string }>(summarySql, [
    o.workspaceId,
    o.day,
  ])
  const { row_count = 0, integrations = null, checksum = '' } = rows[0] ?? {}
  return { rowCount: row_count, integrations: integrations ?? [], checksum: `sha256:${checksum}` }
}

/** Whether the day holds rows. The index stats_rows_day serves it. */
export async function dayHasRows(tx: Transaction, o: DayOfWorkspace): Promise<boolean> {
  const { rows } = await tx.query(
    'select 1 from stats_rows where workspace_id = $1 and workspace_day = $2 and not deleted limit 1',
    [o.workspaceId, o.day],
  )
  return rows.length > 0
}

export interface RollupChange {
  brandSlug: string
  metrics: Measure[]
  sums: { before: bigint | null; after: bigint | null }[]
}

const keyPairs = keyColumns.map((column) => `coalesce(o.${column}, '') = coalesce(n.${column}, '')`).join(' and ')
const changesSql = `
  with n as (${freshSql}), o as (select * from stats_rollups where workspace_id = $1 and day = $2)
  select coalesce(o.brand_slug, n.brand_slug) as brand, ${measures
    .map(
      (measure) =>
        `bool_or(o.${measure} is distinct from n.${measure}) as ${measure}_differs,
         sum(o.${measure})::text as ${measure}_before, sum(n.${measure})::text as ${measure}_after`,
    )
    .join(', ')}
  from o full join n on ${keyPairs} group by 1, coalesce(o.currency, n.currency) order by 1`

/** What the day's rows differ in from its rollup: by brand and currency, where any measure of any key does. */
export async function compareRollup(tx: Transaction, o: DayOfWorkspace): Promise<RollupChange[]> {
  const { rows } = await tx.query<Record<string, unknown>>(changesSql, [o.workspaceId, o.day])
  const toSum = (value: unknown) => (value === null ? null : BigInt(String(value)))
  return rows.flatMap((row) => {
    const metrics = measures.filter((measure) => row[`${measure}_differs`] === true)
    if (metrics.length === 0) return []
    const sums = metrics.map((measure) => ({
      before: toSum(row[`${measure}_before`]),
      after: toSum(row[`${measure}_after`]),
    }))
    return [{ brandSlug: String(row.brand), metrics, sums }]
  })
}

/** Replaces the rollup of the day by its rows as they are. The unique index of stats_rollups serves the removal. */
export async function replaceRollup(tx: Transaction, o: DayOfWorkspace): Promise<void> {
  await tx.query('delete from stats_rollups where workspace_id = $1 and day = $2', [o.workspaceId, o.day])
  await tx.query(
    `insert into stats_rollups (workspace_id, day, ${keyColumns.join(', ')}, approximate, ${measures.join(', ')})
     select $1, $2, fresh.* from (${freshSql}) fresh`,
    [o.workspaceId, o.day],
  )
}
