// Reads which campaigns were merged into which (domain.md 3.4): their rows count for the one that took them up. It never merges one.
import { workspaceOf } from '@wds/aggregate/aggregate'
import type { Transaction } from '@wds/postgres/transaction'
import type { CampaignPlace } from './store-places.ts'

/** Held until the transaction ends: nobody else merges a campaign of the workspace. */
export async function lockMerges(tx: Transaction): Promise<void> {
  await tx.query("select pg_advisory_xact_lock(hashtextextended('merges:' || $1, 0))", [workspaceOf(tx)])
}

/** Ids of those that the campaign has taken up. The index campaigns_by_merged serves it. */
export async function mergedInto(tx: Transaction, id: string): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(
    'select id from campaigns where workspace_id = $1 and merged_into = $2 order by id',
    [workspaceOf(tx), id],
  )
  return rows.map((row) => row.id)
}

/** The ids, and those of the campaigns that have taken some of them up. The primary key serves it. */
export async function withTakers(tx: Transaction, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const { rows } = await tx.query<{ merged_into: string }>(
    'select merged_into from campaigns where workspace_id = $1 and id = any($2) and merged_into is not null',
    [workspaceOf(tx), ids],
  )
  return [...new Set([...ids, ...rows.map((row) => row.merged_into)])]
}

/** Whether any campaign of the workspace was merged. The index campaigns_by_merged serves it. */
export async function isAnyMerged(tx: Transaction, workspaceId: string): Promise<boolean> {
  const { rows } = await tx.query<{ found: boolean }>(
    'select exists (select from campaigns where workspace_id = $1 and merged_into is not null) as found',
    [workspaceId],
  )
  return rows[0]?.found === true
}

/**
 * All merged ones of a workspace as SQL, to be joined: how the source's rows name them, and how they name the one that took each up. The
 * index campaigns_by_merged serves it.
 */
export const mergedSql = (workspaceId: string) =>
  `select m.integration_id as m_integration, m.external_id as m_external, taker.external_id as m_into
   from campaigns m join campaigns taker on taker.workspace_id = m.workspace_id and taker.id = m.merged_into
   where m.workspace_id = ${workspaceId} and m.merged_into is not null`

/**
 * How rows name the campaigns of these ids and external ids, with all that count as one with them. Left out are ids that nobody has, and
 * external ids of campaigns that no merge is about: rows are found by those as they are. The primary key, campaigns_by_external_id and
 * campaigns_by_merged serve it.
 */
export async function placesOfCampaigns(
  tx: Transaction,
  o: { workspaceId: string; ids: readonly string[]; externalIds: readonly string[] },
): Promise<CampaignPlace[]> {
  const { rows } = await tx.query<{ integration_id: string; external_id: string }>(
    `with takers as materialized (
       select coalesce(c.merged_into, c.id) as id from campaigns c where c.workspace_id = $1 and c.id = any($2::text[])
       union
       select coalesce(c.merged_into, c.id) from campaigns c where c.workspace_id = $1 and c.external_id = any($3::text[])
         and (c.merged_into is not null or exists (
           select from campaigns taken where taken.workspace_id = $1 and taken.merged_into = c.id)))
     select integration_id, external_id from campaigns join takers using (id) where workspace_id = $1
     union all
     select integration_id, external_id from campaigns c join takers on takers.id = c.merged_into where workspace_id = $1`,
    [o.workspaceId, o.ids, o.externalIds],
  )
  return rows.map((row) => ({ integrationId: row.integration_id, externalId: row.external_id }))
}
