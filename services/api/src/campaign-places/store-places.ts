// Reads which campaigns there are, by how their sources name them: what stats and sync runs need of them. It never writes one: the aggregate does.
import type { Transaction } from '@wds/postgres/transaction'

/** Campaigns that a workspace may have. */
export const campaignsMax = 10_000

/** Where a source's rows name a campaign. */
export interface CampaignPlace {
  integrationId: string
  externalId: string
}

/** Its id, or null. The unique key campaigns_by_source serves it. */
export async function findCampaign(
  tx: Transaction,
  o: CampaignPlace & { workspaceId: string },
): Promise<string | null> {
  const { rows } = await tx.query<{ id: string }>(
    'select id from campaigns where workspace_id = $1 and integration_id = $2 and external_id = $3',
    [o.workspaceId, o.integrationId, o.externalId],
  )
  return rows[0]?.id ?? null
}

/** How many the workspace has; nobody else adds one until the transaction ends. */
export async function countCampaignsLocked(tx: Transaction, workspaceId: string): Promise<number> {
  await tx.query("select pg_advisory_xact_lock(hashtextextended('campaigns:' || $1, 0))", [workspaceId])
  const { rows } = await tx.query<{ count: number }>(
    'select count(*)::integer as count from campaigns where workspace_id = $1',
    [workspaceId],
  )
  return rows[0]?.count ?? 0
}

/** External ids of the integration's campaigns, archived ones included. The unique key campaigns_by_source serves it. */
export async function knownCampaigns(
  tx: Transaction,
  o: { workspaceId: string; integrationId: string },
): Promise<Set<string>> {
  const { rows } = await tx.query<{ external_id: string }>(
    'select external_id from campaigns where workspace_id = $1 and integration_id = $2',
    [o.workspaceId, o.integrationId],
  )
  return new Set(rows.map(({ external_id }) => external_id))
}

/** The first campaigns that a run's staged rows name and that are not there, by external id, and how many there are in all. The primary key of stats_staging serves it. */
export async function missingCampaigns(
  tx: Transaction,
  o: { workspaceId: string; runId: string; integrationId: string; limit: number },
): Promise<{ first: { externalId: string; name: string | null }[]; count: number }> {
  const { rows } = await tx.query<{ external_id: string; name: string | null; count: number }>(
    `select named.external_id, named.name, count(*) over ()::integer as count from (
       select campaign_external_id as external_id, max(campaign_name) as name from stats_staging
       where workspace_id = $1 and run_id = $2 and campaign_external_id is not null group by 1) named
     where not exists (select from campaigns c
       where c.workspace_id = $1 and c.integration_id = $3 and c.external_id = named.external_id)
     order by 1 limit $4`,
    [o.workspaceId, o.runId, o.integrationId, o.limit],
  )
  const first = rows.map(({ external_id: externalId, name }) => ({ externalId, name }))
  return { first, count: rows[0]?.count ?? 0 }
}

/** Ids by place. The unique key campaigns_by_source serves it. */
export async function idsOfCampaigns(
  tx: Transaction,
  o: { workspaceId: string; places: readonly CampaignPlace[] },
): Promise<(place: CampaignPlace) => string | null> {
  const { rows } = await tx.query<{ id: string; integration_id: string; external_id: string }>(
    `select c.id, c.integration_id, c.external_id from campaigns c
     join unnest($2::text[], $3::text[]) as wanted(integration_id, external_id)
       on wanted.integration_id = c.integration_id and wanted.external_id = c.external_id
     where c.workspace_id = $1`,
    [o.workspaceId, o.places.map(({ integrationId }) => integrationId), o.places.map(({ externalId }) => externalId)],
  )
  const textOf = (place: CampaignPlace) => JSON.stringify([place.integrationId, place.externalId])
  const ids = new Map(
    rows.map((row) => [textOf({ integrationId: row.integration_id, externalId: row.external_id }), row.id]),
  )
  return (place) => ids.get(textOf(place)) ?? null
}

/** All of a workspace as SQL, to be joined: how their sources name them, and their ids. */
export const campaignsSql = (workspaceId: string) =>
  `select integration_id as c_integration, external_id as c_external, id as c_id from campaigns where workspace_id = ${workspaceId}`
