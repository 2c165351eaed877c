// Reads the anomalies of a workspace that a look at a day, or a rule, has to know of. It never writes one: the aggregate does.
import { workspaceOf } from '@wds/aggregate/aggregate'
import type { Transaction } from '@wds/postgres/transaction'
import { dayNumber } from '../calendar/domain/calendar.ts'
import type { Finding } from './domain/anomaly.ts'
import type { KnownAnomaly } from './domain/watched-series.ts'

/** Those of the detection that may still be acted on, were found less than seven days ago, or on the day itself. The indexes anomalies_by_status, anomalies_list and anomalies_day serve it. */
export async function readKnown(tx: Transaction, o: { workspaceId: string; day: string }): Promise<KnownAnomaly[]> {
  const { rows } = await tx.query<{
    id: string
    brand_slug: string
    campaign_id: string | null
    campaign_ids: string[] | null
    metric: string
    day: string
    window_days: 1 | 7
    direction: 'spike' | 'drop'
    is_open: boolean
    is_recent: boolean
  }>(
    `with known as (
       select id from anomalies where workspace_id = $1 and status in ('open', 'acknowledged')
       union select id from anomalies where workspace_id = $1 and created > app_now() - interval '7 days'
       union select id from anomalies where workspace_id = $1 and day = $2)
     select id, brand_slug, state->'finding'->>'campaign_id' as campaign_id, state->'finding'->'campaign_ids' as campaign_ids, metric, day, (state->'finding'->>'window_days')::integer as window_days,
       state->'finding'->>'direction' as direction, status in ('open', 'acknowledged') as is_open,
       created > app_now() - interval '7 days' as is_recent
     from known join anomalies using (id) where workspace_id = $1 and state->'finding'->>'method' <> 'rule'`,
    [o.workspaceId, o.day],
  )
  return rows.map((row) => ({
    id: row.id,
    brandSlug: row.brand_slug,
    campaignId: row.campaign_id,
    campaignIds: row.campaign_ids ?? [],
    metric: row.metric,
    day: dayNumber(row.day) ?? 0,
    windowDays: row.window_days,
    direction: row.direction,
    isOpen: row.is_open,
    isRecent: row.is_recent,
  }))
}

/** Whether one that a rule made of the same metric, dimension and direction is open or acknowledged. The index anomalies_by_status serves it. */
export async function isOpenOfRule(tx: Transaction, o: Finding): Promise<boolean> {
  const { rows } = await tx.query(
    `select from anomalies where workspace_id = $1 and status in ('open', 'acknowledged') and metric = $2 and brand_slug = $3
       and state->'finding'->>'method' = 'rule' and state->'finding'->>'direction' = $4
       and state->'finding'->>'campaign_id' is not distinct from $5
       and state->'finding'->>'integration_id' is not distinct from $6 limit 1`,
    [workspaceOf(tx), o.metric, o.brand_slug, o.direction, o.campaign_id ?? null, o.integration_id ?? null],
  )
  return rows.length > 0
}
